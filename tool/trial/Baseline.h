//===- Baseline.h - What an undisturbed program does ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_BASELINE_H
#define NVMOVE_TOOL_TRIAL_BASELINE_H

#include "tool/message/Diagnostics.h"
#include "tool/message/Progress.h"
#include "tool/options/Options.h"
#include "tool/trial/Compare.h"
#include "tool/trial/DebugInfo.h"
#include "tool/trial/Runs.h"

namespace nvmove {

/// What the runs that are killed are compared with.
struct Baseline {
  std::optional<ProgramImage> image;
  std::unique_ptr<DebugInfo> debug;
  std::unique_ptr<Scratch> scratch;
  TrialProgram program;    ///< refers to `image`
  bool byType = true;      ///< else only the bytes of statics are known
  unsigned endsAtLine = 0; ///< the program ends there by itself; 0: it does not
  TrialRun run;            ///< undisturbed
  OwnDifferences own;
  bool late = false; ///< answers come when a buffer is full
  bool waits = true; ///< a server does, after each part: memory is compared
  /// Where it is to be killed: after so many lines, and at these events, of
  /// which a few belong to its start.
  std::vector<unsigned> restPoints, eventPoints;

  unsigned lines() const { return unsigned(program.lines.size()); }
  /// Paths that `again` has otherwise after so many lines; none if one of the
  /// runs was not looked at then.
  std::vector<ValueDifference> differencesAfter(unsigned lines,
                                                const TrialRun &again) const;
  /// Whether a part of the driver (from 0) does otherwise if no server runs:
  /// if so, its answer is one of the server. Error: trial-failed.
  llvm::Expected<bool> needsServer(unsigned part) const;
  /// Whether the answer to that line, from 0, is one of the program: a driver
  /// may print it without having heard it. Error: trial-failed.
  llvm::Expected<bool> isItsOwn(unsigned line) const {
    return program.driver.empty() ? true : needsServer(line);
  }
};

/// Reads the program and its input, and runs it twice. Errors: file-missing,
/// empty-input, not-moved, ends-at-once, never-waits, not-repeatable,
/// driver-failed, driver-hangs, no-parts, driver-deaf, folder-too-large,
/// trial-failed.
llvm::Expected<std::unique_ptr<Baseline>>
runUndisturbed(const Options &options, Diagnostics &diagnostics,
               Progress &progress);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_BASELINE_H
