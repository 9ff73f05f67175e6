//===- Trial.cpp - What a moved program loses when it is killed -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Trial.h"
#include "tool/trial/Baseline.h"
#include "tool/trial/Driver.h"
#include "tool/trial/Explanation.h"
#include "tool/trial/Judge.h"
#include "tool/trial/OwnEnd.h"
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

/// How it came to be started again.
struct Disturbance {
  unsigned long event = 0;             ///< TrialLoss::event
  bool atStart = false, ended = false; ///< of TrialLoss, too
};

class Kills {
public:
  Kills(const Baseline &baseline, Progress &progress)
      : b(baseline), progress(progress), patient(baseline.program),
        explanation(baseline) {
    patient.limit = TrialProgram().limit;
  }

  Error atRest();
  Error inside();
  Error afterEnds();
  bool foundLoss() const { return !losses.empty(); }
  void describe(const Options &options, TrialResult &result) const;

private:
  Error notLikeTheFirst(const TrialRun &run) const;
  Error goOn(const ScratchPlace &place, ArrayRef<unsigned> states,
             const Disturbance &how);
  Expected<TrialRun> startAgain(const ScratchPlace &place, unsigned from,
                                bool copied);
  bool fitsBetter(const TrialRun &again, unsigned from, unsigned other) const;

  const Baseline &b;
  Progress &progress;
  /// For what is not disturbed yet, and may take its time on a busy machine.
  TrialProgram patient;
  Explanation explanation;
  std::vector<TrialLoss> losses;
  unsigned killedAtRest = 0, killedInside = 0, killedAtStart = 0, ended = 0;
  unsigned hangs = 0;
};

Error Kills::notLikeTheFirst(const TrialRun &run) const {
  std::vector<std::string> details = lastLines(run.errors);
  append_range(details, lastLines(run.driverErrors));
  bool died = run.end == TrialRun::End::Died;
  return makeError(MessageId::NotRepeatable,
                   std::string("a run that was not disturbed yet ") +
                       (died ? "ends" : "does not go on") + " at " +
                       b.program.unit() + " " + utostr(run.answers.size()) +
                       (died ? ", with " + describeStatus(run.status) : ""),
                   {}, std::move(details));
}

Error Kills::atRest() {
  for (size_t i = 0; i < b.restPoints.size() && hangs < mostHangs; ++i) {
    progress.show("killing it between lines", i + 1, b.restPoints.size());
    auto place = b.scratch->fresh();
    if (!place)
      return place.takeError();
    unsigned answered = b.restPoints[i];
    auto killed =
        runProgram(patient, **place, {0, answered, false, false, {}, {}});
    if (!killed)
      return killed.takeError();
    if (killed->end != TrialRun::End::Fed)
      return notLikeTheFirst(*killed);
    ++killedAtRest;
    if (Error error = goOn(**place, {answered}, {}))
      return error;
  }
  return Error::success();
}

Error Kills::inside() {
  for (size_t i = 0; i < b.eventPoints.size() && hangs < mostHangs; ++i) {
    progress.show("killing it inside lines", i + 1, b.eventPoints.size());
    auto place = b.scratch->fresh();
    if (!place)
      return place.takeError();
    unsigned event = b.eventPoints[i];
    auto killed = runProgram(
        patient, **place,
        {0, b.lines(), false, false, {"NVM_CRASH_AT=" + utostr(event)}, {}});
    if (!killed)
      return killed.takeError();
    if (killed->end == TrialRun::End::Fed)
      break; // the events that are left belong to its end
    if (!wasKilled(*killed))
      continue;
    ++(killed->answers.empty() ? killedAtStart : killedInside);
    auto states = statesAfter(*killed, b.run,
                              [&](unsigned line) { return b.isItsOwn(line); });
    if (!states)
      return states.takeError();
    if (Error error =
            goOn(**place, *states, {event, killed->answers.empty(), false}))
      return error;
  }
  return Error::success();
}

/// One that frees all that it has before it ends may empty its pool with that.
Error Kills::afterEnds() {
  if (b.run.outlives || b.program.outlives || b.lines() == 0)
    return Error::success();
  for (unsigned answered : std::set<unsigned>{b.lines() / 2, b.lines() - 1}) {
    progress.show("letting it end");
    auto place = b.scratch->fresh();
    if (!place)
      return place.takeError();
    auto run = runProgram(patient, **place, {0, answered, true, false, {}, {}});
    if (!run)
      return run.takeError();
    if (run->end != TrialRun::End::Fed)
      return notLikeTheFirst(*run);
    if (run->outlives)
      continue;
    ++ended;
    if (Error error = goOn(**place, {answered}, {0, false, true}))
      return error;
  }
  return Error::success();
}

Expected<TrialRun> Kills::startAgain(const ScratchPlace &place, unsigned from,
                                     bool copied) {
  RunRequest request{from,
                     b.lines(),
                     true,
                     false,
                     {},
                     [&](unsigned n) {
                       return n == from || n == from + 1 || n == b.lines(); }};
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
                  const Disturbance &how) {
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
  std::vector<TrialLoss> found; // one for each
  for (auto &[from, again] : tried) {
    std::optional<TrialLoss> loss = judgeRun(b.run, again, from, b.late);
    if (!loss) {
      explanation.addRight(again, from, states);
      return Error::success();
    }
    if (how.ended) {
      auto own = goesOnLikeThat(b, patient, again, from);
      if (!own)
        return own.takeError();
      if (*own)
        return Error::success();
    }
    found.push_back(std::move(*loss));
  }
  // Without the memory, the state that is right for longer is more likely.
  bool second = tried.size() > 1 &&
                (b.waits ? fitsBetter(tried[0].second, states[0], states[1])
                         : found[1].line > found[0].line);
  TrialLoss &loss = found[second];
  loss.killedAfter = states.front();
  loss.event = how.event;
  loss.atStart = how.atStart;
  loss.ended = how.ended;
  hangs += loss.kind == TrialLoss::Kind::Hang;
  explanation.addLoss(loss, tried[second].second, tried[second].first);
  losses.push_back(std::move(loss));
  return Error::success();
}

void Kills::describe(const Options &options, TrialResult &result) const {
  result.killedAtRest = killedAtRest;
  result.killedInside = killedInside;
  result.killedAtStart = killedAtStart;
  result.ended = ended;
  result.losses = losses;
  result.cutShort = hangs >= mostHangs;
  Told told(options.out);
  result.hasReport = told.hasReport();
  for (const StaticDifference &d : explanation.causes()) {
    result.differences.push_back(
        told.describe(d, b.program.statics[d.variable]));
    result.differences.back().ended = losses.front().ended;
  }
  for (const StaticDifference &d : explanation.questions())
    if (const StaticVariable &v = b.program.statics[d.variable];
        !told.isAfresh(d, v))
      result.questions.push_back(told.describe(d, v));
  result.told = any_of(result.differences, [](const TrialDifference &d) {
    return any_of(d.told, [](auto &f) { return f.severity != "note"; });
  });
  if (!result.told && !losses.empty())
    result.acts = told.acts();
  if (!result.told && !losses.empty() &&
      all_of(losses, [](const TrialLoss &l) { return l.event && !l.atStart; }))
    result.checks = told.checksOfSections();
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

/// Parts of the driver whose answers differ between undisturbed runs.
std::vector<std::string> changingAnswers(const Baseline &b) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < b.program.masks.size(); ++i)
    if (const AnswerMask &mask = b.program.masks[i]; !mask.empty()) {
      std::string text = "part " + utostr(i + 1);
      if (!mask.all)
        text += " (" + utostr(mask.lines.size()) +
                (mask.lines.size() == 1 ? " line)" : " lines)");
      parts.push_back(std::move(text));
    }
  return parts;
}

/// Between lines, where it can be: inside of them it takes longer to find.
Error makeSmall(const Baseline &baseline, Progress &progress,
                TrialResult &result) {
  if (result.losses.empty() || result.told || !result.acts.empty() ||
      !result.checks.empty())
    return Error::success();
  auto loss =
      find_if(result.losses, [](const TrialLoss &l) { return l.event == 0; });
  if (loss == result.losses.end())
    loss = result.losses.begin();
  auto small = reduceInput(baseline, *loss, progress);
  if (!small)
    return small.takeError();
  result.smallest = std::move(small->lines);
  result.smallestLoss.killedAfter = small->killedAfter;
  result.smallestLoss.event = small->event;
  result.smallestLoss.atStart = loss->atStart;
  result.smallestLoss.ended = loss->ended;
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
  if (!kills.foundLoss()) // else it would show that loss again
    if (Error error = kills.afterEnds())
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
  result.events = b.run.events.back() - b.run.events.front();
  result.driven = !b.program.driver.empty();
  result.waits = b.waits;
  result.changingAnswers = changingAnswers(b);
  result.notLookedAt = b.debug->skipped();
  result.ownDifferences = namesOf(b);
  result.statics = std::move(b.program.statics);
  return result;
}

} // namespace nvmove
