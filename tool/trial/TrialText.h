//===- TrialText.h - What a trial says, sentence by sentence ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_TRIALTEXT_H
#define NVMOVE_TOOL_TRIAL_TRIALTEXT_H

#include "tool/trial/Trial.h"

namespace nvmove {

/// "1 line", "2 lines".
std::string plural(size_t n, llvm::StringRef one);
/// What a kill lies between: "line", or "part" of a driver.
std::string unit(const TrialResult &r);
/// As a person finds it: relative to the current folder, if it is there.
std::string shownFile(const StaticVariable &v);
/// "main.c:6: "; "" if it is not known.
std::string placeOf(const TrialResult &r, const TrialDifference &d);

/// "7 lines of input; killed 8 times between lines and ..".
std::string whatWasDone(const TrialResult &r, const Options &options);
/// "3 kills", or "1 end": of what there are losses.
std::string timesLost(const TrialResult &r);
/// "killed after line 1 "add 5""; the lines are those that it was given.
std::string disturbanceText(const TrialResult &r,
                            llvm::ArrayRef<std::string> lines,
                            const TrialLoss &loss);
/// "killed after line 1 "add 5": line 2 "show" answers ..".
std::string lossText(const TrialResult &r, const TrialLoss &loss);
/// "edits: 1 undisturbed, 0 after a kill: .. [id]".
std::string differenceText(const TrialResult &r, const TrialDifference &d);
/// What to type, or the advice of the first finding that asks for it; "".
std::string nextStep(const TrialDifference &d);

/// report.html with the trial: above the findings, with what they do not say,
/// and beside each finding that it confirms. What an earlier trial added is
/// replaced. A page of another form stays as it is.
std::string pageWithTrial(std::string page, const TrialResult &r,
                          const Options &options);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_TRIALTEXT_H
