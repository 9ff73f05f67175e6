//===- ProgramPhases.h - What runs before the load, after it, and when ----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_PHASES_PROGRAMPHASES_H
#define NVMOVE_PASSES_SOLVE_PHASES_PROGRAMPHASES_H

#include "passes/solve/phases/EventLoop.h"
#include "passes/solve/program/CallOrder.h"

namespace nvmove {

/// When the parts of the program run, in the order that the blocks of each
/// function on the way from main to the load allow:
///
///   main ─► before the load ─► load ─► after it ─► main loop ─► exit
///                                                   └► handlers
///
/// Where a loop is around two parts, each may come first.
class ProgramPhases {
public:
  ProgramPhases(const Program &program, const FieldFlow &flow,
                const EventLoop &loop, const std::vector<Id> &load);

  /// Of the calls of one function.
  const CallOrder &order() const { return order_; }

  /// Functions that the load runs, and it.
  IdSet loading;
  /// Functions that the handlers of the main loops run.
  IdSet handled;
  /// Functions that direct calls beside the load lead to, from main up to the
  /// main loop: also where the load runs them, too, they run at each start.
  IdSet atStart;
  IdSet alwaysAtStart; ///< no condition is on the way to these
  /// Of `atStart`, what runs before the load, and what after it.
  IdSet beforeLoad, afterLoad;

  bool isBeforeLoad(const StaticWrite &write) const;
  bool isAfterLoad(const StaticWrite &write) const;
  /// The same of any place of a function that is in no main loop.
  bool isAfterLoad(Id function, Loc place, Id loop) const;
  /// What handlers run and come back from, and the functions of main loops: who
  /// is about to end the process changes no state.
  IdSet lasting() const;
  /// A handler runs it, or a main loop by itself.
  bool isHandled(Id function, Id loop) const {
    return handled.contains(function) || loop_.isInLoop(loop);
  }

  /// The call, and those on the way from main to it before the main loop: from
  /// the call upwards.
  std::vector<Id> wayTo(Id call) const;
  /// The calls by which start-up comes to the function on that way.
  const std::vector<Id> &startUpCallersOf(Id function) const;
  /// No path comes back from the call, and it is not on the way to a main loop
  /// that never ends: there the load is, too.
  bool isDeadEnd(Id call) const;
  /// Calls of the function in main loops, and those that lead to some.
  const std::vector<Id> &callsToLoops(Id function) const;
  /// The function goes on to the call from some of the others, and to none of
  /// them from it.
  bool isAfter(Id call, const std::vector<Id> &others) const;
  bool isAfter(Loc place, Id loop, const std::vector<Id> &others) const;
  /// The same, where the others are those to the main loops.
  bool isAfterLoops(Id call) const {
    return isAfter(call, callsToLoops(p_.facts.calls[call].function));
  }
  /// Direct calls lead from the function to the first main loop, or it stands
  /// there.
  bool leadsToLoop(Id function) const {
    return towardsLoop_.contains(function);
  }
  /// The call is made at most once, from main on, whatever the program does.
  bool isMadeOnce(Id call) const;
  /// Likewise, of a function.
  bool runsOnce(Id function) const;

private:
  void findWays();
  void findAtStart();
  void addAtStart(Id call, bool isSure);
  void findAroundLoad();
  /// What of atStart direct calls lead to, through nothing else.
  IdSet atStartBelow(const std::vector<Id> &calls) const;
  void findTowardsLoop();
  bool isInsteadOfLoad(const Call &call) const;
  bool leadsToLoad(Id call) const { return loop_.leadsToLoad(call, load_); }
  bool isToLoad(Id call, Id file) const;
  bool isAfterLoop(Id call) const;

  const Program &p_;
  const FieldFlow &flow_;
  const EventLoop &loop_;
  const CallGraph graph_;
  const std::vector<Id> load_;
  CallOrder order_;
  IdSet towardsLoop_; ///< functions
  IdSet endless_;     ///< functions from which a dead end leads to the load
  mutable IdMap<std::vector<Id>> callsToLoops_; ///< when they were asked for
  IdMap<std::vector<Id>> callers_; ///< calls of start-up, by what they lead to
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_PHASES_PROGRAMPHASES_H
