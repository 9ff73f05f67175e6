//===- OutParameterStatics.cpp - Static pointers set by their address -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (!open(&header)) return;  ..  free(header);
//
// A function that is lent the address sets the pointer, and keeps no address.
//
//===----------------------------------------------------------------------===//

#include "passes/solve/nullness/NullAtExit.h"
#include "passes/solve/program/BlockDataflow.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

/// The calls that static pointers are handed to by address, open(&header),
/// where the address goes nowhere else.
void NullAtExit::findLent() {
  IdMap<std::vector<std::pair<Id, Lent>>> calls; // by variable
  for (const Constraint &c : f_.constraints) {
    if (c.flow != Flow::AddressOf || f_.nodes[c.src].kind != NodeKind::Global ||
        !p_.isPointer(f_.nodes[c.src].type))
      continue;
    auto &all = calls[c.src];
    if (c.function == None || f_.nodes[c.dst].kind != NodeKind::Temp ||
        !isOnlyLent(c.function, c.dst, 0)) {
      kept_.insert(c.src);
      continue;
    }
    for (Id k : p_.callsOf(c.function))
      for (size_t i = 0; i < f_.calls[k].args.size(); ++i)
        if (f_.calls[k].args[i] == c.dst)
          all.push_back({k, {c.src, i}});
  }
  for (const auto &[variable, all] : calls)
    if (!kept_.contains(variable))
      for (auto [call, lent] : all)
        lent_[call].push_back(lent);
}

/// What the pointer leads to is read and set in the function, and in those that
/// it is handed on to; nobody keeps the pointer.
bool NullAtExit::isOnlyLent(Id function, Id pointer, unsigned depth) const {
  constexpr unsigned most = 4;
  if (depth == most || f_.functions[function].hasInlineAsm)
    return false;
  bool isParameter = f_.nodes[pointer].kind == NodeKind::Local;
  for (Id i : p_.constraintsOf(function)) {
    const Constraint &c = f_.constraints[i];
    if (c.src == pointer && c.flow != Flow::Load && c.flow != Flow::CopyMemory)
      return false;
    if (c.dst == pointer && c.flow != Flow::AddressOf &&
        (!isParameter || c.flow == Flow::CopyMemory))
      return false;
  }
  return llvm::all_of(p_.callsOf(function), [&](Id k) {
    const Call &c = f_.calls[k];
    if (c.target == pointer)
      return false;
    for (size_t i = 0; i < c.args.size(); ++i) {
      if (c.args[i] != pointer)
        continue;
      const Definition *d = c.callee == None ? nullptr : definitionOf(c.callee);
      if (!d || i >= d->params.size() ||
          !isOnlyLent(c.callee, d->params[i], depth + 1))
        return false;
    }
    return true;
  });
}

const NullAtExit::Lent *NullAtExit::lentTo(Id call, Id variable) const {
  auto at = lent_.find(call);
  if (at == lent_.end())
    return nullptr;
  auto lent = llvm::find_if(
      at->second, [&](const Lent &l) { return l.variable == variable; });
  return lent == at->second.end() ? nullptr : &*lent;
}

NullAtExit::Outcome NullAtExit::behindLent(Id call, const Lent &lent,
                                           State state) const {
  const Call &c = f_.calls[call];
  const Definition *d = definitionOf(c.callee);
  bool isSetOtherwise =
      llvm::count_if(
          lent_.at(call),
          [&](const Lent &l) { return l.variable == lent.variable; }) > 1 ||
      summaries_.contains(c.callee); // by its name, or by whom it calls
  if (isSetOtherwise || !d || d->blocks.empty() ||
      !setsInBlocksAlone(c.callee, d->params[lent.argument]))
    return {Anything, Anything};
  return setThrough(c.callee, d->params[lent.argument], state);
}

/// Each store to what the parameter points to is one that its blocks show; it
/// points to the same always, and is not handed on.
bool NullAtExit::setsInBlocksAlone(Id function, Id parameter) const {
  size_t shown = 0;
  for (const Block &b : definitionOf(function)->blocks)
    for (const FlowWrite &w : b.writes) {
      if (w.variable != parameter)
        continue;
      if (w.how != FlowWrite::Through)
        return false;
      ++shown;
    }
  for (Id i : p_.constraintsOf(function))
    if (const Constraint &c = f_.constraints[i];
        c.dst == parameter && c.flow != Flow::Store)
      return false;
  for (Id k : p_.callsOf(function))
    if (llvm::is_contained(f_.calls[k].args, parameter))
      return false;
  size_t stores = llvm::count_if(p_.storesOf(function), [&](Id s) {
    return f_.stores[s].address == parameter;
  });
  return shown == stores;
}

NullAtExit::Outcome NullAtExit::setThrough(Id function, Id parameter,
                                           State found) const {
  const Definition &d = *definitionOf(function);
  Outcome result;
  auto through = [&](const Block &b, State state, auto goOn) {
    ++work_;
    if (llvm::any_of(b.calls, [&](uint32_t k) {
          return p_.isDeadEnd(d.calls.begin + k);
        }))
      return;
    for (const FlowWrite &w : b.writes)
      if (w.variable == parameter)
        state = w.value ? Anything : Null;
    for (uint32_t s : b.successors) {
      if (s != 0) {
        goOn(s, state);
        continue;
      }
      // the end
      if (!b.returnsConstant || b.returned == 0)
        result.whenZero = join(result.whenZero, state);
      if (!b.returnsConstant || b.returned != 0)
        result.otherwise = join(result.otherwise, state);
    }
  };
  throughBlocks(d, found, join, through);
  return result;
}
