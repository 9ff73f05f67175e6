//===- DanglingLocals.cpp - Pointers to what is gone after the load -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/DanglingLocals.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

// Ways back of a value that are looked at: the rest counts as written.
static constexpr unsigned MostNodes = 64;

DanglingLocals::DanglingLocals(const SolveContext &context)
    : c_(context), p_(context.program), f_(p_.facts) {
  for (const auto &[fn, call] : c_.pointsTo.reached())
    if (call == None && p_.isNoReturn(fn))
      ends_ = false;
  for (const Constraint &c : f_.constraints)
    if (c.dst != None && c.flow != Flow::Store && c.flow != Flow::CopyMemory)
      set_.insert(c.dst);
  for (Id fn = 0; fn < f_.functions.size(); ++fn)
    if (f_.functions[fn].hasBody)
      calledByName_.insert(fn);
  auto name = [&](Id n) {
    if (Id fn = n == None ? None : p_.functionOf(n); fn != None)
      calledByName_.erase(fn);
  };
  for (const Constraint &c : f_.constraints)
    name(c.src);
  for (const Call &c : f_.calls)
    llvm::for_each(c.args, name);
}

bool DanglingLocals::contains(Id value) const {
  if (value == None || !ends_)
    return false;
  // Most values lead elsewhere.
  const PointsTo &pt = c_.pointsTo;
  const PointsTo::Set &set = pt.pointsTo(value);
  for (Id l : set) {
    const PointsTo::Object &o = pt.objects()[pt.locations()[l].object];
    if (o.kind != PointsTo::Object::Variable || !isGone(o.ref))
      return false;
  }
  IdSet seen;
  return !set.empty() && comesFromThere(value, seen);
}

/// A local of a function that nothing but the load runs while it loads. What
/// leads to the load goes on behind it, and may keep its locals.
bool DanglingLocals::isGone(Id variable) const {
  const Node &n = f_.nodes[variable];
  if (n.kind != NodeKind::Local || n.function == None)
    return false;
  auto at = c_.pointsTo.reached().find(n.function);
  if (at == c_.pointsTo.reached().end() || p_.isNoReturn(n.function))
    return false;
  bool isLoad = at->second == None;
  return isLoad || !(c_.loop.startUp.contains(n.function) ||
                     c_.loop.onRequest.contains(n.function) ||
                     c_.loop.frames.contains(n.function));
}

/// By the text, in which null would be seen.
bool DanglingLocals::comesFromThere(Id value, IdSet &seen) const {
  if (value == None)
    return false;
  if (!seen.insert(value).second)
    return true; // it comes from where the others do
  if (seen.size() > MostNodes)
    return false;
  if (f_.nodes[value].kind == NodeKind::Local)
    return isHandedSuch(value, seen);
  Id d = f_.nodes[value].kind == NodeKind::Temp ? p_.definition(value) : None;
  if (d == None)
    return false;
  const Constraint &c = f_.constraints[d];
  switch (c.flow) {
  case Flow::AddressOf:
    return isGone(c.src);
  case Flow::Copy:
  case Flow::Cast:
  case Flow::Member:
    return comesFromThere(c.src, seen);
  default:
    return false;
  }
}

/// A parameter that keeps what it is handed, by each call of the program.
bool DanglingLocals::isHandedSuch(Id param, IdSet &seen) const {
  const Id fn = f_.nodes[param].function;
  if (fn == None || !calledByName_.contains(fn) || set_.contains(param) ||
      p_.isAddressTaken(param))
    return false;
  const auto &params = f_.functions[fn].params;
  const size_t index = llvm::find(params, param) - params.begin();
  const std::vector<Id> &calls = p_.callersOf(fn);
  return !calls.empty() && index < params.size() &&
         llvm::all_of(
             calls,
             [&](Id k) {
               const Call &c = f_.calls[k];
               return index < c.args.size() &&
                      comesFromThere(c.args[index], seen);
             });
}
