//===- Judge.cpp - Whether a restarted program goes on as it should -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Judge.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <csignal>
#include <sys/wait.h>

using namespace llvm;

namespace nvmove {

namespace {

TrialLoss death(const TrialRun &again, unsigned line) {
  TrialLoss loss;
  loss.kind = TrialLoss::Kind::Death;
  loss.line = line;
  loss.how = describeStatus(again.status);
  if (std::string message = runtimeError(again.errors); !message.empty())
    loss.how += ": " + message;
  return loss;
}

TrialLoss hang(unsigned line) {
  TrialLoss loss;
  loss.kind = TrialLoss::Kind::Hang;
  loss.line = line;
  return loss;
}

} // namespace

AnswerTexts answersFrom(const TrialRun &undisturbed, unsigned from) {
  AnswerTexts texts(undisturbed.answers.begin() + from + 1,
                    undisturbed.answers.end());
  texts.push_back(undisturbed.rest);
  return texts;
}

std::optional<TrialLoss> judgeRun(const TrialRun &undisturbed,
                                  const TrialRun &again, unsigned from,
                                  bool late) {
  // The line that it was about to answer; 0: it did not come that far.
  unsigned line = again.answers.empty() ? 0 : from + again.answers.size();
  if (again.end == TrialRun::End::TimedOut)
    return hang(line);
  if (again.end == TrialRun::End::Died)
    return death(again, line);
  AnswerTexts want = answersFrom(undisturbed, from),
              got(again.answers.begin() + 1, again.answers.end());
  got.push_back(again.rest);
  if (auto at = compareAnswers(want, got, late)) {
    TrialLoss loss;
    loss.line = from + 1 + unsigned(*at);
    loss.want = want[*at];
    loss.got = *at < got.size() ? got[*at] : "";
    return loss;
  }
  if (again.outlives && !undisturbed.outlives)
    return hang(line);
  if (!undisturbed.outlives && again.status != undisturbed.status)
    return death(again, line);
  return std::nullopt;
}

bool wasKilled(const TrialRun &run) {
  return run.end == TrialRun::End::Died && WIFSIGNALED(run.status) &&
         WTERMSIG(run.status) == SIGKILL;
}

Expected<std::vector<unsigned>>
statesAfter(const TrialRun &killed, const TrialRun &undisturbed,
            function_ref<Expected<bool>(unsigned line)> isItsOwn) {
  if (killed.answers.empty())
    return std::vector<unsigned>{0}; // it had not begun to read
  unsigned answered = unsigned(killed.answers.size()) - 1;
  if (answered + 1 == undisturbed.answers.size())
    return std::vector<unsigned>{answered};
  const std::string &answer = undisturbed.answers[answered + 1];
  if (answer.empty() || killed.rest != answer)
    return std::vector<unsigned>{answered, answered + 1};
  // A driver may print that without having heard it.
  auto own = isItsOwn(answered);
  if (!own)
    return own.takeError();
  if (*own)
    return std::vector<unsigned>{answered + 1};
  return std::vector<unsigned>{answered, answered + 1};
}

std::vector<unsigned> spread(unsigned long first, unsigned long last,
                             unsigned long most) {
  std::vector<unsigned> result;
  unsigned long count = last < first ? 0 : last - first + 1;
  unsigned long taken = std::min(count, std::max(most, 1ul));
  for (unsigned long i = 0; i < taken; ++i)
    result.push_back(unsigned(
        first + (taken == 1 ? count / 2 : i * (count - 1) / (taken - 1))));
  return result;
}

std::vector<unsigned> chooseEvents(ArrayRef<unsigned long> events,
                                   unsigned atStart, unsigned most) {
  std::vector<unsigned> result = spread(1, events.front(), atStart);
  if (events.back() - events.front() <= most) {
    append_range(result, spread(events.front() + 1, events.back(), most));
    return result;
  }
  std::vector<size_t> lines; // that have some
  for (size_t i = 1; i < events.size(); ++i)
    if (events[i] > events[i - 1])
      lines.push_back(i);
  // Of fewer points than lines, each lies at another place of its line: the
  // multiples of the golden section are spread evenly.
  constexpr double golden = 0.6180339887;
  double place = 0.5;
  for (unsigned i : spread(0, lines.size() - 1, most)) {
    unsigned long first = events[lines[i] - 1] + 1, last = events[lines[i]];
    unsigned share = most / unsigned(lines.size());
    if (share > 1) {
      append_range(result, spread(first, last, share));
      continue;
    }
    result.push_back(unsigned(first + place * double(last - first + 1)));
    place = std::fmod(place + golden, 1);
  }
  return result;
}

std::vector<size_t>
minimize(size_t count,
         function_ref<std::optional<bool>(ArrayRef<size_t>)> fails) {
  std::vector<size_t> kept(count);
  for (size_t i = 0; i < count; ++i)
    kept[i] = i;
  // Leaves out one of `parts` parts after the other; finer where none can be.
  for (size_t parts = 2; !kept.empty();) {
    parts = std::min(parts, kept.size());
    bool smaller = false;
    for (size_t i = 0; i < parts && !smaller; ++i) {
      size_t begin = i * kept.size() / parts,
             end = (i + 1) * kept.size() / parts;
      std::vector<size_t> rest(kept.begin(), kept.begin() + begin);
      rest.insert(rest.end(), kept.begin() + end, kept.end());
      std::optional<bool> still = fails(rest);
      if (!still)
        return kept;
      if (*still) {
        kept = std::move(rest);
        smaller = true;
      }
    }
    if (smaller)
      parts = std::max<size_t>(parts - 1, 2);
    else if (parts == kept.size())
      break;
    else
      parts *= 2;
  }
  return kept;
}

} // namespace nvmove
