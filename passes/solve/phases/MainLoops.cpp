//===- MainLoops.cpp - The loops that wait for the outside world ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   while (gets(line, file)) load_line(line);    reads what is loaded
//   if (script) while (gets(line, script)) command(line);
//   else while (gets(line, stdin)) command(line);
//
// The last two are main loops: what they do is to stay, whichever is run.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/Streams.h"
#include "passes/solve/phases/EventLoop.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace nvmove;

// Most certain first: a program may sleep or read anywhere, and does so in its
// loop only for want of a better way to wait. What the user types is read to
// wait for it, unless the loop itself sleeps and only asks for a password.
// A look at whether something is there, poll(&fd, 1, 0), is a wait at worst.
void EventLoop::findLoops(const std::vector<Id> &load) {
  loop = mostCertain(load, [](const Candidate &) { return true; });
  if (loop == None)
    return;
  addLoop(loop, load);
  dispatcher = loops.front().dispatcher;
  findServing(waiting_);
  findOthers(load);
  findAlternatives(load);
  findLeft(load);
  IdSet seen;
  for (const MainLoop &l : loops)
    for (Id k : l.handlerCalls)
      if (seen.insert(k).second)
        handlerCalls.push_back(k);
}

Id EventLoop::mostCertain(const std::vector<Id> &load,
                          llvm::function_ref<bool(const Candidate &)> counts) {
  using Kind = LibraryFunction::Kind;
  for (Waiting waiting : {Waiting{Kind::Wait, false, false, false},
                          Waiting{Kind::Wait, true, false, false},
                          Waiting{Kind::Input, false, false, true},
                          Waiting{Kind::Sleep, false, false, false},
                          Waiting{Kind::Sleep, true, false, false},
                          Waiting{Kind::Input, false, false, false},
                          Waiting{Kind::Input, true, false, false},
                          Waiting{Kind::Wait, false, true, false},
                          Waiting{Kind::Wait, true, true, false}}) {
    measureWaits(load, waiting);
    std::vector<Candidate> all = candidates(load);
    dropReading(all, load);
    dropRestarts(all, load);
    dropOwn(all, load);
    dropBeforeLibrarys(all);
    llvm::erase_if(all, [&](const Candidate &c) {
      return !counts(c) || handlerWaits(c.loop);
    });
    Id found = best(std::move(all), load);
    if (found != None && !(waiting.standard && sleepsItself(found)))
      return found;
  }
  return None;
}

void EventLoop::findServing(Waiting waiting) {
  if (waiting.kind != LibraryFunction::Wait && !waiting.standard)
    return;
  auto reads = [&](Id fn) {
    return llvm::any_of(p_.callsOf(fn), [&](Id k) {
      const Call &c = p_.facts.calls[k];
      return p_.isLibrary(c, LibraryFunction::Input) && !isStandardInput(c);
    });
  };
  for (Id fn : dispatcher)
    if (!reads(fn))
      serving.insert(fn);
}

std::vector<Id> EventLoop::callsIn(Id loop) const {
  std::vector<Id> calls;
  for (Id k : p_.callsOf(p_.facts.loops[loop].function))
    if (within(p_.facts.calls[k].loop, loop))
      calls.push_back(k);
  return calls;
}

/// Of those that are written as loops: goto start; may also lead back to before
/// the load.
Id EventLoop::outermost(Id loop) const {
  Id result = loop;
  for (; loop != None; loop = p_.facts.loops[loop].parent) {
    const Loop &l = p_.facts.loops[loop];
    bool isGoto = l.isEntered && !l.isCompound && l.body.empty();
    if (!isGoto)
      result = loop;
  }
  return result;
}

/// And does not read itself.
bool EventLoop::sleepsItself(Id loop) const {
  std::vector<Id> calls = callsIn(loop);
  return llvm::any_of(calls,
                      [&](Id k) {
                        return p_.isLibrary(p_.facts.calls[k],
                                            LibraryFunction::Sleep);
                      }) &&
         llvm::none_of(calls, [&](Id k) { return isWait(p_.facts.calls[k]); });
}

bool EventLoop::leadsTo(Id call,
                        llvm::function_ref<bool(const Call &)> is) const {
  auto isOne = [&](Id k) { return is(p_.facts.calls[k]); };
  return isOne(call) || llvm::any_of(reachableFrom({call}), [&](Id fn) {
           return llvm::any_of(p_.callsOf(fn), isOne);
         });
}

/// while (fgets(line, n, stdin)) handle(line); what waits there is a handler's.
/// Not while (ready(0) && fgets(line, n, stdin)).
bool EventLoop::handlerWaits(Id loop) const {
  if (waiting_.kind != LibraryFunction::Wait)
    return false;
  const Facts &f = p_.facts;
  auto waits = [&](const Call &c) { return isWait(c); };
  const std::vector<Id> calls = callsIn(loop);
  const auto read = llvm::find_if(calls, [&](Id k) {
    return p_.isLibrary(f.calls[k], LibraryFunction::Input) &&
           isStandardInput(f.calls[k]);
  });
  return read != calls.end() && llvm::none_of(calls, [&](Id k) {
           return isWait(f.calls[k]) ||
                  (f.calls[k].loc < f.calls[*read].loc && leadsTo(k, waits));
         });
}

/// For each function that direct calls lead to `function` from, these. Others
/// than those that come back may be an error's, which calls anything.
IdMap<std::vector<Id>> EventLoop::callsTowards(Id function,
                                               bool deadEnds) const {
  IdMap<std::vector<Id>> result;
  graph_.reachedBy({function},
                   {.pointers = false, .follows = [&](Id k) {
                      const Call &c = p_.facts.calls[k];
                      if (c.function == None || (c.deadEnd && !deadEnds))
                        return false;
                      result[c.function].push_back(k);
                      return true;
                    }});
  return result;
}

EventLoop::Positions EventLoop::positions(Id function, Loc at,
                                          bool deadEnds) const {
  Positions result;
  result[function].push_back(at);
  for (const auto &[caller, calls] : callsTowards(function, deadEnds))
    for (Id k : calls)
      result[caller].push_back(p_.facts.calls[k].loc);
  return result;
}

EventLoop::Positions EventLoop::positionsOf(const std::vector<Id> &load) const {
  Positions result;
  for (Id fn : load)
    for (Id k : p_.callersOf(fn))
      if (const Call &c = p_.facts.calls[k]; c.function != None && !c.deadEnd)
        for (auto &[caller, locs] : positions(c.function, c.loc))
          llvm::append_range(result[caller], locs);
  return result;
}

/// In some function that leads to both it comes behind.
bool EventLoop::isBehind(const Positions &place, const Positions &other) {
  return llvm::any_of(place, [&](const auto &at) {
    auto before = other.find(at.first);
    return before != other.end() && llvm::any_of(at.second, [&](Loc here) {
             return llvm::any_of(before->second, [&](Loc there) {
               return there.file == here.file && there < here;
             });
           });
  });
}

bool EventLoop::loadsIn(const Candidate &c, const std::vector<Id> &load) const {
  IdSet reached = reachableFrom(c.calls);
  return llvm::any_of(load, [&](Id fn) { return reached.contains(fn); });
}

/// A loop that calls the load for each line or part of the file: another one
/// comes behind it, in which the program does more beside loading.
void EventLoop::dropReading(std::vector<Candidate> &candidates,
                            const std::vector<Id> &load) const {
  auto loads = [&](const Candidate &c) { return loadsIn(c, load); };
  if (candidates.size() < 2 || llvm::none_of(candidates, loads))
    return;
  // Where each stands, and how much it runs beside loading.
  struct Seen {
    Id loop;
    Positions at;
    size_t beside;
  };
  std::vector<Seen> all;
  IdSet reading;
  const IdSet loading = loadingFunctions(load);
  for (const Candidate &c : candidates) {
    const Loop &l = p_.facts.loops[c.loop];
    all.push_back(
        {c.loop, positions(l.function, l.loc), countBeside(c.calls, loading)});
  }
  const Positions calls = positionsOf(load);
  for (size_t i = 0; i < all.size(); ++i) {
    const Seen &c = all[i];
    if (!loads(candidates[i]) || isBehind(c.at, calls))
      continue;
    auto comesBehind = [&](const Seen &other) {
      return other.loop != c.loop && other.beside >= c.beside && other.beside &&
             isBehind(other.at, c.at) && !isBehind(c.at, other.at);
    };
    if (llvm::any_of(all, comesBehind))
      reading.insert(c.loop);
  }
  llvm::erase_if(candidates,
                 [&](const Candidate &c) { return reading.contains(c.loop); });
}

/// while (!quit) { load(); serve(); }: another loop, in what this one runs
/// after the load, makes at least half of what it does beside loading.
void EventLoop::dropRestarts(std::vector<Candidate> &candidates,
                             const std::vector<Id> &load) const {
  const Facts &f = p_.facts;
  if (candidates.size() < 2)
    return;
  const Positions loading = positionsOf(load);
  IdSet restarts;
  for (const Candidate &c : candidates) {
    const Id function = f.loops[c.loop].function;
    auto at = loading.find(function);
    if (at == loading.end())
      continue;
    // Of calls in the loop, the first that leads to one of the places.
    auto first = [&](const std::vector<Loc> &places) {
      Loc result;
      for (Id k : c.calls)
        if (Loc loc = f.calls[k].loc; llvm::is_contained(places, loc) &&
                                      (result.file == None || loc < result))
          result = loc;
      return result;
    };
    const Loc loads = first(at->second);
    if (loads.file == None)
      continue;
    const IdSet own = loadingFunctions(load);
    const size_t beside = countBeside(c.calls, own);
    for (const Candidate &other : candidates) {
      const Loop &l = f.loops[other.loop];
      if (l.function == function || 2 * countBeside(other.calls, own) < beside)
        continue;
      const Positions to = positions(l.function, l.loc);
      auto entered = to.find(function);
      if (entered == to.end())
        continue;
      const Loc enters = first(entered->second);
      if (loads.file == enters.file && loads < enters)
        restarts.insert(c.loop);
    }
  }
  llvm::erase_if(candidates,
                 [&](const Candidate &c) { return restarts.contains(c.loop); });
}

/// Functions that the calls lead to, without those of the load.
size_t EventLoop::countBeside(const std::vector<Id> &calls,
                              const IdSet &loading) const {
  return llvm::count_if(reachableFrom(calls),
                        [&](Id fn) { return !loading.contains(fn); });
}

IdSet EventLoop::loadingFunctions(const std::vector<Id> &load) const {
  IdSet result(load.begin(), load.end());
  for (Id fn : load)
    for (Id below : reachableFrom(p_.callsOf(fn)))
      result.insert(below);
  return result;
}

/// The load's own reading, in a program that has no loop to wait in, or waits
/// in a library. What serves events while it loads, or asks what to do, does
/// not read a file, and may be the main loop entered again.
void EventLoop::dropOwn(std::vector<Candidate> &candidates,
                        const std::vector<Id> &load) const {
  using Kind = LibraryFunction::Kind;
  if (waiting_.kind == Kind::Wait || waiting_.standard)
    return;
  const CallGraph::Reached own =
      graph_.reach(load, {.pointers = false, .follows = [&](Id k) {
                            return !p_.facts.calls[k].deadEnd;
                          }});
  llvm::erase_if(candidates, [&](const Candidate &c) {
    return own.contains(p_.facts.loops[c.loop].function);
  });
}

/// A loop that is left before a library's main loop is entered: it waited for
/// what the program needs to start.
void EventLoop::dropBeforeLibrarys(std::vector<Candidate> &candidates) const {
  const Facts &f = p_.facts;
  for (const Call &call : f.calls) {
    if (candidates.empty())
      return;
    if (call.callee == None || call.loop != None || call.function == None ||
        call.deadEnd || f.functions[call.callee].hasBody ||
        !hasTrait(f.functions[call.callee].name, LibraryFunction::MainLoop))
      continue;
    const Positions at = positions(call.function, call.loc);
    llvm::erase_if(candidates, [&](const Candidate &c) {
      const Loop &l = f.loops[c.loop];
      const Positions before = positions(l.function, l.loc);
      return isBehind(at, before) && !isBehind(before, at) &&
             !reachableFrom(c.calls).contains(call.function);
    });
  }
}

bool EventLoop::takesInputs(const MainLoop &loop) const {
  auto is = [&](const Call &c, LibraryFunction::Kind kind) {
    return p_.isLibrary(c, kind);
  };
  return !loop.waits.empty() && llvm::all_of(loop.waits, [&](Id k) {
    return leadsTo(
               k,
               [&](const Call &c) { return is(c, LibraryFunction::Input); }) &&
           !leadsTo(k, [&](const Call &c) {
             return is(c, LibraryFunction::Wait) ||
                    is(c, LibraryFunction::Sleep);
           });
  });
}

bool EventLoop::isWait(const Call &call) const {
  return p_.isLibrary(call, waiting_.kind) &&
         (!waiting_.standard || isStandardInput(call)) &&
         (waiting_.looks || waiting_.kind != LibraryFunction::Wait ||
          !onlyLooks(call));
}

/// It is given no time to wait.
bool EventLoop::onlyLooks(const Call &call) const {
  int timeout = libraryFact(p_.facts.functions[call.callee].name,
                            &LibraryFunction::timeout);
  if (timeout < 0)
    return false;
  return llvm::is_contained(call.argsOfZeros, uint32_t(timeout)) ||
         call.constantAt(uint32_t(timeout)) == 0;
}

/// read(0, ..), fgets(line, n, stdin), getchar().
bool EventLoop::isStandardInput(const Call &call) const {
  const Facts &f = p_.facts;
  if (call.constantAt(0) == 0)
    return libraryFact(f.functions[call.callee].name,
                       &LibraryFunction::readsDescriptor) == 0;
  int stream = streamArgument(f.functions[call.callee].name, true);
  if (stream < 0 || size_t(stream) >= call.args.size())
    return stream == StandardStream;
  Id from = call.args[stream];
  while (from != None && f.nodes[from].kind != NodeKind::Global)
    from = p_.copied(from);
  return from != None && f.nodes[from].name == "stdin";
}

// The load's own reading is no wait: nothing is measured through it.
void EventLoop::measureWaits(const std::vector<Id> &load, Waiting waiting) {
  const Facts &f = p_.facts;
  waiting_ = waiting;
  auto counts = [&](const Call &c) {
    return c.function != None && !llvm::is_contained(load, c.function);
  };
  std::vector<Id> waits;
  for (const Call &c : f.calls)
    if (counts(c) && isWait(c))
      waits.push_back(c.function);
  const CallGraph::Reached reached = graph_.reachedBy(
      waits, {.pointers = waiting.indirect, .follows = [&](Id i) {
                return counts(f.calls[i]) && !f.calls[i].deadEnd;
              }});
  waitDistance_.assign(f.functions.size(), ~0u);
  for (Id fn : reached.functions())
    waitDistance_[fn] = reached.distance(fn);
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
unsigned EventLoop::nearestWait(const IdSet &avoided,
                                const std::vector<Id> &calls,
                                const std::vector<Id> &load) const {
  auto wait = [&](const std::vector<Id> &some) {
    return llvm::any_of(some, [&](Id i) { return isWait(p_.facts.calls[i]); });
  };
  if (wait(calls))
    return 0;
  const CallGraph::Reached reached = graph_.reachFrom(
      calls, {.enters =
                  [&](Id fn) {
                    return !avoided.contains(fn) &&
                           !llvm::is_contained(load, fn);
                  },
              .until = [&](Id fn) { return wait(p_.callsOf(fn)); }});
  return reached.last() == None ? ~0u : reached.distance(reached.last()) + 1;
}

std::vector<EventLoop::Candidate>
EventLoop::candidates(const std::vector<Id> &load) const {
  const Facts &f = p_.facts;
  // Breadth first from every main by direct calls, and by functions that these
  // hand to others of the program, so that a nested loop that serves events
  // during the load loses to the outer one.
  std::vector<unsigned> distance(f.functions.size(), ~0u);
  std::deque<Id> work;
  for (Id i = 0; i < f.functions.size(); ++i)
    if (p_.isMain(i)) {
      distance[i] = 0;
      work.push_back(i);
    }
  std::vector<Candidate> candidates;
  // Of those in one function the last first.
  auto offer = [&](std::vector<Candidate> &some) {
    std::move(some.rbegin(), some.rend(), std::back_inserter(candidates));
  };
  for (; !work.empty(); work.pop_front()) {
    Id fn = work.front();
    IdSet considered;
    std::vector<Candidate> some;
    for (Id i : p_.callsOf(fn)) {
      const Call &c = f.calls[i];
      bool blocks = isWait(c) || llvm::any_of(flow_.callees(i), [&](Id callee) {
                      return waitDistance_[callee] != ~0u &&
                             !llvm::is_contained(load, callee);
                    });
      if (blocks && c.loop != None && !c.deadEnd) {
        Id outer = outermost(c.loop);
        if (considered.insert(outer).second) {
          std::vector<Id> calls = callsIn(outer);
          size_t reach = reachableFrom(calls).size();
          some.push_back({outer, reach, distance[fn], std::move(calls)});
        }
      }
      if (c.callee == None || !f.functions[c.callee].hasBody)
        continue;
      // protect(state, run): what it is handed is what it calls.
      llvm::SmallVector<Id, 2> next{c.callee};
      for (Id a : c.args)
        if (Id handed = a == None ? None : p_.functionOf(p_.variableAt(a));
            handed != None)
          next.push_back(handed);
      for (Id callee : next)
        if (f.functions[callee].hasBody && !llvm::is_contained(load, callee) &&
            distance[callee] == ~0u) {
          distance[callee] = distance[fn] + 1;
          work.push_back(callee);
        }
    }
    offer(some);
  }
  return candidates;
}

/// With the shortest chain to the wait, as far as no other loop runs it as a
/// whole. One that runs in the place of others does so, then, too.
void EventLoop::addLoop(Id loop, const std::vector<Id> &load) {
  const Facts &f = p_.facts;
  MainLoop found;
  found.loop = loop;
  IdSet handlers;
  const bool isAlternative = isAlternativeToAll(loop);
  for (const MainLoop &l : loops)
    for (Id fn : reachableFrom(l.handlerCalls))
      handlers.insert(fn);
  std::vector<Id> calls = callsIn(loop);
  for (;;) {
    Id next = None;
    bool waitsHere = false;
    for (Id k : calls) {
      const Call &c = f.calls[k];
      waitsHere |= isWait(c);
      // The load may be called from the loop; its reads are not the wait.
      if (c.callee != None && waitDistance_[c.callee] != ~0u &&
          !found.dispatcher.contains(c.callee) && !c.deadEnd &&
          !llvm::is_contained(load, c.callee) &&
          (next == None || waitDistance_[c.callee] < waitDistance_[next]))
        next = c.callee;
    }
    for (Id k : calls) {
      bool leads = f.calls[k].callee != None && f.calls[k].callee == next;
      if (waitsHere || !leads || (isAlternative && handlers.contains(next)))
        found.handlerCalls.push_back(k);
      if (found.dispatcher.empty() && (waitsHere ? isWait(f.calls[k]) : leads))
        found.waits.push_back(k);
    }
    if (waitsHere || next == None || handlers.contains(next))
      break;
    found.dispatcher.insert(next);
    calls = p_.callsOf(next);
  }
  if (loops.empty() || !found.handlerCalls.empty())
    loops.push_back(std::move(found));
}
