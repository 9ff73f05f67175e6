//===- Changes.h - Where the program changes what is kept -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_CHANGES_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_CHANGES_H

#include "passes/solve/state/Analysis.h"

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
using ChangeSources = View<const Roots, const Scalars, const Allocations,
                           const Stores, const ReplacedCalls>;
std::vector<Change> changesOf(const ChangeSources &found);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_CHANGES_H
