//===- DetachOrder.h - What may still run after nvm_detach() ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvm_detach();
//   run(argv[1]);      loads, and serves requests until it is told to end
//
// Nothing is committed after nvm_detach(), so no load, no section and no wait
// for input may follow it on any path that control can take: to the end of the
// function, and on from there in each of its callers, up to the end of main.
// A call that comes after it on each way, and does not wait for input in a
// loop, is no section.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STARTUP_DETACHORDER_H
#define NVMOVE_PASSES_SOLVE_STARTUP_DETACHORDER_H

#include "passes/facts/IdSet.h"
#include "passes/solve/Solution.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/program/CallOrder.h"
#include "passes/solve/startup/InputLoops.h"
#include "passes/solve/state/Context.h"

namespace nvmove {

class DetachOrder {
public:
  DetachOrder(const SolveContext &context,
              const std::vector<LoadGuard> &guards);

  /// Those that are to be written. Before followed() is asked.
  void setSections(const std::vector<Section> &sections);

  /// A call that loads, waits or begins a section, or directly leads to one,
  /// and that may run when control has come to `call`; None. `isBefore`: that
  /// call itself counts, as nvm_detach() is put before its statement.
  Id followed(Id call, bool isBefore) const {
    return followed(call, isBefore, begins_, leading_);
  }
  /// The same without sections: the program goes on there, and does not end.
  Id goesOn(Id call, bool isBefore) const {
    return followed(call, isBefore, work_, working_);
  }

  const InputLoops &loops() const { return loops_; }

private:
  /// The calls of its function that may run when control has come to `call`.
  std::vector<Id> restOf(Id call, bool isBefore) const;
  std::vector<Id> restInDeadEnd(Id call, bool isBefore) const;
  /// The functions that lead to these calls.
  IdSet leadingTo(const IdSet &calls) const;
  bool leads(Id call, const IdSet &calls, const IdSet &functions) const;
  Id followed(Id call, bool isBefore, const IdSet &calls,
              const IdSet &functions) const;

  const SolveContext &c_;
  const Program &p_;
  const Facts &f_;
  CallGraph graph_;
  const CallOrder &order_;
  InputLoops loops_;
  IdSet work_;              ///< calls that load or wait
  IdSet written_;           ///< calls that begin a section in the source
  IdSet begins_;            ///< calls: all of them
  IdSet leading_, working_; ///< functions that lead there
};

/// What nvm_detach() precedes on every way.
class DetachedCalls {
public:
  /// `places`: calls before which it is put. `written`: calls of it.
  DetachedCalls(const SolveContext &context, const InputLoops &loops,
                const IdSet &places, const IdSet &written);
  bool contains(Id call) const { return detached_.contains(call); }
  /// Without what is written around such calls.
  std::vector<Section> without(std::vector<Section> sections) const;

private:
  bool isPlace(Id call) const {
    return places_.contains(call) || isBehind(call);
  }
  bool isBehind(Id call) const;
  bool isEnteredDetached(Id function) const;
  bool follows(Id call, const std::vector<Id> &places) const;
  bool followsInBlocks(const Definition &definition, Id call) const;
  std::vector<bool> reachedBefore(const Definition &definition) const;
  bool alwaysDetaches(Id function) const;

  const Program &p_;
  const Facts &f_;
  const InputLoops &loops_;
  const IdSet &places_, &written_;
  IdSet detached_; ///< calls
  IdSet always_;   ///< functions that do not return without it
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STARTUP_DETACHORDER_H
