//===- Baseline.cpp - What an undisturbed program does --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Baseline.h"
#include "tool/message/Diagnostics.h"
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

/// The first run, which started at `begin`: how far the input goes, what it
/// answers, how long that takes.
Error runFirst(Baseline &b, Clock::time_point &begin) {
  for (bool cut = false;; cut = true) {
    auto place = b.scratch->fresh();
    if (!place)
      return place.takeError();
    auto stops = spread(0, b.lines(), mostSnapshots + 1);
    begin = Clock::now();
    auto run =
        runProgram(b.program, **place,
                   {0, b.lines(), true, {"NVM_CRASH_COUNT=1"}, [&](unsigned n) {
                      return is_contained(stops, n);
                    }});
    if (!run)
      return run.takeError();
    std::vector<std::string> said;
    if (std::string message = runtimeError(run->errors); !message.empty())
      said.push_back(message);
    if (run->end == TrialRun::End::TimedOut)
      return bad(MessageId::NeverWaits,
                 run->answers.empty()
                     ? "the program does not wait for its first line"
                     : "the program does not wait for its next line after "
                       "line " +
                           Twine(run->answers.size()),
                 said);
    if (run->end == TrialRun::End::Fed) {
      b.run = std::move(*run);
      b.events = countedEvents(b.run);
      return Error::success();
    }
    if (run->answers.empty() || cut)
      return bad(MessageId::EndsAtOnce,
                 "the program ends before it waits for input, with " +
                     describeStatus(run->status),
                 said);
    // It ends by itself: what it does with the lines in front is compared.
    unsigned answered = unsigned(run->answers.size()) - 1;
    b.endsAtLine = answered + 1;
    b.program.tail.assign(b.program.lines.begin() + answered,
                          b.program.lines.end());
    b.program.lines.resize(answered);
  }
}

Error compareRuns(Baseline &b, const TrialRun &second) {
  AnswerTexts want = answersFrom(b.run, 0), got;
  if (second.end == TrialRun::End::Fed)
    got = answersFrom(second, 0);
  if (auto at = compareAnswers(want, got, false)) {
    std::string line = *at < b.lines() ? "line " + utostr(*at + 1) + ": " +
                                             b.program.lines[*at]
                                       : "the end of the input";
    return bad(MessageId::NotRepeatable,
               "two undisturbed runs answer differently",
               {line, "first:  " + quotedText(want[*at]),
                "second: " + (*at < got.size() ? quotedText(got[*at])
                                               : std::string("nothing"))});
  }
  for (const auto &[n, memory] : b.run.memory)
    if (second.memory.count(n))
      for (const ValueDifference &d : b.differencesAfter(n, second))
        b.own.emplace(d.path, d.variable);
  return Error::success();
}

void choosePoints(const Options &options, Baseline &b) {
  Seconds each = b.run.whole + Seconds(0.15);
  unsigned points = options.points;
  if (!points)
    points = unsigned(std::clamp<double>(killsBudget / each / 2.5, 3, 500));
  std::vector<unsigned> stops;
  for (const auto &[n, memory] : b.run.memory)
    stops.push_back(n);
  // A kill after the last line shows least.
  size_t last = stops.size() - (points < stops.size() && stops.size() > 1);
  for (unsigned i : spread(0, last - 1, points))
    b.restPoints.push_back(stops[i]);
  if (b.events)
    b.eventPoints = spread(1, b.events, points);
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

Expected<std::unique_ptr<Baseline>> runUndisturbed(const Options &options,
                                                   Diagnostics &diagnostics,
                                                   Progress &progress) {
  auto result = std::make_unique<Baseline>();
  Baseline &b = *result;
  progress.show("running it undisturbed");
  if (Error error = readInput(options, b))
    return error;
  if (Error error = readProgram(options, diagnostics, b))
    return error;
  auto scratch = Scratch::create();
  if (!scratch)
    return scratch.takeError();
  b.scratch = std::move(*scratch);
  Clock::time_point begin;
  if (Error error = runFirst(b, begin))
    return error;
  // What depends on the time differs between two runs if it has passed.
  std::this_thread::sleep_until(begin + std::chrono::milliseconds(1100));
  auto place = b.scratch->fresh();
  if (!place)
    return place.takeError();
  auto second =
      runProgram(b.program, **place, {0, b.lines(), true, {}, [&](unsigned n) {
                                        return b.run.memory.count(n) != 0;
                                      }});
  if (!second)
    return second.takeError();
  if (Error error = compareRuns(b, *second))
    return error;
  b.late = !b.run.rest.empty() &&
           all_of(ArrayRef(b.run.answers).drop_front(),
                  [](const std::string &a) { return a.empty(); });
  b.program.limit = std::max<Seconds>(Seconds(5), 10 * b.run.longest);
  choosePoints(options, b);
  return result;
}

} // namespace nvmove
