//===- TrialText.cpp - What a trial says, sentence by sentence ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/TrialText.h"
#include "tool/files/Paths.h"
#include "tool/trial/ValueText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace nvmove {

std::string plural(size_t n, StringRef one) {
  return utostr(n) + " " + one.str() + (n == 1 ? "" : "s");
}

std::string shownFile(const StaticVariable &v) {
  if (v.file.empty())
    return "";
  return relativePath(canonicalPath(v.file), currentDirectory());
}

std::string placeOf(const TrialResult &r, const TrialDifference &d) {
  const StaticVariable &v = r.statics[d.variable];
  std::string file = shownFile(v);
  return file.empty() ? "" : file + ":" + utostr(v.line) + ": ";
}

std::string timesLost(const TrialResult &r) {
  return plural(r.losses.size(), r.losses.front().ended ? "end" : "kill");
}

std::string unit(const TrialResult &r) { return r.driven ? "part" : "line"; }

static std::string shownLine(const TrialResult &r, ArrayRef<std::string> lines,
                             unsigned line) {
  if (line >= 1 && line <= lines.size())
    return unit(r) + " " + utostr(line) + " " + quotedText(lines[line - 1]);
  return r.driven ? "its end (SIGTERM)" : "the end of the input";
}

std::string disturbanceText(const TrialResult &r, ArrayRef<std::string> lines,
                            const TrialLoss &loss) {
  std::string text = loss.ended ? "ended " : "killed ";
  if (loss.atStart)
    return text + "as it starts (event " + utostr(loss.event) + ")";
  text += loss.event ? "inside " + shownLine(r, lines, loss.killedAfter + 1) +
                           " (event " + utostr(loss.event) + ")"
          : loss.killedAfter ? "after " + shownLine(r, lines, loss.killedAfter)
                             : "before " + unit(r) + " 1";
  return text;
}

/// Of two answers what differs first: a line of it.
static std::pair<StringRef, StringRef> differingLines(StringRef a,
                                                      StringRef b) {
  while (!a.empty() && !b.empty() &&
         a.split('\n').first == b.split('\n').first &&
         a.contains('\n') == b.contains('\n')) {
    a = a.split('\n').second;
    b = b.split('\n').second;
  }
  return {a.split('\n').first, b.split('\n').first};
}

std::string lossText(const TrialResult &r, const TrialLoss &loss) {
  std::string text = disturbanceText(r, r.lines, loss) + ": ";
  std::string at = loss.line ? " at " + shownLine(r, r.lines, loss.line)
                             : std::string(" as it starts again");
  switch (loss.kind) {
  case TrialLoss::Kind::Hang:
    return text + "hangs" + at;
  case TrialLoss::Kind::Death:
    return text + "ends" + at + ", with " + loss.how;
  case TrialLoss::Kind::Answer:
    break;
  }
  auto [got, want] = differingLines(loss.got, loss.want);
  return text + shownLine(r, r.lines, loss.line) + " answers " +
         quotedText(got) + ", undisturbed " + quotedText(want);
}

static std::string why(const TrialResult &r, const TrialDifference &d) {
  if (d.asAtStart)
    return "as before the first " + unit(r) +
           (d.kept ? ", though it is kept: was nothing committed since?"
                   : ": changed by handlers, not kept");
  if (d.asBeforeLoad)
    return "as before all, not kept";
  if (!d.lasting)
    return "the same again later";
  return "";
}

/// An act or check finding of the report that names the static.
static bool asks(const ToldFinding &f) { return f.severity != "note"; }

std::string differenceText(const TrialResult &r, const TrialDifference &d) {
  const std::string &name = r.statics[d.variable].name;
  std::string text = name + ": ";
  if (d.path != name)
    text += d.path + " is ";
  text += d.undisturbed + " undisturbed, " + d.killed + " after " +
          (d.ended ? "an end" : "a kill");
  if (d.places > 1)
    text += " (and " + plural(d.places - 1, "other place") + ")";
  if (std::string reason = why(r, d); !reason.empty())
    text += ": " + reason;
  for (const ToldFinding &f : d.told)
    if (asks(f))
      text += " [" + f.id + "]";
  return text;
}

std::string nextStep(const TrialDifference &d) {
  auto told = find_if(d.told, asks);
  return !d.command.empty() || told == d.told.end() ? d.command : told->advice;
}

std::string whatWasDone(const TrialResult &r, const Options &options) {
  std::string text;
  raw_string_ostream os(text);
  std::string one = unit(r), several = one + "s";
  os << plural(r.lines.size(), one) << " of "
     << (r.driven ? options.driver : options.trialInput) << "; killed "
     << plural(r.killedAtRest, "time") << " between " << several << " and "
     << plural(r.killedInside, "time") << " inside " << several << " ("
     << plural(r.events, "event") << ")";
  if (r.killedAtStart)
    os << ", and " << plural(r.killedAtStart, "time") << " as it starts";
  if (r.ended)
    os << "; ended and started again " << plural(r.ended, "time");
  return text;
}

} // namespace nvmove
