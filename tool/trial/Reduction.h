//===- Reduction.h - The smallest input that shows a loss -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_REDUCTION_H
#define NVMOVE_TOOL_TRIAL_REDUCTION_H

#include "tool/trial/Baseline.h"
#include "tool/trial/Trial.h"

namespace nvmove {

/// Lines of the input that still show a loss, if the program is killed, or
/// asked to end, when it has answered so many of them, or inside the next one.
struct SmallInput {
  std::vector<std::string> lines;
  unsigned killedAfter = 0;
  unsigned long event = 0; ///< TrialLoss::event, as counted with these lines
};

/// By delta debugging, for half a minute at most: none of the lines can be left
/// out then, or the time was over. A loss inside a line is looked for at the
/// same event of that line first, then at some others. No lines if that loss
/// does not show again. Error: trial-failed.
llvm::Expected<SmallInput> reduceInput(const Baseline &baseline,
                                       const TrialLoss &loss,
                                       Progress &progress);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_REDUCTION_H
