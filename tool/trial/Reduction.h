//===- Reduction.h - The smallest input that shows a loss -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_REDUCTION_H
#define NVMOVE_TOOL_TRIAL_REDUCTION_H

#include "tool/trial/Baseline.h"

namespace nvmove {

/// Lines of the input that still show a loss, if the program is killed, or
/// asked to end, when it has answered so many of them.
struct SmallInput {
  std::vector<std::string> lines;
  unsigned killedAfter = 0;
};

/// By delta debugging, for half a minute at most: none of the lines can be left
/// out then, or the time was over. Error: trial-failed.
llvm::Expected<SmallInput> reduceInput(const Baseline &baseline,
                                       unsigned killedAfter, bool ended,
                                       Progress &progress);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_REDUCTION_H
