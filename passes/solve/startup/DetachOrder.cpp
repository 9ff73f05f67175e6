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
                         const std::vector<LoadGuard> &guards)
    : c_(context), p_(c_.program), f_(p_.facts), graph_(p_, c_.flow),
      order_(c_.phases.order()), loops_(context) {
  for (const LoadGuard &g : guards)
    work_.insert(g.call);
  for (const MainLoop &loop : c_.loop.loops)
    work_.insert(loop.waits.begin(), loop.waits.end());
  for (Id loop : c_.loop.left)
    for (Id i : c_.loop.callsIn(loop))
      work_.insert(i);
  for (Id i = 0; i < f_.calls.size(); ++i) {
    const Id callee = f_.calls[i].callee;
    if (callee == None || f_.calls[i].function == None)
      continue;
    const llvm::StringRef name = f_.functions[callee].name;
    if (name == RuntimeCall::Begin || name == RuntimeCall::SectionBegin)
      written_.insert(i);
    else if (asksWhetherRestored(name) || endsStartUp(name))
      work_.insert(i);
  }
  working_ = leadingTo(work_);
}

void DetachOrder::setSections(const std::vector<Section> &sections) {
  begins_ = work_;
  begins_.insert(written_.begin(), written_.end());
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
  leading_ = leadingTo(begins_);
}

IdSet DetachOrder::leadingTo(const IdSet &calls) const {
  std::vector<Id> functions;
  for (Id i : calls)
    if (f_.calls[i].function != None && !p_.isInChild(i))
      functions.push_back(f_.calls[i].function);
  return graph_.reachedBy(functions, {.pointers = false, .children = false})
      .set();
}

bool DetachOrder::leads(Id call, const IdSet &calls,
                        const IdSet &functions) const {
  const Id callee = f_.calls[call].callee;
  return !p_.isInChild(call) &&
         (calls.contains(call) ||
          (callee != None && functions.contains(callee)));
}

/// The branch of an exit(): what stands after the call there.
std::vector<Id> DetachOrder::restInDeadEnd(Id call, bool isBefore) const {
  const Call &from = f_.calls[call];
  Id round = None; // the outermost loop that control stays in
  for (Id loop = from.loop; loop != None; loop = f_.loops[loop].parent)
    if (loops_.goesRound(call, loop))
      round = loop;
  std::vector<Id> rest;
  for (Id i : p_.callsOf(from.function)) {
    const Call &c = f_.calls[i];
    const bool isAgain =
        round != None && c.loop != None && c_.loop.within(c.loop, round);
    const bool isAfter = c.loc.file == from.loc.file &&
                         (i == call ? isBefore : from.loc < c.loc) &&
                         !Program::exclude(c.arms, from.arms);
    if (p_.isDeadEnd(i) && (isAgain || isAfter))
      rest.push_back(i);
  }
  return rest;
}

std::vector<Id> DetachOrder::restOf(Id call, bool isBefore) const {
  if (p_.isDeadEnd(call))
    return restInDeadEnd(call, isBefore);
  std::vector<Id> rest;
  for (Id i : p_.callsOf(f_.calls[call].function))
    if ((i == call && isBefore) || order_.mayPrecede(call, i))
      rest.push_back(i);
  return rest;
}

Id DetachOrder::followed(Id call, bool isBefore, const IdSet &calls,
                         const IdSet &functions) const {
  IdSet left{}; // functions that have been followed into their callers
  std::vector<std::pair<Id, bool>> work{{call, isBefore}};
  while (!work.empty()) {
    auto [from, counts] = work.back();
    work.pop_back();
    for (Id i : restOf(from, counts))
      if (leads(i, calls, functions))
        return i;
    const Id function = f_.calls[from].function;
    if (!order_.mayReturnAfter(from) || p_.isNoReturn(function) ||
        !left.insert(function).second)
      continue;
    for (Id i : FieldFlow::callersIn(graph_.callers(), function))
      if (f_.calls[i].function != None && !p_.isInChild(i))
        work.push_back({i, false});
  }
  return None;
}
