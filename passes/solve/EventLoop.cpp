//===- EventLoop.cpp - From main to the load and to the loop -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/EventLoop.h"
#include "passes/facts/IdSet.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <optional>

using namespace nvmove;

EventLoop::EventLoop(const Program &program, const FieldFlow &flow,
                     const std::vector<Id> &load)
    : p_(program), flow_(flow) {
  // Most certain first: a program may sleep or read anywhere, and does so in
  // its loop only for want of a better way to wait.
  // A look at whether something is there, poll(&fd, 1, 0), is a wait at worst.
  using Kind = LibraryFunction::Kind;
  for (auto [kind, looks] : {std::pair{Kind::Wait, false},
                             {Kind::Sleep, false},
                             {Kind::Input, false},
                             {Kind::Wait, true}})
    for (bool indirect : {false, true}) {
      if (loop != None)
        break;
      measureWaits(load, {kind, indirect, looks});
      findLoop(load);
    }
  findStartUp(load);
  findFrames(load);
  findRequestDispatch();
  findReentering(load);
}

// A function that can be handed nothing of what is being loaded serves events
// and does no more. In others only the call of the dispatcher is cut.
void EventLoop::findReentering(const std::vector<Id> &load) {
  const Facts &f = p_.facts;
  for (Id d : dispatcher)
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

bool EventLoop::isWait(const Call &call) const {
  return p_.isLibrary(call, waiting_.kind) &&
         (waiting_.looks || waiting_.kind != LibraryFunction::Wait ||
          !onlyLooks(call));
}

/// It is given no time to wait.
bool EventLoop::onlyLooks(const Call &call) const {
  int timeout = timeoutOf(p_.facts.functions[call.callee].name);
  if (timeout < 0)
    return false;
  return llvm::is_contained(call.argsOfZeros, uint32_t(timeout)) ||
         llvm::any_of(call.argValues, [&](const ArgValue &a) {
           return a.arg == uint32_t(timeout) && a.param == None && a.value == 0;
         });
}

std::vector<std::vector<Id>>
EventLoop::callers(bool indirect, llvm::function_ref<bool(Id)> counts) const {
  const Facts &f = p_.facts;
  std::vector<std::vector<Id>> result(f.functions.size());
  for (Id i = 0; i < f.calls.size(); ++i) {
    const Call &c = f.calls[i];
    if (c.function == None || !counts(i))
      continue;
    if (c.callee != None)
      result[c.callee].push_back(c.function);
    else if (indirect)
      for (Id callee : flow_.callees(i))
        result[callee].push_back(c.function);
  }
  return result;
}

// The load's own reading is no wait: nothing is measured through it.
void EventLoop::measureWaits(const std::vector<Id> &load, Waiting waiting) {
  const Facts &f = p_.facts;
  std::vector<std::vector<Id>> callers =
      this->callers(waiting.indirect, [&](Id i) {
        const Call &c = f.calls[i];
        return !c.deadEnd && !llvm::is_contained(load, c.function);
      });
  waiting_ = waiting;
  waitDistance_.assign(f.functions.size(), ~0u);
  std::deque<Id> work;
  for (const Call &c : f.calls)
    if (c.function != None && isWait(c) && waitDistance_[c.function] != 0 &&
        !llvm::is_contained(load, c.function)) {
      waitDistance_[c.function] = 0;
      work.push_back(c.function);
    }
  for (; !work.empty(); work.pop_front())
    for (Id caller : callers[work.front()])
      if (waitDistance_[caller] == ~0u) {
        waitDistance_[caller] = waitDistance_[work.front()] + 1;
        work.push_back(caller);
      }
}

bool EventLoop::within(Id loop, Id outer) const {
  while (loop != None && loop != outer)
    loop = p_.facts.loops[loop].parent;
  return loop != None;
}

IdSet EventLoop::reachableFrom(const std::vector<Id> &calls) const {
  IdSet seen;
  std::vector<Id> work;
  auto enter = [&](Id call) {
    for (Id fn : flow_.callees(call))
      if (p_.facts.functions[fn].hasBody && seen.insert(fn).second)
        work.push_back(fn);
  };
  for (Id c : calls)
    enter(c);
  while (!work.empty()) {
    Id fn = work.back();
    work.pop_back();
    for (Id c : p_.callsOf(fn))
      enter(c);
  }
  return seen;
}

/// The one that most of the program is reached from, else the one next to main.
/// A loop that fills tables at start-up may reach as much, by an error that
/// calls the main loop again: it waits nowhere else.
Id EventLoop::best(std::vector<Candidate> candidates,
                   const std::vector<Id> &load) const {
  llvm::stable_sort(candidates, [](const Candidate &a, const Candidate &b) {
    return a.reach != b.reach ? a.reach > b.reach : a.distance < b.distance;
  });
  auto functionOf = [&](const Candidate &c) {
    return p_.facts.loops[c.loop].function;
  };
  // `other` waits by itself, and nearer than `c`, which does so in `other`
  // only.
  auto waitsIn = [&](const Candidate &c, const Candidate &other) {
    IdSet one{functionOf(other)}, both{functionOf(c), functionOf(other)};
    return nearestWait(one, c.calls, load) == ~0u &&
           nearestWait(both, other.calls, load) <
               nearestWait({}, c.calls, load);
  };
  // A loop of work beside it, for (..) solve(), which looks for input far
  // below.
  auto isBeside = [&](const Candidate &c, const Candidate &other) {
    return nearestWait({}, other.calls, load) <
               nearestWait({}, c.calls, load) &&
           !reachableFrom(c.calls).contains(functionOf(other));
  };
  for (const Candidate &c : candidates)
    if (c.reach == candidates.front().reach &&
        llvm::none_of(candidates, [&](const Candidate &other) {
          return other.reach == c.reach && functionOf(other) != functionOf(c) &&
                 (waitsIn(c, other) || isBeside(c, other));
        }))
      return c.loop;
  return candidates.empty() ? None : candidates.front().loop;
}

/// How many calls lie between, by none of the functions `avoided`; ~0u: never.
unsigned EventLoop::nearestWait(IdSet avoided, std::vector<Id> calls,
                                const std::vector<Id> &load) const {
  avoided.insert(load.begin(), load.end());
  for (unsigned distance = 0; !calls.empty(); ++distance) {
    std::vector<Id> next;
    for (Id i : calls) {
      if (isWait(p_.facts.calls[i]))
        return distance;
      for (Id callee : flow_.callees(i))
        if (avoided.insert(callee).second)
          llvm::append_range(next, p_.callsOf(callee));
    }
    calls = std::move(next);
  }
  return ~0u;
}

void EventLoop::findLoop(const std::vector<Id> &load) {
  const Facts &f = p_.facts;
  // Breadth first from every main by direct calls, so that a nested loop that
  // serves events during the load loses to the outer one.
  std::vector<unsigned> distance(f.functions.size(), ~0u);
  std::deque<Id> work;
  for (Id i = 0; i < f.functions.size(); ++i)
    if (f.functions[i].name == "main" && f.functions[i].hasBody) {
      distance[i] = 0;
      work.push_back(i);
    }
  std::vector<Candidate> candidates;
  for (; !work.empty(); work.pop_front()) {
    Id fn = work.front();
    IdSet considered;
    for (Id i : p_.callsOf(fn)) {
      const Call &c = f.calls[i];
      bool blocks = isWait(c) || llvm::any_of(flow_.callees(i), [&](Id callee) {
                      return waitDistance_[callee] != ~0u &&
                             !llvm::is_contained(load, callee);
                    });
      if (blocks && c.loop != None && !c.deadEnd) {
        Id outer = p_.outermost(c.loop);
        if (considered.insert(outer).second) {
          std::vector<Id> calls;
          for (Id k : p_.callsOf(fn))
            if (within(f.calls[k].loop, outer))
              calls.push_back(k);
          size_t reach = reachableFrom(calls).size();
          candidates.push_back({outer, reach, distance[fn], std::move(calls)});
        }
      }
      if (c.callee != None && f.functions[c.callee].hasBody &&
          !llvm::is_contained(load, c.callee) && distance[c.callee] == ~0u) {
        distance[c.callee] = distance[fn] + 1;
        work.push_back(c.callee);
      }
    }
  }
  loop = best(std::move(candidates), load);
  if (loop == None)
    return;
  // Down the shortest chain to the wait.
  std::vector<Id> calls;
  for (Id k : p_.callsOf(f.loops[loop].function))
    if (within(f.calls[k].loop, loop))
      calls.push_back(k);
  for (;;) {
    Id next = None;
    bool waitsHere = false;
    for (Id k : calls) {
      const Call &c = f.calls[k];
      waitsHere |= isWait(c);
      // The load may be called from the loop; its reads are not the wait.
      if (c.callee != None && waitDistance_[c.callee] != ~0u &&
          !dispatcher.contains(c.callee) && !c.deadEnd &&
          !llvm::is_contained(load, c.callee) &&
          (next == None || waitDistance_[c.callee] < waitDistance_[next]))
        next = c.callee;
    }
    for (Id k : calls) {
      bool leads = f.calls[k].callee != None && f.calls[k].callee == next;
      if (waitsHere || !leads)
        handlerCalls.push_back(k);
      if (dispatcher.empty() && (waitsHere ? isWait(f.calls[k]) : leads))
        waits.push_back(k);
    }
    if (waitsHere || next == None)
      break;
    dispatcher.insert(next);
    calls = p_.callsOf(next);
  }
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
  auto counts = [&](Id call) {
    return (f.calls[call].callee != None || way.byPointers) &&
           (way.deadEnds || mayReturn(call));
  };
  std::vector<std::vector<Id>> callers = this->callers(way.byPointers, counts);
  IdSet towards(load.begin(),
                load.end()); // functions that call the load directly or not
  for (std::vector<Id> work(load); !work.empty();) {
    Id fn = work.back();
    work.pop_back();
    for (Id caller : callers[fn])
      if (towards.insert(caller).second)
        work.push_back(caller);
  }
  std::vector<Id> work;
  IdSet seen;
  for (Id i = 0; i < f.functions.size(); ++i)
    if (f.functions[i].name == "main" && f.functions[i].hasBody &&
        towards.contains(i)) {
      seen.insert(i);
      work.push_back(i);
    }
  while (!work.empty()) {
    Id fn = work.back();
    work.pop_back();
    startUp.insert(fn);
    loadsAtStart |= llvm::is_contained(load, fn);
    if (f.functions[fn].name == "main")
      mains.push_back(fn);
    for (Id i : p_.callsOf(fn)) {
      const Call &c = f.calls[i];
      bool inLoop = loop != None && c.function == f.loops[loop].function &&
                    within(c.loop, loop);
      if (inLoop || !counts(i))
        continue;
      for (Id callee : flow_.callees(i)) {
        bool loads = llvm::is_contained(load, callee);
        loadsAtStart |= loads;
        if (towards.contains(callee) && !loads &&
            !dispatcher.contains(callee) && seen.insert(callee).second)
          work.push_back(callee);
      }
    }
  }
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

void EventLoop::findFrames(const std::vector<Id> &load) {
  frames.insert(mains.begin(), mains.end());
  if (loop == None) {
    for (Id fn : startUp)
      if (goesOnToLoop(fn, load))
        frames.insert(fn);
    return;
  }
  std::vector<Id> work{p_.facts.loops[loop].function};
  for (IdSet seen{work[0]}; !work.empty();) {
    Id fn = work.back();
    work.pop_back();
    if (startUp.contains(fn))
      frames.insert(fn);
    for (Id c : p_.callersOf(fn))
      if (Id caller = p_.facts.calls[c].function;
          caller != None && seen.insert(caller).second)
        work.push_back(caller);
  }
}
