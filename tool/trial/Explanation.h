//===- Explanation.h - Why a restarted program answers wrong ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_EXPLANATION_H
#define NVMOVE_TOOL_TRIAL_EXPLANATION_H

#include "tool/trial/Baseline.h"
#include "tool/trial/Trial.h"

namespace nvmove {

/// Collects, static by static, what memory has otherwise after restarts.
class Explanation {
public:
  explicit Explanation(const Baseline &baseline);

  /// `again` went on behind the first `from` lines, not as it should. Kills
  /// inside of lines explain only if no other does: which state they have left
  /// is a guess if it is wrong.
  void addLoss(const TrialLoss &loss, const TrialRun &again, unsigned from);
  /// It went on as it should, after `from` lines. What differs from each of the
  /// states that it may be in (after so many lines), and still does at the end,
  /// is a question; not what ends with the process, nor what is like something
  /// that differs in each run.
  void addRight(const TrialRun &again, unsigned from,
                llvm::ArrayRef<unsigned> states);

  /// Worst first. What the next line brings right explains only what nothing
  /// else does.
  std::vector<StaticDifference> causes() const;
  /// Without those that are causes.
  std::vector<StaticDifference> questions() const;

private:
  std::vector<StaticDifference>
  group(const std::vector<ValueDifference> &differences,
        llvm::function_ref<bool(const ValueDifference &)> lasts,
        unsigned killedAfter) const;

  bool isLikeOwn(llvm::StringRef path) const;

  const Baseline &baseline;
  std::set<std::string> own; ///< paths of Baseline::own, without indices
  std::map<unsigned, StaticDifference> explained, asked; ///< by static
  bool atRest = false; ///< a loss by a kill at rest was added
};

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_EXPLANATION_H
