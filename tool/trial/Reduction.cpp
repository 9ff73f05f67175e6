//===- Reduction.cpp - The smallest input that shows a loss ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Reduction.h"
#include "tool/trial/Judge.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace nvmove {

namespace {

constexpr std::chrono::seconds reduceBudget(30);

/// At how many events of a line it is killed before the line counts as right.
constexpr unsigned mostEvents = 12;

/// Runs the program with some lines of the input, of which it has answered
/// `killedAfter` when it is killed, or inside the next one.
class Reducer {
public:
  Reducer(const Baseline &b, const TrialLoss &loss) : b(b), loss(loss) {
    if (loss.event && !loss.atStart)
      offset = loss.event - b.run.events[loss.killedAfter];
  }

  /// Whether it goes on otherwise with these lines, in order. If so, `event` is
  /// where it was killed inside the line.
  Expected<bool> loses(ArrayRef<size_t> kept);
  SmallInput pick(ArrayRef<size_t> kept) const;
  /// The line that it is killed in cannot be left out.
  bool isNeeded(size_t line) const {
    return loss.event && !loss.atStart && line == loss.killedAfter;
  }

  unsigned long event = 0;

private:
  Expected<TrialRun> run(const ScratchPlace &place, unsigned from, unsigned to,
                         bool finish, std::vector<std::string> environment = {},
                         bool countEvents = false);
  std::vector<unsigned> eventsOf(const TrialRun &whole, unsigned after) const;
  Expected<bool> losesBetween(const TrialRun &whole, unsigned after);
  Expected<bool> losesAt(const TrialRun &whole, unsigned long at,
                         ArrayRef<size_t> kept);
  Expected<bool> goesOn(const TrialRun &whole, const ScratchPlace &place,
                        unsigned from);

  const Baseline &b;
  const TrialLoss &loss;
  unsigned long offset = 0; ///< of the event in its line
  TrialProgram part;
};

SmallInput Reducer::pick(ArrayRef<size_t> kept) const {
  SmallInput input;
  for (size_t i : kept) {
    input.lines.push_back(b.program.lines[i]);
    input.killedAfter += i < loss.killedAfter;
  }
  input.event = event;
  return input;
}

Expected<TrialRun> Reducer::run(const ScratchPlace &place, unsigned from,
                                unsigned to, bool finish,
                                std::vector<std::string> environment,
                                bool countEvents) {
  return runProgram(
      part, place, {from, to, finish, countEvents, std::move(environment), {}});
}

Expected<bool> Reducer::goesOn(const TrialRun &whole, const ScratchPlace &place,
                               unsigned from) {
  auto again = run(place, from, unsigned(part.lines.size()), true);
  if (!again)
    return again.takeError();
  return !judgeRun(whole, *again, from, b.late);
}

Expected<bool> Reducer::losesBetween(const TrialRun &whole, unsigned after) {
  auto place = b.scratch->fresh();
  if (!place)
    return place.takeError();
  auto killed = run(**place, 0, after, loss.ended);
  if (!killed)
    return killed.takeError();
  if (killed->end != TrialRun::End::Fed)
    return false;
  auto right = goesOn(whole, **place, after);
  if (!right)
    return right.takeError();
  return !*right;
}

Expected<bool> Reducer::losesAt(const TrialRun &whole, unsigned long at,
                                ArrayRef<size_t> kept) {
  auto place = b.scratch->fresh();
  if (!place)
    return place.takeError();
  auto killed = run(**place, 0, unsigned(part.lines.size()), false,
                    {"NVM_CRASH_AT=" + utostr(at)});
  if (!killed)
    return killed.takeError();
  if (!wasKilled(*killed) || killed->answers.empty() != loss.atStart)
    return false;
  auto states = statesAfter(*killed, whole, [&](unsigned line) {
    return b.isItsOwn(unsigned(kept[line]));
  });
  if (!states)
    return states.takeError();
  for (unsigned from : *states) {
    auto copy = b.scratch->copyOf(**place);
    if (!copy)
      return copy.takeError();
    auto right = goesOn(whole, **copy, from);
    if (!right)
      return right.takeError();
    if (*right)
      return false;
  }
  return true;
}

/// The same event of the line first.
std::vector<unsigned> Reducer::eventsOf(const TrialRun &whole,
                                        unsigned after) const {
  if (loss.atStart)
    return {unsigned(loss.event)};
  if (after + 1 >= whole.events.size())
    return {};
  unsigned long first = whole.events[after] + 1, last = whole.events[after + 1];
  std::vector<unsigned> result;
  if (first + offset - 1 <= last)
    result.push_back(unsigned(first + offset - 1));
  for (unsigned at : spread(first, last, mostEvents))
    if (!is_contained(result, at))
      result.push_back(at);
  return result;
}

Expected<bool> Reducer::loses(ArrayRef<size_t> kept) {
  const SmallInput input = pick(kept);
  part = b.program;
  part.lines = input.lines;
  part.masks.clear();
  for (size_t i : kept)
    if (i < b.program.masks.size())
      part.masks.push_back(b.program.masks[i]);
  auto place = b.scratch->fresh();
  if (!place)
    return place.takeError();
  auto whole =
      run(**place, 0, unsigned(part.lines.size()), true, {}, loss.event != 0);
  if (!whole)
    return whole.takeError();
  if (whole->end != TrialRun::End::Fed)
    return false;
  if (!loss.event)
    return losesBetween(*whole, input.killedAfter);
  for (unsigned at : eventsOf(*whole, input.killedAfter)) {
    auto lost = losesAt(*whole, at, kept);
    if (!lost)
      return lost.takeError();
    if (*lost) {
      event = at;
      return true;
    }
  }
  return false;
}

} // namespace

Expected<SmallInput> reduceInput(const Baseline &b, const TrialLoss &loss,
                                 Progress &progress) {
  if (loss.event && !loss.atStart &&
      loss.killedAfter + 1 >= b.run.events.size())
    return SmallInput(); // a program without symbols: events of no line
  Clock::time_point end = Clock::now() + reduceBudget;
  Reducer reducer(b, loss);
  std::vector<size_t> all, optional; // lines
  for (size_t i = 0; i < b.lines(); ++i) {
    all.push_back(i);
    if (!reducer.isNeeded(i))
      optional.push_back(i);
  }
  auto with = [&](ArrayRef<size_t> some) {
    std::vector<size_t> kept;
    for (size_t at : some)
      kept.push_back(optional[at]);
    if (optional.size() < all.size())
      kept.push_back(loss.killedAfter);
    sort(kept);
    return kept;
  };
  Error failed = Error::success();
  SmallInput smallest;
  auto loses = [&](ArrayRef<size_t> kept) -> std::optional<bool> {
    progress.show("making the input small", kept.size(), b.lines());
    if (Clock::now() >= end)
      return std::nullopt;
    Expected<bool> lost = reducer.loses(kept);
    if (!lost) {
      failed = joinErrors(std::move(failed), lost.takeError());
      return std::nullopt;
    }
    if (*lost)
      smallest = reducer.pick(kept);
    return *lost;
  };
  if (loses(all).value_or(false))
    minimize(optional.size(),
             [&](ArrayRef<size_t> some) { return loses(with(some)); });
  if (failed)
    return failed;
  return smallest;
}

} // namespace nvmove
