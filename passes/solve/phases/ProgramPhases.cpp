//===- ProgramPhases.cpp - What runs before the load, after it, and when --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/phases/ProgramPhases.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

ProgramPhases::ProgramPhases(const Program &program, const FieldFlow &flow,
                             const EventLoop &loop, const std::vector<Id> &load)
    : handled(loop.reachableFrom(loop.handlerCalls)), p_(program), flow_(flow),
      loop_(loop), graph_(program, flow), load_(load), order_(program) {
  for (Id fn : load) {
    IdSet below = loop.reachableFrom(p_.callsOf(fn));
    loading.insert(below.begin(), below.end());
    loading.insert(fn);
  }
  findWays();
  findTowardsLoop();
  findAtStart();
  findAroundLoad();
}

//===-- On the way to the load --------------------------------------------===//

void ProgramPhases::findWays() {
  for (Id k = 0; k < p_.facts.calls.size(); ++k)
    if (Id fn = p_.facts.calls[k].function;
        fn != None && p_.isDeadEnd(k) && leadsToLoad(k))
      endless_.insert(fn);
  for (Id fn : loop_.startUp)
    for (Id k : p_.callsOf(fn))
      if (!loop_.within(p_.facts.calls[k].loop, loop_.loop) && !isDeadEnd(k) &&
          leadsToLoad(k))
        for (Id callee : flow_.callees(k))
          callers_[callee].push_back(k);
}

const std::vector<Id> &ProgramPhases::startUpCallersOf(Id function) const {
  static const std::vector<Id> none;
  auto at = callers_.find(function);
  return at == callers_.end() ? none : at->second;
}

std::vector<Id> ProgramPhases::wayTo(Id call) const {
  std::vector<Id> way{call};
  IdSet seen{call};
  for (size_t i = 0; i < way.size(); ++i)
    for (Id k : startUpCallersOf(p_.facts.calls[way[i]].function))
      if (seen.insert(k).second)
        way.push_back(k);
  return way;
}

bool ProgramPhases::isDeadEnd(Id call) const {
  return p_.isDeadEnd(call) &&
         !endless_.contains(p_.facts.calls[call].function);
}

//===-- At start ----------------------------------------------------------===//

/// if (saved) load(); else begin();
bool ProgramPhases::isInsteadOfLoad(const Call &call) const {
  return llvm::any_of(p_.callsOf(call.function), [&](Id k) {
    return Program::exclude(call.arms, p_.facts.calls[k].arms) &&
           leadsToLoad(k);
  });
}

/// Through a table of functions everything would be.
void ProgramPhases::addAtStart(Id call, bool isSure) {
  const Call &c = p_.facts.calls[call];
  if (c.callee == None || p_.isDeadEnd(call) || p_.isNoReturn(c.callee))
    return;
  isSure &= c.arms.empty() && c.loop == None;
  bool fresh = atStart.insert(c.callee).second;
  if ((isSure && alwaysAtStart.insert(c.callee).second) || fresh)
    for (Id k : p_.callsOf(c.callee))
      addAtStart(k, isSure);
}

/// From main the way goes to the load, and to the main loop. What else is
/// called there is at start.
void ProgramPhases::findAtStart() {
  auto leadsOn = [&](Id k) {
    const Call &c = p_.facts.calls[k];
    if (loop_.isInLoop(c) || isAfterLoop(k) || leadsToLoad(k) ||
        isInsteadOfLoad(c))
      return false;
    const IdSet below = loop_.reachableFrom({k});
    const bool goes = llvm::any_of(loop_.loops, [&](const MainLoop &l) {
      return below.contains(p_.facts.loops[l.loop].function);
    });
    if (!goes)
      addAtStart(k, true);
    return goes;
  };
  auto isOnWay = [&](Id fn) {
    return !loading.contains(fn) && !loop_.dispatcher.contains(fn) &&
           (!handled.contains(fn) || llvm::is_contained(loop_.mains, fn));
  };
  const std::vector<Id> startUp(loop_.startUp.begin(), loop_.startUp.end());
  graph_.reach(startUp,
               {.deadEnds = false, .follows = leadsOn, .enters = isOnWay});
}

//===-- Around the load ---------------------------------------------------===//

IdSet ProgramPhases::atStartBelow(const std::vector<Id> &calls) const {
  return graph_
      .reachFrom(calls, {.pointers = false,
                         .enters = [&](Id fn) { return atStart.contains(fn); }})
      .set();
}

void ProgramPhases::findAroundLoad() {
  std::vector<Id> before, after;
  for (Id fn : loop_.startUp)
    for (Id way : p_.callsOf(fn))
      for (Id k : p_.callsOf(fn))
        if (k != way && isToLoad(way, p_.facts.calls[k].loc.file)) {
          if (order_.mayPrecede(k, way))
            before.push_back(k);
          if (order_.mayPrecede(way, k))
            after.push_back(k);
        }
  beforeLoad = atStartBelow(before);
  afterLoad = atStartBelow(after);
}

bool ProgramPhases::isToLoad(Id call, Id file) const {
  const Call &c = p_.facts.calls[call];
  return c.loc.file == file && !loop_.isInLoop(c) && leadsToLoad(call);
}

bool ProgramPhases::isBeforeLoad(const StaticWrite &w) const {
  if (!loop_.startUp.contains(w.function))
    return beforeLoad.contains(w.function) && !afterLoad.contains(w.function);
  return llvm::any_of(p_.callsOf(w.function), [&](Id k) {
    return isToLoad(k, w.loc.file) && order_.mayPrecede(w.loc, w.loop, k);
  });
}

bool ProgramPhases::isAfterLoad(const StaticWrite &w) const {
  return (w.loop == None || !loop_.startUp.contains(w.function)) &&
         isAfterLoad(w.function, w.loc, w.loop);
}

bool ProgramPhases::isAfterLoad(Id function, Loc place, Id loop) const {
  if (!loop_.startUp.contains(function))
    return afterLoad.contains(function);
  return !loop_.isInLoop(loop) && llvm::any_of(p_.callsOf(function), [&](Id k) {
    return isToLoad(k, place.file) && order_.mayFollow(place, loop, k);
  });
}

//===-- The main loop -----------------------------------------------------===//

IdSet ProgramPhases::lasting() const {
  IdSet result;
  for (const MainLoop &main : loop_.loops)
    result.insert(p_.facts.loops[main.loop].function);
  const CallGraph::Reached below = graph_.reachFrom(
      loop_.handlerCalls,
      {.follows = [&](Id k) { return !isDeadEnd(k); },
       .enters =
           [&](Id fn) { return !p_.isNoReturn(fn) && !result.contains(fn); }});
  result.insert(below.functions().begin(), below.functions().end());
  return result;
}

void ProgramPhases::findTowardsLoop() {
  if (loop_.loop == None)
    return;
  towardsLoop_ =
      graph_
          .reachedBy({p_.facts.loops[loop_.loop].function},
                     {.pointers = false,
                      .follows = [&](Id k) { return !isDeadEnd(k); }})
          .set();
}

bool ProgramPhases::isAfter(Id call, const std::vector<Id> &others) const {
  auto precedes = [&](Id k) { return order_.mayPrecede(call, k); };
  auto follows = [&](Id k) { return order_.mayPrecede(k, call); };
  return !llvm::is_contained(others, call) && llvm::any_of(others, follows) &&
         llvm::none_of(others, precedes);
}

bool ProgramPhases::isAfter(Loc place, Id loop,
                            const std::vector<Id> &others) const {
  auto precedes = [&](Id k) { return order_.mayPrecede(place, loop, k); };
  auto follows = [&](Id k) { return order_.mayFollow(place, loop, k); };
  return llvm::any_of(others, follows) && llvm::none_of(others, precedes);
}

bool ProgramPhases::isAfterLoop(Id call) const {
  return llvm::any_of(loop_.loops, [&](const MainLoop &l) {
    return p_.facts.loops[l.loop].function == p_.facts.calls[call].function &&
           isAfter(call, loop_.callsIn(l.loop));
  });
}

const std::vector<Id> &ProgramPhases::callsToLoops(Id function) const {
  auto [at, fresh] = callsToLoops_.try_emplace(function);
  std::vector<Id> &result = at->second;
  if (!fresh)
    return result;
  for (const MainLoop &l : loop_.loops) {
    Id in = p_.facts.loops[l.loop].function;
    if (in == function)
      llvm::append_range(result, loop_.callsIn(l.loop));
    else
      llvm::copy_if(
          p_.callsOf(function), std::back_inserter(result), [&](Id k) {
            Id callee = p_.facts.calls[k].callee;
            return callee != None &&
                   (callee == in || loop_.reachableFrom({k}).contains(in));
          });
  }
  return result;
}

bool ProgramPhases::isMadeOnce(Id call) const {
  const Call &c = p_.facts.calls[call];
  return c.function != None && c.loop == None && runsOnce(c.function);
}

bool ProgramPhases::runsOnce(Id function) const {
  for (IdSet seen; seen.insert(function).second;) {
    if (p_.definitionsOf(function).size() != 1 ||
        p_.isAddressTaken(p_.facts.functions[function].node))
      return false;
    const std::vector<Id> &callers = p_.callersOf(function);
    if (llvm::is_contained(loop_.mains, function))
      return loop_.mains.size() == 1 && callers.empty();
    if (callers.size() != 1)
      return false;
    const Call &c = p_.facts.calls[callers.front()];
    if (c.function == None || c.loop != None)
      return false;
    function = c.function;
  }
  return false;
}
