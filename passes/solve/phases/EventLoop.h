//===- EventLoop.h - From main to the load and to the loop -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PHASES_EVENTLOOP_H
#define NVMOVE_PASSES_SOLVE_PHASES_EVENTLOOP_H

#include "passes/facts/IdSet.h"
#include "passes/solve/flow/CallGraph.h"

namespace nvmove {

/// The shape of the program around its saved state, read off the call graph:
///
///   main ─► start-up ─► load function
///        └► loop { dispatcher ─► wait
///                             └► handlers }
///
/// The dispatcher is the chain of functions between the loop and the call that
/// waits for the outside world (epoll_wait, poll, ..). A load phase that enters
/// it again (to stay responsive while loading) is cut there.
///
/// A program may have several such loops, one for each kind of session or one
/// behind the other: the first one of `loops` is the one that most of the
/// program is reached from.
struct MainLoop {
  Id loop = None; ///< index into Facts::loops
  IdSet dispatcher;
  /// Calls in the loop itself that wait, or lead to the wait.
  std::vector<Id> waits;
  std::vector<Id> handlerCalls; ///< by the loop and the dispatcher, waits
                                ///< excluded
};

class EventLoop {
public:
  EventLoop(const Program &program, const FieldFlow &flow,
            const std::vector<Id> &load);

  /// The first is the one that most of the program is reached from.
  std::vector<MainLoop> loops;
  /// Loops after the load that wait in another way, and that none of these
  /// runs.
  std::vector<Id> left;
  Id loop = None;   ///< the first; None: the program has no such loop
  IdSet dispatcher; ///< functions below the first that reach the wait
  /// Those of them that the load enters only to serve events. Not what reads:
  /// both may read a line by one function, the one from a file, the other from
  /// the user.
  IdSet serving;
  /// Other functions that call the dispatcher, to serve events in the middle of
  /// something long: what they run is normal operation, not loading.
  IdSet reentering;
  IdSet startUp; ///< functions on a path of calls from main to the load: of
                 ///< direct ones, or if there is none of any
  std::vector<Id> mains; ///< those mains that reach the load
  /// Some call before the loop leads to the load; else events make it load.
  bool loadsAtStart = false;
  /// Then: functions that handlers run and that lead to the load by direct
  /// calls. They may keep what it gives back.
  IdSet onRequest;
  /// Functions whose locals live as long as the program runs: mains, and those
  /// on the way to the load from which the loop is entered or, in a program
  /// without one, which go on to some loop.
  IdSet frames;
  std::vector<Id> handlerCalls; ///< of all loops

  /// No direct calls lead from main to the load.
  bool isByPointers() const { return way_.byPointers; }
  /// Of a call in start-up: it may lead to the load.
  bool leadsToLoad(Id call, const std::vector<Id> &load) const;

  /// It stands in one of the loops.
  bool isInLoop(Id loop) const;
  bool isInLoop(const Call &call) const { return isInLoop(call.loop); }

  /// From `function` the place is reached where the program carries out
  /// requests of any kind: a call that may lead to very many functions, and
  /// that the loop's handlers reach too.
  bool servesRequests(Id function) const;
  /// Functions that a call may lead to, at any depth.
  IdSet reachableFrom(const std::vector<Id> &calls) const;
  /// A main loop that takes one input a round, and no event: while (fgets(line,
  /// n, stdin)) ..; what a handler waits for is no matter.
  bool takesInputs(const MainLoop &loop) const;
  bool within(Id loop, Id outer) const;
  /// Those that stand in it, or in loops within.
  std::vector<Id> callsIn(Id loop) const;
  /// Where in `function` the main loops stand, or what leads to them: calls,
  /// and loops around those.
  std::vector<Span> entriesIn(Id function) const;

private:
  bool isWait(const Call &call) const;
  bool onlyLooks(const Call &call) const;
  bool isStandardInput(const Call &call) const;
  /// What counts as waiting for the outside world.
  struct Waiting {
    LibraryFunction::Kind kind;
    bool indirect; ///< through function pointers too
    bool looks;    ///< calls that are given no time count too
    bool standard; ///< input: of what the user types, alone
  };
  void measureWaits(const std::vector<Id> &load, Waiting waiting);
  void findStartUp(const std::vector<Id> &load);
  /// Which calls are a way to the load.
  struct Way {
    bool byPointers = false; ///< those through function pointers too
    bool deadEnds = false;   ///< those that do not come back too
  };
  void findWay(const std::vector<Id> &load, Way way);
  void findOnRequest(const std::vector<Id> &load);
  bool mayReturn(Id call) const;
  bool goesOnToLoop(Id function, const std::vector<Id> &load) const;
  void findFrames(const std::vector<Id> &load);
  void findRequestDispatch();
  void findReentering(const std::vector<Id> &load);

  // MainLoops.cpp, SecondaryLoops.cpp
  struct Candidate {
    Id loop;
    size_t reach;      ///< functions
    unsigned distance; ///< from main, in calls
    std::vector<Id> calls;
  };
  void findLoops(const std::vector<Id> &load);
  void findServing(Waiting waiting);
  Id mostCertain(const std::vector<Id> &load,
                 llvm::function_ref<bool(const Candidate &)> counts);
  void findOthers(const std::vector<Id> &load);
  void findAlternatives(const std::vector<Id> &load);
  void findLeft(const std::vector<Id> &load);
  bool isAlternativeToAll(Id loop) const;
  bool areAlternatives(Id loop, Id other) const;
  bool endsBefore(Id call, Id other) const;
  bool isLast(Id loop) const;
  IdMap<std::vector<Id>> waysTo(Id loop, bool deadEnds) const;
  std::vector<Candidate> candidates(const std::vector<Id> &load) const;
  Id best(std::vector<Candidate> candidates, const std::vector<Id> &load) const;
  void dropReading(std::vector<Candidate> &candidates,
                   const std::vector<Id> &load) const;
  void dropRestarts(std::vector<Candidate> &candidates,
                    const std::vector<Id> &load) const;
  size_t countBeside(const std::vector<Id> &calls, const IdSet &loading) const;
  IdSet loadingFunctions(const std::vector<Id> &load) const;
  void dropOwn(std::vector<Candidate> &candidates,
               const std::vector<Id> &load) const;
  void dropBeforeLibrarys(std::vector<Candidate> &candidates) const;
  unsigned nearestWait(const IdSet &avoided, const std::vector<Id> &calls,
                       const std::vector<Id> &load) const;
  void addLoop(Id loop, const std::vector<Id> &load);
  IdMap<std::vector<Id>> callsTowards(Id function, bool deadEnds = false) const;
  Id outermost(Id loop) const;
  bool sleepsItself(Id loop) const;
  /// It is such a call, or may lead to one.
  bool leadsTo(Id call, llvm::function_ref<bool(const Call &)> is) const;
  bool handlerWaits(Id loop) const;
  /// Where, in each function that direct calls lead to a place from, these
  /// stand, or the place itself; `deadEnds`: those that never come back too.
  using Positions = IdMap<std::vector<Loc>>;
  Positions positions(Id function, Loc at, bool deadEnds = false) const;
  Positions positionsOf(const std::vector<Id> &load) const;
  bool isApart(const Candidate &candidate) const;
  bool isAfterLoad(Id loop, const Positions &loading, bool deadEnds) const;
  bool isOther(const Candidate &candidate, const std::vector<Id> &load,
               const Positions &loading) const;
  static bool isBehind(const Positions &place, const Positions &other);
  bool loadsIn(const Candidate &candidate, const std::vector<Id> &load) const;

  const Program &p_;
  const FieldFlow &flow_;
  const CallGraph graph_;
  Waiting waiting_{};
  IdSet requestDispatch_; ///< functions
  Way way_;
  std::vector<unsigned> waitDistance_; ///< per function, in calls; ~0u: never
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PHASES_EVENTLOOP_H
