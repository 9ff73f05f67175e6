//===- TrialReport.cpp - What a trial says --------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/files/AtomicFile.h"
#include "tool/files/OutputFolder.h"
#include "tool/files/Paths.h"
#include "tool/trial/Trial.h"
#include "tool/trial/ValueText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace nvmove {

namespace {

constexpr size_t lossesShown = 5, differencesShown = 15;

std::string plural(size_t n, StringRef one) {
  return utostr(n) + " " + one.str() + (n == 1 ? "" : "s");
}

/// As a person finds it: relative to the current folder, if it is there.
std::string shownFile(const StaticVariable &v) {
  if (v.file.empty())
    return "";
  return relativePath(canonicalPath(v.file), currentDirectory());
}

std::string placeOf(const StaticVariable &v) {
  std::string file = shownFile(v);
  return file.empty() ? "" : file + ":" + utostr(v.line) + ": ";
}

std::string unit(const TrialResult &r) { return r.driven ? "part" : "line"; }

std::string shownLine(const TrialResult &r, unsigned line) {
  if (line >= 1 && line <= r.lines.size())
    return unit(r) + " " + utostr(line) + " " + quotedText(r.lines[line - 1]);
  return r.driven ? "its end (SIGTERM)" : "the end of the input";
}

std::string where(const TrialResult &r, const TrialLoss &loss) {
  std::string text = "killed ";
  if (loss.atStart)
    return text + "as it starts (event " + utostr(loss.event) + ")";
  text += loss.event ? "inside " + shownLine(r, loss.killedAfter + 1) +
                           " (event " + utostr(loss.event) + ")"
          : loss.killedAfter ? "after " + shownLine(r, loss.killedAfter)
                             : "before " + unit(r) + " 1";
  return text;
}

/// Of two answers what differs first: a line of it.
std::pair<StringRef, StringRef> differingLines(StringRef a, StringRef b) {
  while (!a.empty() && !b.empty() &&
         a.split('\n').first == b.split('\n').first &&
         a.contains('\n') == b.contains('\n')) {
    a = a.split('\n').second;
    b = b.split('\n').second;
  }
  return {a.split('\n').first, b.split('\n').first};
}

void printLoss(const TrialResult &r, const TrialLoss &loss, raw_ostream &os) {
  os << "  " << where(r, loss) << ": ";
  std::string at = loss.line ? " at " + shownLine(r, loss.line)
                             : std::string(" as it starts again");
  switch (loss.kind) {
  case TrialLoss::Kind::Hang:
    os << "hangs" << at << '\n';
    return;
  case TrialLoss::Kind::Death:
    os << "ends" << at << ", with " << loss.how << '\n';
    return;
  case TrialLoss::Kind::Answer:
    auto [got, want] = differingLines(loss.got, loss.want);
    os << shownLine(r, loss.line) << " answers " << quotedText(got)
       << ", undisturbed " << quotedText(want) << '\n';
    return;
  }
}

std::string why(const TrialResult &r, const TrialDifference &d) {
  if (d.asAtStart)
    return "as before the first " + unit(r) +
           (d.kept ? ", though it is kept: was nothing committed since?"
                   : ": changed by handlers, not kept");
  if (!d.lasting)
    return "the same again later";
  return "";
}

void printDifference(const TrialResult &r, const TrialDifference &d,
                     raw_ostream &os) {
  const StaticVariable &v = r.statics[d.variable];
  os << "  " << placeOf(v) << v.name << ": ";
  if (d.path != v.name)
    os << d.path << " is ";
  os << d.undisturbed << " undisturbed, " << d.killed << " after a kill";
  if (d.places > 1)
    os << " (and " << plural(d.places - 1, "other place") << ")";
  if (std::string text = why(r, d); !text.empty())
    os << ": " << text;
  for (const ToldFinding &f : d.told)
    if (f.severity != "note")
      os << " [" << f.id << ']';
  os << '\n';
  if (!d.command.empty())
    os << "    -> " << d.command << '\n';
  else
    for (const ToldFinding &f : d.told)
      if (f.severity != "note" && &f == &d.told.front())
        os << "    -> " << f.advice << '\n';
}

void printDifferences(const TrialResult &r, ArrayRef<TrialDifference> list,
                      raw_ostream &os) {
  for (const TrialDifference &d : list.take_front(differencesShown))
    printDifference(r, d, os);
  if (list.size() > differencesShown)
    os << "  ... and " << list.size() - differencesShown
       << " more in trial.json\n";
}

void printWhatWasDone(const TrialResult &r, const Options &options,
                      raw_ostream &os) {
  std::string one = unit(r), several = one + "s";
  os << "nvmove trial: " << plural(r.lines.size(), one) << " of "
     << (r.driven ? options.driver : options.trialInput) << "; killed "
     << plural(r.killedAtRest, "time") << " between " << several << " and "
     << plural(r.killedInside, "time") << " inside " << several << " ("
     << plural(r.events, "event") << ")";
  if (r.killedAtStart)
    os << ", and " << plural(r.killedAtStart, "time") << " as it starts";
  os << '\n';
  if (r.endsAtLine)
    os << "the program ends at " << one << ' ' << r.endsAtLine << ": the "
       << several << " before it are "
       << (r.driven ? "what it is asked\n" : "its input\n");
  if (r.cutShort)
    os << "after 2 runs without an end the other kills were left out\n";
  else if (!r.killedInside)
    os << "not killed inside " << several << ": "
       << (r.events ? "no event of the runtime is there"
                    : "the runtime has counted no event")
       << '\n';
  if (!r.waits)
    os << "it never waits for long, so its memory is not compared: only "
          "answers are\n";
  if (!r.changingAnswers.empty())
    os << "answers differ in each run, and are left out: "
       << join(r.changingAnswers, ", ") << '\n';
  if (r.silent)
    os << (r.driven ? "the driver prints nothing: only whether its parts "
                      "succeed is compared"
                    : "it prints nothing: only whether it goes on is compared")
       << (r.waits ? ", and its memory\n" : "\n");
  if (r.late)
    os << "answers come together at the end: which line they belong to is not "
          "known\n";
  if (!r.complete)
    os << "memory is larger than what was compared: its end was left out\n";
  if (r.losses.empty() && !r.ownDifferences.empty())
    os << "differ in each run, and are left out: "
       << join(r.ownDifferences, ", ") << '\n';
}

void printLosses(const TrialResult &r, const Options &options,
                 raw_ostream &os) {
  os << "\nlost: after " << plural(r.losses.size(), "kill")
     << " it does not go on as if undisturbed\n";
  for (const TrialLoss &loss : ArrayRef(r.losses).take_front(lossesShown))
    printLoss(r, loss, os);
  if (r.losses.size() > lossesShown)
    os << "  ... and " << r.losses.size() - lossesShown
       << " more in trial.json\n";
  if (r.driven &&
      all_of(r.losses, [](auto &l) { return l.event != 0 && !l.atStart; }))
    os << "only kills inside parts show it: a part that makes several requests "
          "may be half done then; let each be a part\n";
  if (!r.waits) {
    os << "\nits memory, which would say more, is not compared\n";
  } else if (!r.differences.empty()) {
    os << "\nwhat has another value after the restart, worst first:\n";
    printDifferences(r, r.differences, os);
  } else {
    os << "\nnothing in the memory that is compared differs after the "
          "restart\n";
  }
  if (!r.ownDifferences.empty())
    os << "\nor what differs in each run, if it depends on addresses, time or "
          "chance: "
       << join(r.ownDifferences, ", ") << '\n';
  if (r.told)
    return;
  if (!r.acts.empty()) {
    os << "\nthe report has findings to act on, which may be the cause:\n";
    for (const std::string &act : r.acts)
      os << "  " << act << '\n';
    return;
  }
  os << "\nnvmove did not say so"
     << (r.hasReport ? "" : ", or its report is not in " + options.out)
     << ": please report it\n";
  if (!r.smallest.empty())
    os << (r.driven ? "the fewest parts that still show it, killed "
                    : "the smallest input that still shows it, killed ")
       << (r.smallestKilledAfter
               ? "after " + unit(r) + " " + utostr(r.smallestKilledAfter)
               : "before " + unit(r) + " 1")
       << ": " << options.out << "/trial-input.txt\n";
}

json::Value nullIfEmpty(const std::string &text) {
  return text.empty() ? json::Value(nullptr) : json::Value(json::fixUTF8(text));
}

json::Array describe(const TrialResult &r, ArrayRef<TrialDifference> list) {
  json::Array result;
  for (const TrialDifference &d : list) {
    const StaticVariable &v = r.statics[d.variable];
    json::Array told;
    for (const ToldFinding &f : d.told)
      told.push_back(json::Object{{"id", f.id}, {"severity", f.severity}});
    result.push_back(json::Object{
        {"static", v.name},
        {"location", v.file.empty()
                         ? json::Value(nullptr)
                         : json::Object{{"file", json::fixUTF8(shownFile(v))},
                                        {"line", int64_t(v.line)}}},
        {"path", d.path},
        {"undisturbed", json::fixUTF8(d.undisturbed)},
        {"afterKill", json::fixUTF8(d.killed)},
        {"places", int64_t(d.places)},
        {"lasting", d.lasting},
        {"certain", d.certain},
        {"asAtStart", d.asAtStart},
        {"kept", d.kept},
        {"killedAfter", int64_t(d.killedAfter)},
        {"findings", std::move(told)},
        {"command", nullIfEmpty(d.command)}});
  }
  return result;
}

json::Object describe(const TrialLoss &loss) {
  const char *kind = loss.kind == TrialLoss::Kind::Hang    ? "hang"
                     : loss.kind == TrialLoss::Kind::Death ? "death"
                                                           : "answer";
  return json::Object{{"kind", kind},
                      {"killedAfter", int64_t(loss.killedAfter)},
                      {"event", int64_t(loss.event)},
                      {"atStart", loss.atStart},
                      {"line", int64_t(loss.line)},
                      {"undisturbed", json::fixUTF8(loss.want)},
                      {"afterKill", json::fixUTF8(loss.got)},
                      {"how", json::fixUTF8(loss.how)}};
}

json::Array strings(ArrayRef<std::string> texts) {
  json::Array result;
  for (const std::string &text : texts)
    result.push_back(json::fixUTF8(text));
  return result;
}

} // namespace

void printTrial(const TrialResult &r, const Options &options, raw_ostream &os) {
  printWhatWasDone(r, options, os);
  if (!r.losses.empty())
    printLosses(r, options, os);
  if (!r.questions.empty()) {
    os << "\nnot seen in the answers, but other than undisturbed to the end; "
          "does it matter?\n";
    printDifferences(r, r.questions, os);
  }
  if (r.losses.empty())
    os << "\nnothing is lost\n";
}

std::string trialJson(const TrialResult &r, const Options &options) {
  json::Array losses;
  for (const TrialLoss &loss : r.losses)
    losses.push_back(describe(loss));
  json::Value smallest = nullptr;
  if (!r.smallest.empty())
    smallest = json::Object{{"lines", strings(r.smallest)},
                            {"killedAfter", int64_t(r.smallestKilledAfter)}};
  return formatv("{0:2}\n",
                 json::Value(json::Object{
                     {"schemaVersion", 1},
                     {"tool", json::Object{{"name", "nvmove"},
                                           {"version", NVMOVE_VERSION}}},
                     {"program", strings(*options.flags)},
                     {"input", nullIfEmpty(options.trialInput)},
                     {"driver", nullIfEmpty(options.driver)},
                     {"lines", int64_t(r.lines.size())},
                     {"endsAtLine", int64_t(r.endsAtLine)},
                     {"memory", !r.waits   ? "none"
                                : r.byType ? "types"
                                           : "bytes"},
                     {"memoryComplete", r.complete},
                     {"answersLate", r.late},
                     {"answersNothing", r.silent},
                     {"cutShort", r.cutShort},
                     {"killedAtRest", int64_t(r.killedAtRest)},
                     {"killedInside", int64_t(r.killedInside)},
                     {"killedAtStart", int64_t(r.killedAtStart)},
                     {"events", int64_t(r.events)},
                     {"lost", !r.losses.empty()},
                     {"losses", std::move(losses)},
                     {"differences", describe(r, r.differences)},
                     {"questions", describe(r, r.questions)},
                     {"told", r.told},
                     {"findingsToActOn", strings(r.acts)},
                     {"smallestInput", std::move(smallest)},
                     {"differByThemselves", strings(r.ownDifferences)},
                     {"answersDiffer", strings(r.changingAnswers)},
                     {"notLookedAt", strings(r.notLookedAt)}}))
      .str();
}

Error writeTrial(const TrialResult &r, const Options &options) {
  if (auto ec = sys::fs::create_directories(options.out))
    return makeError(MessageId::OutputFailed,
                     "cannot create the output folder: " + ec.message(),
                     {options.out});
  std::string text, input = options.out + "/trial-input.txt";
  raw_string_ostream os(text);
  printTrial(r, options, os);
  if (r.smallest.empty())
    sys::fs::remove(input); // of an earlier trial
  else if (Error error =
               writeFileAtomically(input, join(r.smallest, "\n") + "\n"))
    return error;
  if (Error error = writeFileAtomically(options.out + "/trial.txt", text))
    return error;
  return writeFileAtomically(options.out + "/trial.json",
                             trialJson(r, options));
}

} // namespace nvmove
