//===- PaperWorklist.h - The NVMovE paper's algorithm, for comparison -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_TYPES_PAPERWORKLIST_H
#define NVMOVE_PASSES_SOLVE_TYPES_PAPERWORKLIST_H

#include "passes/solve/Solution.h"
#include "passes/solve/flow/FieldFlow.h"

namespace nvmove {

/// The algorithm of the NVMovE paper, for comparison: a worklist over calls
/// that pass pointers; every record that a visited function allocates or
/// writes.
void worklistTypes(const Program &program, const Allocators &allocators,
                   const FieldFlow &flow, const SolveOptions &options,
                   Solution &solution);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_TYPES_PAPERWORKLIST_H
