//===- ProgramPhases.h - What start-up runs beside the load -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_PROGRAMPHASES_H
#define NVMOVE_PASSES_SOLVE_STATE_PROGRAMPHASES_H

#include "passes/solve/state/LoadedState.h"

namespace nvmove {

/// Functions that direct calls beside the load lead to, from main up to the
/// main loop: also where the load runs them, too, they run at each start.
struct ProgramPhases {
  ProgramPhases(const SolveContext &context, const std::vector<Id> &load);

  IdSet all;
  IdSet always; ///< no condition is on the way to these
};

/// Which of it stands before the load, and which behind, in the order of the
/// text.
class AroundLoad {
public:
  AroundLoad(const SolveContext &context, const std::vector<Id> &load);

  bool isBefore(const StaticWrite &write) const;
  bool isBehind(const StaticWrite &write) const;

  IdSet before, behind; ///< functions, without those on the way to the load

private:
  bool isToLoad(Id call, Id file) const;

  const SolveContext &c_;
  const std::vector<Id> &load_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_PROGRAMPHASES_H
