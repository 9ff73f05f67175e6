//===- EventLoop.cpp - From main to the load and to the loop -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/phases/EventLoop.h"
#include "passes/facts/IdSet.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace nvmove;

EventLoop::EventLoop(const Program &program, const FieldFlow &flow,
                     const std::vector<Id> &load)
    : p_(program), flow_(flow), graph_(program, flow) {
  findLoops(load);
  findStartUp(load);
  findFrames(load);
  findRequestDispatch();
  findReentering(load);
}

// A function that can be handed nothing of what is being loaded serves events
// and does no more. In others only the call of the dispatcher is cut.
void EventLoop::findReentering(const std::vector<Id> &load) {
  const Facts &f = p_.facts;
  for (Id d : serving)
    for (Id c : p_.callersOf(d)) {
      Id caller = f.calls[c].function;
      if (caller == None || caller == f.loops[loop].function ||
          dispatcher.contains(caller) || startUp.contains(caller) ||
          llvm::is_contained(load, caller))
        continue;
      const Function &fn = f.functions[caller];
      auto isPointer = [&](Id node) {
        return p_.isPointer(f.nodes[node].type);
      };
      bool reads = llvm::any_of(p_.callsOf(caller), [&](Id k) {
        return p_.isLibrary(f.calls[k], LibraryFunction::Input);
      });
      if (!reads && llvm::none_of(fn.params, isPointer) &&
          (fn.result == None || !isPointer(fn.result)))
        reentering.insert(caller);
    }
}

bool EventLoop::within(Id loop, Id outer) const {
  while (loop != None && loop != outer)
    loop = p_.facts.loops[loop].parent;
  return loop != None;
}

bool EventLoop::isInLoop(Id loop) const {
  return llvm::any_of(loops,
                      [&](const MainLoop &l) { return within(loop, l.loop); });
}

IdSet EventLoop::reachableFrom(const std::vector<Id> &calls) const {
  llvm::BitVector all(p_.facts.functions.size());
  for (Id c : calls)
    for (Id fn : flow_.callees(c))
      if (p_.facts.functions[fn].hasBody)
        all |= graph_.below(fn);
  IdSet result;
  result.reserve(all.count());
  for (unsigned fn : all.set_bits())
    result.insert(Id(fn));
  return result;
}

/// Direct calls first: a pointer may be one that calls the load later. A call
/// that does not come back is rather an error: what exit() runs may load, too.
/// When none leads there before the loop, the way is the one to the loop.
void EventLoop::findStartUp(const std::vector<Id> &load) {
  std::optional<Way> first; // that comes from some main
  for (Way way : {Way{false, false}, Way{false, true}, Way{true, false},
                  Way{true, true}}) {
    findWay(load, way);
    if (loadsAtStart)
      break;
    if (!first && !mains.empty())
      first = way;
  }
  if (!loadsAtStart && first)
    findWay(load, *first);
  llvm::sort(mains);
  if (!loadsAtStart)
    findOnRequest(load);
}

void EventLoop::findOnRequest(const std::vector<Id> &load) {
  const IdSet served = reachableFrom(handlerCalls);
  auto isServed = [&](Id fn) {
    return llvm::is_contained(load, fn) ||
           (served.contains(fn) && !startUp.contains(fn) &&
            !dispatcher.contains(fn));
  };
  onRequest =
      graph_
          .reachedBy(load, {.pointers = false,
                            .follows = [&](Id call) { return mayReturn(call); },
                            .enters = isServed})
          .set();
  for (Id fn : load)
    onRequest.erase(fn);
}

/// The call comes back, or is made where nothing does.
bool EventLoop::mayReturn(Id call) const {
  const Call &c = p_.facts.calls[call];
  return !p_.isDeadEnd(call) &&
         (c.callee == None || !p_.isNoReturn(c.callee) ||
          (c.function != None && p_.isNoReturn(c.function)));
}

void EventLoop::findWay(const std::vector<Id> &load, Way way) {
  const Facts &f = p_.facts;
  way_ = way;
  startUp.clear();
  mains.clear();
  auto counts = [&](Id call) { return way.deadEnds || mayReturn(call); };
  auto isBefore = [&](Id call) {
    return !isInLoop(f.calls[call]) && counts(call);
  };
  const CallGraph::Reached towards = // functions that call the load
      graph_.reachedBy(load, {.pointers = way.byPointers, .follows = counts});
  // A main loop that also reads what is new is not on the way, where another
  // call loads before it.
  const CallGraph::Reached before =
      graph_.reachedBy(load, {.pointers = way.byPointers, .follows = isBefore});
  for (Id i = 0; i < f.functions.size(); ++i)
    if (p_.isMain(i) && towards.contains(i))
      mains.push_back(i);
  auto walk = [&](const CallGraph::Reached &leading) {
    auto enters = [&](Id fn) {
      const bool loads = llvm::is_contained(load, fn);
      loadsAtStart |= loads;
      return p_.isMain(fn) ||
             (leading.contains(fn) && !loads && !dispatcher.contains(fn));
    };
    startUp = graph_
                  .reach(mains, {.pointers = way.byPointers,
                                 .follows = isBefore,
                                 .enters = enters})
                  .set();
  };
  walk(before);
  if (!loadsAtStart)
    walk(towards);
}

bool EventLoop::leadsToLoad(Id call, const std::vector<Id> &load) const {
  if (p_.facts.calls[call].callee == None && !way_.byPointers)
    return false;
  return llvm::any_of(flow_.callees(call), [&](Id fn) {
    return startUp.contains(fn) || llvm::is_contained(load, fn);
  });
}

void EventLoop::findRequestDispatch() {
  constexpr size_t VeryMany = 40;
  IdSet served = reachableFrom(handlerCalls);
  for (Id i = 0; i < p_.facts.calls.size(); ++i) {
    const Call &c = p_.facts.calls[i];
    if (c.callee == None && c.function != None &&
        flow_.callees(i).size() >= VeryMany && served.contains(c.function))
      requestDispatch_.insert(c.function);
  }
}

bool EventLoop::servesRequests(Id function) const {
  if (requestDispatch_.empty())
    return false;
  if (requestDispatch_.contains(function))
    return true;
  IdSet reached = reachableFrom(p_.callsOf(function));
  return llvm::any_of(reached,
                      [&](Id fn) { return requestDispatch_.contains(fn); });
}

/// It computes: state = load(); for (..) step(state);
bool EventLoop::goesOnToLoop(Id function, const std::vector<Id> &load) const {
  const auto &calls = p_.callsOf(function);
  return llvm::any_of(calls, [&](Id i) {
    const Call &to = p_.facts.calls[i];
    return leadsToLoad(i, load) && llvm::any_of(calls, [&](Id k) {
             const Call &c = p_.facts.calls[k];
             return c.loop != None && c.loop != to.loop && to.loc < c.loc;
           });
  });
}

std::vector<Span> EventLoop::entriesIn(Id function) const {
  const Facts &f = p_.facts;
  std::vector<Span> result;
  auto addLoop = [&](Id loop) {
    llvm::append_range(result, f.loops[p_.outermost(loop)].body);
  };
  for (const MainLoop &loop : loops) {
    if (loop.loop == None)
      continue;
    Id in = f.loops[loop.loop].function;
    if (in == function) {
      addLoop(loop.loop);
      continue;
    }
    for (Id i : p_.callsOf(function)) {
      const Call &c = f.calls[i];
      if (c.callee == None ||
          (c.callee != in && !reachableFrom({i}).contains(in)))
        continue;
      result.push_back(c.span);
      if (c.loop != None)
        addLoop(c.loop);
    }
  }
  llvm::erase_if(result, [](Span s) { return !s.valid(); });
  return result;
}

void EventLoop::findFrames(const std::vector<Id> &load) {
  frames.insert(mains.begin(), mains.end());
  if (loop == None) {
    for (Id fn : startUp)
      if (goesOnToLoop(fn, load))
        frames.insert(fn);
    return;
  }
  const Id around = p_.facts.loops[loop].function;
  for (Id fn : graph_.reachedBy({around}, {.pointers = false}).functions())
    if (startUp.contains(fn))
      frames.insert(fn);
}
