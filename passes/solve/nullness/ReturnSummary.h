//===- ReturnSummary.h - What a load says when it has loaded -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_NULLNESS_RETURNSUMMARY_H
#define NVMOVE_PASSES_SOLVE_NULLNESS_RETURNSUMMARY_H

#include "passes/facts/IdSet.h"
#include "passes/solve/nullness/PreLoadNullness.h"
#include "passes/solve/phases/EventLoop.h"
#include <optional>

namespace nvmove {

/// What a function returns when there was nothing to load, and when it has
/// loaded.
struct LoadAnswer {
  std::optional<int64_t> nothing, loaded;
  bool isConstant = false; ///< it returns nothing else
  bool isCount = false;    ///< `loaded` is the least that it counts
};
LoadAnswer answerOf(const Program &program, const EventLoop &loop,
                    const PreLoadNullness &nullness,
                    const std::vector<Id> &load, Id function);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_NULLNESS_RETURNSUMMARY_H
