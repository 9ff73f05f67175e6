//===- Threads.h - Functions that the program starts as threads -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_THREADS_H
#define NVMOVE_PASSES_SOLVE_STATE_THREADS_H

#include "passes/solve/state/Context.h"

namespace nvmove {

/// A function that the program starts as a thread: pthread_create(&id, NULL,
/// work, queue).
struct Thread {
  Id function;
  std::vector<Id> starts; ///< calls
};

std::vector<Thread> threadsOf(const SolveContext &context);
/// Functions that they run.
IdSet reachedBy(const std::vector<Thread> &threads,
                const SolveContext &context);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_THREADS_H
