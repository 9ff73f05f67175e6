//===- Changes.h - Where the program changes what is kept -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_CHANGES_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_CHANGES_H

#include "passes/solve/state/Context.h"

namespace nvmove {

/// An expression that changes persistent objects, or static memory of which
/// something comes back.
struct Change {
  Id function;
  Loc loc;
  Span span;
  /// One of the three: index into Facts::stores, calls, staticWrites.
  Id store = None, call = None, write = None;
  bool isInHeap = false;
};

/// All of them, after findSites(); one may be both in the heap and elsewhere.
std::vector<Change> changesOf(const SolveContext &context,
                              const Solution &solution);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_CHANGES_H
