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
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

DetachOrder::DetachOrder(const SolveContext &context, const Solution &solution)
    : c_(context), p_(c_.program), f_(p_.facts), callers_(c_.flow.callers()) {
  std::vector<Id> work;
  auto lead = [&](Id fn) {
    if (fn != None && leading_.insert(fn).second)
      work.push_back(fn);
  };
  for (const Section &s : solution.sections) {
    if (s.call != None)
      begins_.insert(s.call);
    if (s.kind == Section::Kind::Callback)
      lead(s.function);
    // Of a lock: those that take it.
    const std::vector<Id> &calls =
        s.kind == Section::Kind::Lock ? s.locks : s.calls;
    begins_.insert(calls.begin(), calls.end());
  }
  for (const LoadGuard &g : solution.guards)
    begins_.insert(g.call);
  for (const MainLoop &loop : c_.loop.loops)
    begins_.insert(loop.waits.begin(), loop.waits.end());
  for (Id i : begins_)
    if (!p_.isInChild(i))
      lead(f_.calls[i].function);
  while (!work.empty()) {
    const Id fn = work.back();
    work.pop_back();
    for (Id i : p_.callersOf(fn))
      if (!p_.isInChild(i))
        lead(f_.calls[i].function);
  }
}

bool DetachOrder::leads(Id call) const {
  const Id callee = f_.calls[call].callee;
  return begins_.contains(call) ||
         (callee != None && leading_.contains(callee) && !p_.isInChild(call));
}

/// The branch of an exit(): what stands after the call there.
DetachOrder::Rest DetachOrder::restInDeadEnd(Id call, bool isBefore) const {
  const Call &from = f_.calls[call];
  Rest rest{{}, false};
  for (Id i : p_.callsOf(from.function))
    if (const Call &c = f_.calls[i];
        p_.isDeadEnd(i) && c.loc.file == from.loc.file &&
        (i == call ? isBefore : from.loc < c.loc) &&
        !Program::exclude(c.arms, from.arms))
      rest.calls.push_back(i);
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

Id DetachOrder::followed(Id call, bool isBefore) const {
  IdSet left{}; // functions that have been followed into their callers
  std::vector<std::pair<Id, bool>> work{{call, isBefore}};
  while (!work.empty()) {
    auto [from, counts] = work.back();
    work.pop_back();
    const Rest rest = restOf(from, counts);
    for (Id i : rest.calls)
      if (leads(i))
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
