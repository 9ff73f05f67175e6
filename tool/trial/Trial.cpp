//===- Trial.cpp - What a moved program loses when it is killed -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Trial.h"
#include "tool/trial/Baseline.h"
#include "tool/trial/Explanation.h"
#include "tool/trial/Judge.h"
#include "tool/trial/Reduction.h"
#include "tool/trial/Told.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>
#include <sys/wait.h>

using namespace llvm;

namespace nvmove {

namespace {

/// Hangs are waited for, so a few have to do.
constexpr unsigned mostHangs = 2;

class Kills {
public:
  Kills(const Baseline &baseline, Progress &progress)
      : b(baseline), progress(progress), explanation(baseline) {}

  Error atRest();
  Error inside();
  void describe(const Options &options, TrialResult &result) const;

private:
  Error goOn(const ScratchPlace &place, ArrayRef<unsigned> states,
             unsigned long event);
  Expected<TrialRun> startAgain(const ScratchPlace &place, unsigned from,
                                bool copied);
  bool fitsBetter(const TrialRun &again, unsigned from, unsigned other) const;
  std::vector<unsigned> statesAfter(const TrialRun &killed) const;

  const Baseline &b;
  Progress &progress;
  Explanation explanation;
  std::vector<TrialLoss> losses;
  unsigned killedAtRest = 0, killedInside = 0, hangs = 0;
};

Error Kills::atRest() {
  for (size_t i = 0; i < b.restPoints.size() && hangs < mostHangs; ++i) {
    progress.show("killing it between lines", i + 1, b.restPoints.size());
    auto place = b.scratch->fresh();
    if (!place)
      return place.takeError();
    unsigned answered = b.restPoints[i];
    auto killed = runProgram(b.program, **place, {0, answered, false, {}, {}});
    if (!killed)
      return killed.takeError();
    if (killed->end != TrialRun::End::Fed)
      return makeError(MessageId::NotRepeatable,
                       "a run that was not yet disturbed ends or waits at "
                       "line " +
                           utostr(killed->answers.size()));
    ++killedAtRest;
    if (Error error = goOn(**place, {answered}, 0))
      return error;
  }
  return Error::success();
}

/// What it may go on from: the state after the lines that it has answered, or
/// after one more.
std::vector<unsigned> Kills::statesAfter(const TrialRun &killed) const {
  if (killed.answers.empty())
    return {0}; // it had not begun to read
  unsigned answered = unsigned(killed.answers.size()) - 1;
  if (answered == b.lines())
    return {answered};
  const std::string &next = b.run.answers[answered + 1];
  if (!next.empty() && killed.rest == next)
    return {answered + 1}; // it has said that this is done
  return {answered, answered + 1};
}

Error Kills::inside() {
  for (size_t i = 0; i < b.eventPoints.size() && hangs < mostHangs; ++i) {
    progress.show("killing it inside lines", i + 1, b.eventPoints.size());
    auto place = b.scratch->fresh();
    if (!place)
      return place.takeError();
    unsigned event = b.eventPoints[i];
    auto killed = runProgram(
        b.program, **place,
        {0, b.lines(), false, {"NVM_CRASH_AT=" + utostr(event)}, {}});
    if (!killed)
      return killed.takeError();
    if (killed->end == TrialRun::End::Fed)
      break; // the events that are left belong to its end
    if (killed->end == TrialRun::End::TimedOut ||
        !WIFSIGNALED(killed->status) || WTERMSIG(killed->status) != SIGKILL)
      continue;
    ++killedInside;
    if (Error error = goOn(**place, statesAfter(*killed), event))
      return error;
  }
  return Error::success();
}

Expected<TrialRun> Kills::startAgain(const ScratchPlace &place, unsigned from,
                                     bool copied) {
  RunRequest request{from, b.lines(), true, {}, [&](unsigned n) {
                       return n == from || n == from + 1 || n == b.lines();
                     }};
  if (!copied)
    return runProgram(b.program, place, request);
  auto copy = b.scratch->copyOf(place);
  if (!copy)
    return copy.takeError();
  return runProgram(b.program, **copy, request);
}

/// Whether the memory after the restart is rather that after `other` lines.
bool Kills::fitsBetter(const TrialRun &again, unsigned from,
                       unsigned other) const {
  auto got = again.memory.find(from);
  auto here = b.run.memory.find(from), there = b.run.memory.find(other);
  return got != again.memory.end() && here != b.run.memory.end() &&
         there != b.run.memory.end() &&
         compareMemory(there->second, got->second, b.own).size() <
             compareMemory(here->second, got->second, b.own).size();
}

/// Starts a killed program again. It has to go on as from one of `states`; the
/// memory says which is more likely.
Error Kills::goOn(const ScratchPlace &place, ArrayRef<unsigned> states,
                  unsigned long event) {
  std::vector<std::pair<unsigned, TrialRun>> tried;
  for (unsigned from : states) {
    auto again = startAgain(place, from, states.size() > 1);
    if (!again)
      return again.takeError();
    tried.emplace_back(from, std::move(*again));
    // The second is needed if the first is wrong, or unlikely.
    if (states.size() > 1 && tried.size() == 1 &&
        !judgeRun(b.run, tried[0].second, from, b.late) &&
        !fitsBetter(tried[0].second, from, states[1]))
      break;
  }
  if (tried.size() > 1 && fitsBetter(tried[0].second, states[0], states[1]))
    std::swap(tried[0], tried[1]);
  std::optional<TrialLoss> first;
  for (auto &[from, again] : tried) {
    std::optional<TrialLoss> loss = judgeRun(b.run, again, from, b.late);
    if (!loss) {
      explanation.addRight(again, from, states);
      return Error::success();
    }
    if (!first)
      first = std::move(loss);
  }
  first->killedAfter = states.front();
  first->event = event;
  hangs += first->kind == TrialLoss::Kind::Hang;
  explanation.addLoss(*first, tried[0].second, tried[0].first);
  losses.push_back(std::move(*first));
  return Error::success();
}

void Kills::describe(const Options &options, TrialResult &result) const {
  result.killedAtRest = killedAtRest;
  result.killedInside = killedInside;
  result.losses = losses;
  result.cutShort = hangs >= mostHangs;
  Told told(options.out);
  result.hasReport = told.hasReport();
  for (const StaticDifference &d : explanation.causes())
    result.differences.push_back(
        told.describe(d, b.program.statics[d.variable]));
  for (const StaticDifference &d : explanation.questions())
    result.questions.push_back(told.describe(d, b.program.statics[d.variable]));
  result.told = any_of(result.differences, [](const TrialDifference &d) {
    return any_of(d.told, [](auto &f) { return f.severity != "note"; });
  });
  if (!result.told && !losses.empty())
    result.acts = told.acts();
}

/// What differs between undisturbed runs, each static once.
std::vector<std::string> namesOf(const Baseline &b) {
  std::map<unsigned, std::vector<std::string>> places;
  for (const auto &[path, variable] : b.own)
    places[variable].push_back(path);
  std::vector<std::string> names;
  for (const auto &[variable, paths] : places)
    names.push_back(paths.size() == 1
                        ? paths.front()
                        : b.program.statics[variable].name + " (" +
                              utostr(paths.size()) + " places)");
  return names;
}

/// Only of what shows at rest: other inputs have other events.
Error makeSmall(const Baseline &baseline, Progress &progress,
                TrialResult &result) {
  auto loss =
      find_if(result.losses, [](const TrialLoss &l) { return l.event == 0; });
  if (result.told || !result.acts.empty() || loss == result.losses.end())
    return Error::success();
  auto small = reduceInput(baseline, loss->killedAfter, progress);
  if (!small)
    return small.takeError();
  result.smallest = std::move(small->lines);
  result.smallestKilledAfter = small->killedAfter;
  return Error::success();
}

} // namespace

Expected<TrialResult> runTrial(const Options &options, Diagnostics &diagnostics,
                               Progress &progress) {
  signal(SIGPIPE, SIG_IGN); // a program may end while it is fed
  auto baseline = runUndisturbed(options, diagnostics, progress);
  if (!baseline)
    return baseline.takeError();
  Baseline &b = **baseline;
  Kills kills(b, progress);
  if (Error error = kills.atRest())
    return error;
  if (Error error = kills.inside())
    return error;
  TrialResult result;
  kills.describe(options, result);
  if (Error error = makeSmall(b, progress, result))
    return error;
  result.lines = b.program.lines;
  result.byType = b.byType;
  result.complete =
      all_of(b.run.memory, [](auto &m) { return m.second.complete; });
  result.late = b.late;
  result.silent = b.run.rest.empty() &&
                  all_of(ArrayRef(b.run.answers).drop_front(),
                         [](const std::string &a) { return a.empty(); });
  result.endsAtLine = b.endsAtLine;
  result.events = b.events;
  result.notLookedAt = b.debug->skipped();
  result.ownDifferences = namesOf(b);
  result.statics = std::move(b.program.statics);
  return result;
}

} // namespace nvmove
