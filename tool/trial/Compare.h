//===- Compare.h - What differs between two runs ----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_COMPARE_H
#define NVMOVE_TOOL_TRIAL_COMPARE_H

#include "tool/trial/Walk.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <optional>
#include <set>

namespace nvmove {

/// A value that another run has otherwise.
struct ValueDifference {
  std::string path;
  std::string undisturbed, killed;
  unsigned variable = 0;
  bool certain = true, direct = true; ///< see MemoryValue
};

/// Paths of values that differ between undisturbed runs, with the static.
using OwnDifferences = std::map<std::string, unsigned>;

/// In the order of the walk; without `own`. What one of them does not have
/// counts as 0 in the static itself, and as "(not there)" elsewhere.
std::vector<ValueDifference> compareMemory(const Snapshot &undisturbed,
                                           const Snapshot &killed,
                                           const OwnDifferences &own = {});

/// What a run answers to the lines from `from` on, as it should: the texts of
/// an undisturbed run. The last is what comes after the end of the input.
using AnswerTexts = std::vector<std::string>;

/// The first text that differs; nullopt if all together are the same. With
/// `late`, the program answers when its buffer is full, and `got` has to be how
/// all ends.
std::optional<size_t> compareAnswers(const AnswerTexts &want,
                                     const AnswerTexts &got, bool late);

/// A static that a restart has changed: one line of the report.
struct StaticDifference {
  unsigned variable = 0;
  std::string path; ///< of the first place, of which the values are
  std::string undisturbed, killed;
  size_t places = 1;    ///< that differ, in it and in what it leads to
  bool lasting = false; ///< later lines do not bring it right
  bool certain = true;
  bool asAtStart =
      false; ///< lines had changed it, and it is as before the first
  unsigned killedAfter = 0; ///< lines
};

/// One for each static, worst first. `lasts`: it still differs later. `start`:
/// the memory before the first line.
std::vector<StaticDifference>
groupByStatic(const std::vector<ValueDifference> &differences,
              llvm::function_ref<bool(const ValueDifference &)> lasts,
              const Snapshot &start, unsigned killedAfter);

/// What is certain is worse than what may be left over, then what lasts, then
/// what is as at the start.
bool isWorse(const StaticDifference &a, const StaticDifference &b);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_COMPARE_H
