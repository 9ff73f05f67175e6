//===- DanglingLocals.cpp - Pointers to what is gone after the load -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/DanglingLocals.h"
#include "passes/solve/flow/AccessPath.h"
#include "passes/solve/flow/BackwardSlice.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

DanglingLocals::DanglingLocals(const SolveContext &context)
    : c_(context), p_(context.program), f_(p_.facts) {
  for (const auto &[fn, call] : c_.pointsTo.reached())
    if (call == None && p_.isNoReturn(fn))
      ends_ = false;
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

/// By the text, in which null would be seen: from addresses of such locals, and
/// of parameters that keep what they are handed, by each call of the program.
class DanglingLocals::Search : public BackwardSlice {
public:
  explicit Search(const DanglingLocals &of)
      : BackwardSlice(of.p_, of.c_.values, {.flows = AccessPath::Members}),
        of_(of) {}

private:
  Step value(Id n) override {
    if (f_.nodes[n].kind != NodeKind::Local)
      return p_.definition(n) == None ? Stop : Follow;
    auto handed = p_.handedFor(n);
    return handed && !handed->empty() && values_.definitions(n).empty() &&
                   !p_.isAddressTaken(n) &&
                   of_.calledByName_.contains(f_.nodes[n].function)
               ? Follow
               : Stop;
  }
  Step definition(const Constraint &c) override {
    if (c.flow == Flow::AddressOf)
      return of_.isGone(c.src) ? Skip : Stop;
    return BackwardSlice::definition(c) == Follow ? Follow : Stop;
  }
  Step parameter(Id) override { return Follow; }
  Step argument(const Call &c, size_t index) override {
    return index < c.args.size() && c.args[index] != None ? Follow : Stop;
  }

  const DanglingLocals &of_;
};

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
  return !set.empty() && Search(*this).run(value) == BackwardSlice::Whole;
}

/// A local of a function that nothing but the load runs while it loads. What
/// leads to the load goes on after it, and may keep its locals.
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
