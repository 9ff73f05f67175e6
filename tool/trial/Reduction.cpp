//===- Reduction.cpp - The smallest input that shows a loss ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Reduction.h"
#include "tool/trial/Judge.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace nvmove {

namespace {

constexpr std::chrono::seconds reduceBudget(30);

Expected<TrialRun> runFresh(const Baseline &b, const TrialProgram &part) {
  auto place = b.scratch->fresh();
  if (!place)
    return place.takeError();
  return runProgram(part, **place,
                    {0, unsigned(part.lines.size()), true, false, {}, {}});
}

/// Whether a program that gets these lines, and is killed, or ends, goes on
/// otherwise.
Expected<bool> loses(const Baseline &b, const SmallInput &input, bool ended,
                     ArrayRef<size_t> kept) {
  TrialProgram part = b.program;
  part.lines = input.lines;
  part.masks.clear();
  for (size_t i : kept)
    if (i < b.program.masks.size())
      part.masks.push_back(b.program.masks[i]);
  auto whole = runFresh(b, part);
  if (!whole)
    return whole.takeError();
  if (whole->end != TrialRun::End::Fed)
    return false;
  auto place = b.scratch->fresh();
  if (!place)
    return place.takeError();
  auto killed =
      runProgram(part, **place, {0, input.killedAfter, ended, false, {}, {}});
  if (!killed)
    return killed.takeError();
  if (killed->end != TrialRun::End::Fed)
    return false;
  auto again = runProgram(
      part, **place,
      {input.killedAfter, unsigned(part.lines.size()), true, false, {}, {}});
  if (!again)
    return again.takeError();
  return judgeRun(*whole, *again, input.killedAfter, b.late).has_value();
}

} // namespace

Expected<SmallInput> reduceInput(const Baseline &b, unsigned killedAfter,
                                 bool ended, Progress &progress) {
  Clock::time_point end = Clock::now() + reduceBudget;
  Error failed = Error::success();
  auto pick = [&](ArrayRef<size_t> kept) {
    SmallInput input;
    for (size_t i : kept) {
      input.lines.push_back(b.program.lines[i]);
      input.killedAfter += i < killedAfter;
    }
    return input;
  };
  std::vector<size_t> kept =
      minimize(b.lines(), [&](ArrayRef<size_t> some) -> std::optional<bool> {
        progress.show("making the input small", some.size(), b.lines());
        if (Clock::now() >= end)
          return std::nullopt;
        Expected<bool> lost = loses(b, pick(some), ended, some);
        if (lost)
          return *lost;
        failed = joinErrors(std::move(failed), lost.takeError());
        return std::nullopt;
      });
  if (failed)
    return failed;
  return pick(kept);
}

} // namespace nvmove
