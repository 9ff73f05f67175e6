//===- Baseline.cpp - What an undisturbed program does --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Baseline.h"
#include "tool/files/Paths.h"
#include "tool/message/Diagnostics.h"
#include "tool/trial/Driver.h"
#include "tool/trial/Judge.h"
#include "tool/trial/ValueText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <thread>

using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace nvmove {

namespace {

/// What the killed runs may take, if nobody says how many there are to be.
constexpr Seconds killsBudget(40);
/// Of longer inputs the memory is not kept after each line.
constexpr unsigned mostSnapshots = 200;

Error bad(MessageId id, const Twine &text,
          std::vector<std::string> details = {}) {
  return makeError(id, text.str(), {}, std::move(details));
}

std::vector<std::string> linesOf(StringRef text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back(line.str());
    text = rest;
  }
  return lines;
}

Error readInput(const Options &options, Baseline &b) {
  auto text = MemoryBuffer::getFile(options.trialInput, /*IsText=*/true);
  if (!text)
    return makeError(MessageId::FileMissing,
                     "cannot read the input: " + text.getError().message(),
                     {options.trialInput});
  b.program.lines = linesOf((*text)->getBuffer());
  if (b.program.lines.empty())
    return makeError(MessageId::EmptyInput, "this input has no line",
                     {options.trialInput});
  return Error::success();
}

/// The driver's parts are the lines.
Error readParts(const Options &options, Baseline &b) {
  auto driver = Driver::find(options.driver);
  if (!driver)
    return driver.takeError();
  b.program.driver = *driver;
  auto place = b.scratch->fresh();
  if (!place)
    return place.takeError();
  auto parts = Driver(b.program.driver, **place).listParts();
  if (!parts)
    return parts.takeError();
  b.program.lines = std::move(*parts);
  return Error::success();
}

Error readProgram(const Options &options, Diagnostics &diagnostics,
                  Baseline &b) {
  b.program.arguments = *options.flags;
  std::string path = b.program.arguments.front();
  if (!StringRef(path).contains('/'))
    if (auto found = sys::findProgramByName(path))
      path = *found;
  auto opened = ProgramImage::open(path);
  if (!opened)
    return opened.takeError();
  b.image.emplace(std::move(*opened));
  b.debug = std::make_unique<DebugInfo>(b.image->object());
  b.program.image = &*b.image;
  b.program.statics = b.debug->statics();
  b.byType = !b.program.statics.empty();
  if (b.byType)
    return Error::success();
  b.program.statics = b.image->variables();
  diagnostics.warning(MessageId::NoDebugInfo,
                      "the memory of this program is compared as bytes of its "
                      "static variables, without what they lead to: it has no "
                      "debug information, or no statics",
                      {path});
  return Error::success();
}

std::string shownDriver(const Baseline &b) {
  return relativePath(b.program.driver, currentDirectory());
}

/// `line` is from 1.
std::string lineText(const Baseline &b, size_t line) {
  return (b.program.unit() + Twine(" ") + Twine(line)).str();
}

Error neverWaits(const Baseline &b, const TrialRun &run,
                 std::vector<std::string> said) {
  size_t answered = run.answers.size();
  if (b.program.driver.empty())
    return bad(MessageId::NeverWaits,
               answered ? "the program does not wait for its next line after "
                          "line " +
                              Twine(answered)
                        : "the program does not wait for its first line",
               std::move(said));
  if (!answered)
    return bad(MessageId::NeverWaits,
               "the server neither waits nor listens within 20 s",
               std::move(said));
  return makeError(MessageId::DriverHangs,
                   "the driver does not end: part " + utostr(answered) + " " +
                       quotedText(b.program.lines[answered - 1]),
                   {shownDriver(b)}, lastLines(run.driverErrors));
}

/// Whether the first run, which may end by itself, can be compared with others.
Error checkFirst(const Baseline &b, const TrialRun &run, bool cut) {
  std::vector<std::string> said;
  if (std::string message = runtimeError(run.errors); !message.empty())
    said.push_back(message);
  if (run.end == TrialRun::End::TimedOut)
    return neverWaits(b, run, std::move(said));
  if (run.end == TrialRun::End::Died && (run.answers.size() < 2 || cut)) {
    if (said.empty() && !b.program.driver.empty())
      said = lastLines(run.errors);
    return bad(
        MessageId::EndsAtOnce,
        "the program ends " +
            (run.answers.empty()
                 ? "before it waits for " + std::string(b.program.driver.empty()
                                                            ? "input"
                                                            : "its driver")
                 : "at " + lineText(b, run.answers.size())) +
            ", with " + describeStatus(run.status),
        std::move(said));
  }
  if (run.failedPart && run.failedPart < run.answers.size())
    return makeError(MessageId::DriverFailed,
                     "the driver fails undisturbed: part " +
                         utostr(run.failedPart) + " " +
                         quotedText(b.program.lines[run.failedPart - 1]) +
                         " prints " + quotedText(run.answers[run.failedPart]),
                     {shownDriver(b)}, lastLines(run.driverErrors));
  return Error::success();
}

/// The first run, which started at `begin`: how far the input goes, what it
/// answers, how long that takes.
Error runFirst(Baseline &b, Clock::time_point &begin) {
  for (bool cut = false;; cut = true) {
    auto place = b.scratch->fresh();
    if (!place)
      return place.takeError();
    auto stops = spread(0, b.lines(), mostSnapshots + 1);
    begin = Clock::now();
    RunRequest request{
        0,    b.lines(), true,
        true, {},        [&](unsigned n) {
                         return is_contained(stops, n); }};
    auto run = runProgram(b.program, **place, request);
    if (!run)
      return run.takeError();
    if (Error error = checkFirst(b, *run, cut))
      return error;
    if (run->end == TrialRun::End::Fed) {
      b.run = std::move(*run);
      return Error::success();
    }
    // It ends by itself: what it does with the lines in front is compared.
    unsigned answered = unsigned(run->answers.size()) - 1;
    b.endsAtLine = answered + 1;
    b.program.tail.assign(b.program.lines.begin() + answered,
                          b.program.lines.end());
    b.program.lines.resize(answered);
  }
}

Error differentAnswers(const Baseline &b, size_t line, StringRef first,
                       StringRef second) {
  std::string where = line <= b.lines()
                          ? lineText(b, line) + ": " + b.program.lines[line - 1]
                          : "the end of the input";
  return bad(MessageId::NotRepeatable,
             "two undisturbed runs answer differently",
             {where, "first:  " + quotedText(first),
              "second: " + (second.empty() ? "nothing" : quotedText(second))});
}

/// Lines of answers that differ are left out, unless nothing is left then.
Error maskAnswers(Baseline &b, const TrialRun &second) {
  size_t first = 0; // that differs
  bool some = false;
  for (unsigned i = 1; i <= b.lines(); ++i) {
    std::string &answer = b.run.answers[i];
    AnswerMask mask(answer, second.answers[i]);
    if (!mask.empty() && !first)
      first = i;
    some |= mask.empty() || any_of(linesOf(mask.apply(answer)),
                                   [](StringRef l) { return l != "..."; });
    b.program.masks.push_back(std::move(mask));
  }
  if (first && !some)
    return differentAnswers(b, first, b.run.answers[first],
                            second.answers[first]);
  for (unsigned i = 1; i <= b.lines(); ++i)
    b.run.answers[i] = b.program.masks[i - 1].apply(b.run.answers[i]);
  return Error::success();
}

Error compareServers(Baseline &b, const TrialRun &second) {
  if (second.end != TrialRun::End::Fed)
    return bad(MessageId::NotRepeatable,
               "one of two undisturbed runs does not come past " +
                   lineText(b, second.answers.size()),
               lastLines(second.errors));
  b.program.outlives |= second.outlives || second.status != b.run.status;
  b.waits &= second.waits;
  if (!b.waits)
    b.run.memory.clear();
  return maskAnswers(b, second);
}

Error compareRuns(Baseline &b, const TrialRun &second) {
  if (!b.program.driver.empty())
    return compareServers(b, second);
  AnswerTexts want = answersFrom(b.run, 0), got;
  if (second.end == TrialRun::End::Fed)
    got = answersFrom(second, 0);
  if (auto at = compareAnswers(want, got, false))
    return differentAnswers(b, *at + 1, want[*at],
                            *at < got.size() ? got[*at] : "");
  return Error::success();
}

/// A driver that prints the same without a server shows nothing of it.
Error checkDriver(const Baseline &b) {
  for (unsigned part = b.lines(); part-- > 0;) {
    auto needed = b.needsServer(part);
    if (!needed)
      return needed.takeError();
    if (*needed)
      return Error::success();
  }
  return makeError(MessageId::DriverDeaf,
                   "the driver prints the same when the server does not run",
                   {shownDriver(b)});
}

void choosePoints(const Options &options, Baseline &b) {
  Seconds each = b.run.whole + Seconds(0.15);
  unsigned points = options.points;
  if (!points)
    points = unsigned(std::clamp<double>(killsBudget / each / 2.5, 3, 500));
  auto stops = spread(0, b.lines(), mostSnapshots + 1);
  // A kill after the last line shows least.
  size_t last = stops.size() - (points < stops.size() && stops.size() > 1);
  for (unsigned i : spread(0, last - 1, points))
    b.restPoints.push_back(stops[i]);
  b.eventPoints = chooseEvents(b.run.events, points / 10 + 1, points);
}

} // namespace

std::vector<ValueDifference>
Baseline::differencesAfter(unsigned lines, const TrialRun &again) const {
  auto want = run.memory.find(lines);
  auto got = again.memory.find(lines);
  if (want == run.memory.end() || got == again.memory.end())
    return {};
  return compareMemory(want->second, got->second, own);
}

Expected<bool> Baseline::needsServer(unsigned part) const {
  constexpr Seconds limit(2); // who waits for it that long needs it
  auto place = scratch->fresh();
  if (!place)
    return place.takeError();
  auto done = Driver(program.driver, **place)
                  .doPart(program.lines[part], nullptr, limit);
  if (!done)
    return done.takeError();
  return !done->ended ||
         program.masks[part].apply(done->answer) != run.answers[part + 1];
}

/// The second run, and what differs then.
static Error runAgain(Baseline &b) {
  auto place = b.scratch->fresh();
  if (!place)
    return place.takeError();
  auto second = runProgram(b.program, **place,
                           {0, b.lines(), true, false, {}, [&](unsigned n) {
                              return b.run.memory.count(n) != 0;
                            }});
  if (!second)
    return second.takeError();
  if (Error error = compareRuns(b, *second))
    return error;
  for (const auto &[n, memory] : b.run.memory)
    for (const ValueDifference &d : b.differencesAfter(n, *second))
      b.own.emplace(d.path, d.variable);
  return Error::success();
}

Expected<std::unique_ptr<Baseline>> runUndisturbed(const Options &options,
                                                   Diagnostics &diagnostics,
                                                   Progress &progress) {
  auto result = std::make_unique<Baseline>();
  Baseline &b = *result;
  bool driven = !options.driver.empty();
  progress.show("running it undisturbed");
  if (!driven)
    if (Error error = readInput(options, b))
      return error;
  if (Error error = readProgram(options, diagnostics, b))
    return error;
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  b.scratch = std::move(*scratch);
  if (driven)
    if (Error error = readParts(options, b))
      return error;
  Clock::time_point begin;
  if (Error error = runFirst(b, begin))
    return error;
  b.waits = b.run.waits;
  b.program.outlives = driven && b.run.outlives;
  if (!b.waits)
    b.program.restLimit = Seconds(0);
  // What depends on the time differs between two runs if it has passed.
  std::this_thread::sleep_until(begin + std::chrono::milliseconds(1100));
  if (Error error = runAgain(b))
    return error;
  if (driven)
    if (Error error = checkDriver(b))
      return error;
  b.late = !b.run.rest.empty() &&
           all_of(ArrayRef(b.run.answers).drop_front(),
                  [](const std::string &a) { return a.empty(); });
  b.program.limit = std::max<Seconds>(Seconds(5), 10 * b.run.longest);
  choosePoints(options, b);
  return result;
}

} // namespace nvmove
