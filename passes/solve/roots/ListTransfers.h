//===- ListTransfers.h - Lists that loaded objects are moved to -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_ROOTS_LISTTRANSFERS_H
#define NVMOVE_PASSES_SOLVE_ROOTS_LISTTRANSFERS_H

#include "passes/solve/state/LoadedState.h"

namespace nvmove {

/// Tells of statics onto which loaded objects are pushed, and that nothing
/// keeps. Behind findScalars().
void reportListTransfers(const SolveContext &context, Solution &solution);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_ROOTS_LISTTRANSFERS_H
