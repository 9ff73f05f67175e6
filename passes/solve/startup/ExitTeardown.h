//===- ExitTeardown.h - State that the program frees before it ends ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STARTUP_EXITTEARDOWN_H
#define NVMOVE_PASSES_SOLVE_STARTUP_EXITTEARDOWN_H

#include "passes/solve/state/LoadedState.h"

namespace nvmove {

/// Behind the types and the loops. `save`: the functions that save the state,
/// if they are known.
void findExitTeardown(const SolveContext &context, const std::vector<Id> &save,
                      Solution &solution);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STARTUP_EXITTEARDOWN_H
