//===- DetachOrder.cpp - What may still run after nvm_detach() ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tested by: test/lit/solve/startup/ExitTeardown-goes_on.c
//
//===----------------------------------------------------------------------===//

#include "passes/solve/startup/DetachOrder.h"
#include "passes/solve/program/RuntimeCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

DetachOrder::DetachOrder(const SolveContext &context,
                         const std::vector<LoadGuard> &guards,
                         const std::vector<Section> &sections)
    : c_(context), p_(c_.program), f_(p_.facts), callers_(c_.flow.callers()),
      loops_(context) {
  for (const LoadGuard &g : guards)
    work_.insert(g.call);
  for (const MainLoop &loop : c_.loop.loops)
    work_.insert(loop.waits.begin(), loop.waits.end());
  for (Id loop : c_.loop.left)
    for (Id i : c_.loop.callsIn(loop))
      work_.insert(i);
  for (const Section &s : sections) {
    if (s.call != None)
      begins_.insert(s.call);
    if (s.kind == Section::Kind::Body)
      continue; // begins behind a wait
    // Of a lock: those that take it.
    const std::vector<Id> &calls = s.kind == Section::Kind::Lock ? s.locks
                                   : s.kind == Section::Kind::Callback
                                       ? p_.callersOf(s.function)
                                       : s.calls;
    begins_.insert(calls.begin(), calls.end());
  }
  for (Id i = 0; i < f_.calls.size(); ++i) {
    const Id callee = f_.calls[i].callee;
    if (callee == None || f_.calls[i].function == None)
      continue;
    const llvm::StringRef name = f_.functions[callee].name;
    if (name == RuntimeCall::Begin || name == RuntimeCall::SectionBegin)
      begins_.insert(i);
    else if (asksWhetherRestored(name) || endsStartUp(name))
      work_.insert(i);
  }
  begins_.insert(work_.begin(), work_.end());
  leading_ = leadingTo(begins_);
  working_ = leadingTo(work_);
}

IdSet DetachOrder::leadingTo(const IdSet &calls) const {
  IdSet found;
  std::vector<Id> work;
  auto lead = [&](Id i) {
    const Id fn = f_.calls[i].function;
    if (fn != None && !p_.isInChild(i) && found.insert(fn).second)
      work.push_back(fn);
  };
  for (Id i : calls)
    lead(i);
  while (!work.empty()) {
    const Id fn = work.back();
    work.pop_back();
    for (Id i : p_.callersOf(fn))
      lead(i);
  }
  return found;
}

bool DetachOrder::leads(Id call, const IdSet &calls,
                        const IdSet &functions) const {
  const Id callee = f_.calls[call].callee;
  return !p_.isInChild(call) &&
         (calls.contains(call) ||
          (callee != None && functions.contains(callee)));
}

/// The branch of an exit(): what stands after the call there.
DetachOrder::Rest DetachOrder::restInDeadEnd(Id call, bool isBefore) const {
  const Call &from = f_.calls[call];
  Id round = None; // the outermost loop that control stays in
  for (Id loop = from.loop; loop != None; loop = f_.loops[loop].parent)
    if (loops_.goesRound(call, loop))
      round = loop;
  Rest rest{{}, false};
  for (Id i : p_.callsOf(from.function)) {
    const Call &c = f_.calls[i];
    const bool isAgain =
        round != None && c.loop != None && c_.loop.within(c.loop, round);
    const bool isAfter = c.loc.file == from.loc.file &&
                         (i == call ? isBefore : from.loc < c.loc) &&
                         !Program::exclude(c.arms, from.arms);
    if (p_.isDeadEnd(i) && (isAgain || isAfter))
      rest.calls.push_back(i);
  }
  return rest;
}

/// Of a function whose blocks are not known.
DetachOrder::Rest DetachOrder::restByText(Id call, bool isBefore) const {
  const Call &from = f_.calls[call];
  const Id loop = from.loop == None ? None : p_.outermost(from.loop);
  Rest rest;
  for (Id i : p_.callsOf(from.function)) {
    const Call &c = f_.calls[i];
    const bool isAgain =
        loop != None && c.loop != None && p_.outermost(c.loop) == loop;
    const bool isAfter =
        i == call ? isBefore : c.loc.file != from.loc.file || from.loc < c.loc;
    if (isAgain || (isAfter && !Program::exclude(c.arms, from.arms)))
      rest.calls.push_back(i);
  }
  return rest;
}

DetachOrder::Rest DetachOrder::restOf(Id call, bool isBefore) const {
  if (p_.isDeadEnd(call))
    return restInDeadEnd(call, isBefore);
  for (const Definition *d : p_.definitionsOf(f_.calls[call].function)) {
    if (call < d->calls.begin || call >= d->calls.end)
      continue;
    for (size_t b = 0; b < d->blocks.size(); ++b) {
      const Block &block = d->blocks[b];
      auto at = llvm::find(block.calls, call - d->calls.begin);
      if (at == block.calls.end())
        continue;
      Rest rest{{}, b == 0};
      for (auto k = at + (isBefore ? 0 : 1); k != block.calls.end(); ++k)
        rest.calls.push_back(d->calls.begin + *k);
      std::vector<bool> reached(d->blocks.size());
      std::vector<uint32_t> work(block.successors.begin(),
                                 block.successors.end());
      while (!work.empty()) {
        const uint32_t number = work.back();
        work.pop_back();
        if (reached[number])
          continue;
        reached[number] = true;
        rest.returns |= number == 0;
        for (uint32_t k : d->blocks[number].calls)
          rest.calls.push_back(d->calls.begin + k);
        llvm::append_range(work, d->blocks[number].successors);
      }
      return rest;
    }
  }
  return restByText(call, isBefore);
}

Id DetachOrder::followed(Id call, bool isBefore, const IdSet &calls,
                         const IdSet &functions) const {
  IdSet left{}; // functions that have been followed into their callers
  std::vector<std::pair<Id, bool>> work{{call, isBefore}};
  while (!work.empty()) {
    auto [from, counts] = work.back();
    work.pop_back();
    const Rest rest = restOf(from, counts);
    for (Id i : rest.calls)
      if (leads(i, calls, functions))
        return i;
    const Id function = f_.calls[from].function;
    if (!rest.returns || p_.isNoReturn(function) ||
        !left.insert(function).second)
      continue;
    for (Id i : FieldFlow::callersIn(callers_, function))
      if (f_.calls[i].function != None && !p_.isInChild(i))
        work.push_back({i, false});
  }
  return None;
}
