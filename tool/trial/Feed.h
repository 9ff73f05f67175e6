//===- Feed.h - How a program gets its next line ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_FEED_H
#define NVMOVE_TOOL_TRIAL_FEED_H

#include "tool/trial/Runs.h"

namespace nvmove {

/// What came of a line, or of the start.
struct Fed {
  Child::State state = Child::State::Rest; ///< of the program
  bool answered = false;                   ///< with all of `answer`
  std::string answer;
  bool waits = true;   ///< so that its memory can be looked at
  bool failed = false; ///< the driver, with `errors`
  std::string errors;
};

/// A line is one of the input, which the program reads itself, or a part of the
/// driver, which asks the program.
class Feed {
public:
  virtual ~Feed() = default;
  /// Waits until it takes its first line.
  virtual Fed begin(Child &program) = 0;
  /// Errors: trial-failed.
  virtual llvm::Expected<Fed> give(Child &program, unsigned line) = 0;
  /// No line is left, and it is to end. Where it does not, TimedOut.
  virtual Child::State end(Child &program) = 0;
};

std::unique_ptr<Feed> makeLineFeed(const TrialProgram &program);
std::unique_ptr<Feed> makeDriverFeed(const TrialProgram &program,
                                     const ScratchPlace &place);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_FEED_H
