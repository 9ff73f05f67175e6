//===- Trial.h - What a moved program loses when it is killed ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A moved program is given the same input twice: undisturbed, and killed and
// started again on its pool. What it answers afterwards has to be the same:
// output equivalence, as in Witcher (Fu et al., SOSP 2021). What its memory has
// otherwise after the restart says why it is not. The input that shows a loss
// is made small by delta debugging (Zeller and Hildebrandt, TSE 2002).
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_TRIAL_H
#define NVMOVE_TOOL_TRIAL_TRIAL_H

#include "tool/message/Diagnostics.h"
#include "tool/message/Progress.h"
#include "tool/options/Options.h"
#include "tool/trial/Compare.h"

namespace nvmove {

/// What went wrong after a kill, or after an end.
struct TrialLoss {
  enum class Kind { Answer, Hang, Death };
  Kind kind = Kind::Answer;
  unsigned killedAfter = 0; ///< lines that it had answered
  unsigned long event = 0;  ///< inside the next line; 0: it was at rest
  bool atStart = false;     ///< the event was before it waited for a line
  bool ended = false;       ///< it was not killed, but asked to end
  /// The line at which it shows, from 1; 0: at the restart; one more than
  /// there are: at the end of the input.
  unsigned line = 0;
  std::string want, got; ///< answers
  std::string how;       ///< Death: the status, and the runtime's message
};

/// What the report of the move says about a static.
struct ToldFinding {
  std::string id, severity, advice, what;
};

struct TrialDifference : StaticDifference {
  std::vector<ToldFinding> told;
  std::string command;       ///< what to type; "" if that is not known
  bool kept = false;         ///< the report says that it comes back
  bool asBeforeLoad = false; ///< it is not kept, and has its initial value
  bool ended = false; ///< it has this value after an end, not after a kill
};

struct TrialResult {
  std::vector<StaticVariable> statics;
  std::vector<std::string> lines; ///< of the input, or parts of the driver
  bool driven = false;            ///< by a driver
  bool waits = true; ///< else a server never does, and answers alone decide
  /// Parts whose answers, or lines of them, differ between undisturbed runs.
  std::vector<std::string> changingAnswers;
  bool byType = true;      ///< else memory was compared as bytes
  bool complete = true;    ///< no limit of the walk was reached
  bool silent = false;     ///< it prints nothing that could be compared
  bool cutShort = false;   ///< after a few hangs
  bool late = false;       ///< answers come when a buffer is full
  unsigned endsAtLine = 0; ///< the program ends there by itself; 0: it does not
  unsigned killedAtRest = 0, killedInside = 0, killedAtStart = 0;
  unsigned ended = 0;       ///< asked to end in the midst of its input
  unsigned long events = 0; ///< after its start
  std::vector<std::string> notLookedAt;
  /// Statics, or places in one, that differ between undisturbed runs.
  std::vector<std::string> ownDifferences;
  std::vector<TrialLoss> losses;
  std::vector<TrialDifference> differences; ///< after the losses' restarts
  std::vector<TrialDifference> questions;   ///< not seen in the answers
  bool told = false; ///< a finding to act on or to check names what differs
  bool hasReport = false;
  /// Findings to act on that name none of it, if nothing was told.
  std::vector<std::string> acts;
  /// Likewise those of sections to check, if only kills inside of lines lose
  /// something.
  std::vector<std::string> checks;
  /// The smallest input that still shows a loss, and where it is disturbed with
  /// that: of `smallestLoss` only this is known.
  std::vector<std::string> smallest;
  TrialLoss smallestLoss;
};

/// Errors: those of runUndisturbed().
llvm::Expected<TrialResult>
runTrial(const Options &options, Diagnostics &diagnostics, Progress &progress);

void printTrial(const TrialResult &result, const Options &options,
                llvm::raw_ostream &os);
std::string trialJson(const TrialResult &result, const Options &options);

/// Writes trial.json, trial.txt and, where an input was made small,
/// trial-input.txt into the output folder, and adds the trial to report.html if
/// that is there. Error: output-failed.
llvm::Error writeTrial(const TrialResult &result, const Options &options);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_TRIAL_H
