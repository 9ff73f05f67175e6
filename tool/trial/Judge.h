//===- Judge.h - Whether a restarted program goes on ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_JUDGE_H
#define NVMOVE_TOOL_TRIAL_JUDGE_H

#include "tool/trial/Runs.h"
#include "tool/trial/Trial.h"

namespace nvmove {

/// What `undisturbed` answers to the lines from `from` on, the last being what
/// comes after the end of the input.
AnswerTexts answersFrom(const TrialRun &undisturbed, unsigned from);

/// Compares what a program that was started again has done with the lines from
/// `from` on. nullopt: the same as `undisturbed`.
std::optional<TrialLoss> judgeRun(const TrialRun &undisturbed,
                                  const TrialRun &again, unsigned from,
                                  bool late);

/// Whether it was killed before it came to rest, by the runtime or by nvmove.
bool wasKilled(const TrialRun &run);

/// What a program that was killed inside a line may go on from: the state after
/// the lines that it has answered, or after one more, or only the latter if it
/// has said that this line, from 0, is done: all of its answer is there, and it
/// `isItsOwn`. Error: that of `isItsOwn`.
llvm::Expected<std::vector<unsigned>>
statesAfter(const TrialRun &killed, const TrialRun &undisturbed,
            llvm::function_ref<llvm::Expected<bool>(unsigned line)> isItsOwn);

/// Where the input is cut: some of 0 to `lines`, both included, or all.
std::vector<unsigned> spread(unsigned long first, unsigned long last,
                             unsigned long most);

/// Numbers of events at which to kill a program: with `atStart` of them before
/// its first line, and `most` after that, in each line as many as in others.
std::vector<unsigned> chooseEvents(llvm::ArrayRef<unsigned long> events,
                                   unsigned atStart, unsigned most);

/// The smallest part of the indices 0 to `count`-1 for which `fails`, in order:
/// none of them can be left out alone. Ends early when `fails` says so with
/// nullopt. All of them have to fail.
std::vector<size_t>
minimize(size_t count,
         llvm::function_ref<std::optional<bool>(llvm::ArrayRef<size_t>)> fails);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_JUDGE_H
