//===- Analysis.h - What every rule works on -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_ANALYSIS_H
#define NVMOVE_PASSES_SOLVE_STATE_ANALYSIS_H

#include "passes/solve/flow/ValueOrigins.h"
#include "passes/solve/state/Context.h"
#include "passes/solve/state/IndicesAndSizes.h"
#include "passes/solve/state/LoadedState.h"
#include "passes/solve/state/RestoredSet.h"
#include "passes/solve/state/StaticEvidence.h"
#include <memory>
#include <optional>

namespace nvmove {

class CriticalSections;
class PoolMembership;

/// One run of the points-to analysis, and what the rules made of it. A rule is
/// a function that takes one; Findings.def says in which order they run.
struct Analysis {
  const SolveContext &context;
  const PointsTo::Options &phase; ///< how the load was followed
  const std::vector<Id> &save;    ///< functions that save the state
  const LoadedState &state;
  const IndicesAndSizes &measures;
  Solution &solution;
  /// What comes back of static memory. After settleRestored() it is in the
  /// solution, and here no more.
  RestoredSet restored;
  StaticEvidence statics;
  /// Variables of which it is reported that what hangs from them is not kept.
  IdSet headsReported;
  /// Which blocks, stores and calls belong to the pool. After findPool().
  std::shared_ptr<const PoolMembership> pool;
  /// What threads change, and under which locks. After findCriticalSections().
  std::shared_ptr<const CriticalSections> critical;

  /// Made when it is first asked for.
  ValueOrigins &origins() {
    if (!origins_)
      origins_.emplace(context.program, context.allocators, context.flow);
    return *origins_;
  }

  Analysis(const Analysis &) = delete;

  Analysis(const SolveContext &context, const PointsTo::Options &phase,
           const std::vector<Id> &save, const LoadedState &state,
           const IndicesAndSizes &measures, Solution &solution)
      : context(context), phase(phase), save(save), state(state),
        measures(measures), solution(solution),
        statics(context.program, restored) {}

private:
  std::optional<ValueOrigins> origins_;
};

#define RULE(function, room, after) void function(Analysis &);
#include "passes/solve/Findings.def"

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_ANALYSIS_H
