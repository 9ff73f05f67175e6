//===- Context.h - What is known when the load has been followed *- C++ -*-===//
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

/// What is known of the program before the load is followed.
struct ProgramContext {
  const Program &program;
  const DefinitionIndex &values;
  const Allocators &allocators;
  const FieldFlow &flow;
  const EventLoop &loop;
  const ProgramPhases &phases;
  const PreLoadNullness &nullness;
  const ProgramPointers &pointers;
  const std::optional<NullAtExit> &nullAtExit; ///< after the first points-to
  const LoaderTemporaries &own;
  const SolveOptions &options;
};

/// The same, and what the load phase says.
struct SolveContext : ProgramContext {
  const PointsTo &pointsTo;
  FilledMembers &members; ///< after points-to

  /// A pointer to a block that a function of the load may allocate.
  bool mayBeOfLoad(Id value) const;
  /// Functions that the calls in sections lead to.
  IdSet calledBy(llvm::ArrayRef<Section> sections) const;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_CONTEXT_H
