//===- OwnEnd.cpp - What a program does when it ends ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/OwnEnd.h"
#include "tool/trial/Judge.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace nvmove {

/// The answers of runs that begin with the same line.
static bool answerAlike(const TrialRun &a, const TrialRun &b, bool late) {
  return a.end == TrialRun::End::Fed && b.end == TrialRun::End::Fed &&
         !compareAnswers(answersFrom(a, 0), answersFrom(b, 0), late);
}

Expected<bool> goesOnLikeThat(const Baseline &b, const TrialProgram &patient,
                              const TrialRun &again, unsigned from) {
  auto place = b.scratch->fresh(), other = b.scratch->fresh();
  if (!place || !other)
    return joinErrors(place.takeError(), other.takeError());
  auto run = [&](const ScratchPlace &where, unsigned first, unsigned end) {
    return runProgram(patient, where, {first, end, true, false, {}, {}, false});
  };
  auto ended = run(**place, 0, from);
  if (!ended)
    return ended.takeError();
  auto saved = run(**place, from, b.lines());
  if (!saved)
    return saved.takeError();
  auto anew = run(**other, from, b.lines());
  if (!anew)
    return anew.takeError();
  return answerAlike(*saved, again, b.late) &&
         !answerAlike(*saved, *anew, b.late);
}

} // namespace nvmove
