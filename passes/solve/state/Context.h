//===- Context.h - What is known when the load has been followed -*- C++
//-*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_CONTEXT_H
#define NVMOVE_PASSES_SOLVE_STATE_CONTEXT_H

#include "passes/solve/Solution.h"
#include "passes/solve/nullness/NullAtExit.h"
#include "passes/solve/phases/ProgramPhases.h"
#include "passes/solve/pointsto/PointsTo.h"
#include "passes/solve/state/LoaderTemporaries.h"
#include "passes/solve/state/MemberDisambiguation.h"
#include <optional>

namespace nvmove {

/// What the load phase and all that is known of the program say.
struct SolveContext {
  const Program &program;
  const Allocators &allocators;
  const FieldFlow &flow;
  const EventLoop &loop;
  const ProgramPhases &phases;
  const PreLoadNullness &unfilled;
  const std::optional<NullAtExit> &endsNull; ///< behind points-to
  const LoaderTemporaries &own;
  const PointsTo &pointsTo;
  FilledMembers &members; ///< behind points-to
  const SolveOptions &options;

  /// A pointer to a block that a function of the load may allocate.
  bool mayBeOfLoad(Id value) const;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_CONTEXT_H
