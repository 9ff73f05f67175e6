//===- TrialReport.cpp - What a trial says --------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/files/AtomicFile.h"
#include "tool/files/OutputFolder.h"
#include "tool/trial/TrialText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace nvmove {

namespace {

constexpr size_t lossesShown = 5, differencesShown = 15;

void printDifferences(const TrialResult &r, ArrayRef<TrialDifference> list,
                      raw_ostream &os) {
  for (const TrialDifference &d : list.take_front(differencesShown)) {
    os << "  " << placeOf(r, d) << differenceText(r, d) << '\n';
    if (std::string next = nextStep(d); !next.empty())
      os << "    -> " << next << '\n';
  }
  if (list.size() > differencesShown)
    os << "  ... and " << list.size() - differencesShown
       << " more in trial.json\n";
}

void printWhatWasDone(const TrialResult &r, const Options &options,
                      raw_ostream &os) {
  std::string one = unit(r), several = one + "s";
  os << "nvmove trial: " << whatWasDone(r, options) << '\n';
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
  os << "\nlost: after " << timesLost(r)
     << " it does not go on as if undisturbed\n";
  for (const TrialLoss &loss : ArrayRef(r.losses).take_front(lossesShown))
    os << "  " << lossText(r, loss) << '\n';
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
  if (!r.acts.empty())
    os << "\nthe report has findings to act on, which may be the cause:\n";
  for (const std::string &act : r.acts)
    os << "  " << act << '\n';
  if (!r.checks.empty())
    os << "\nthe report asks, and that may be the cause:\n";
  for (const std::string &check : r.checks)
    os << "  " << check << '\n';
  if (!r.acts.empty() || !r.checks.empty())
    return;
  os << "\nnvmove did not say so"
     << (r.hasReport ? "" : ", or its report is not in " + options.out)
     << ": please report it\n";
  if (r.smallest.empty())
    return;
  os << (r.driven ? "the fewest parts that still show it, "
                  : "the smallest input that still shows it, ")
     << disturbanceText(r, r.smallest, r.smallestLoss) << ": " << options.out
     << "/trial-input.txt\n";
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
  std::string page = options.out + "/report.html";
  if (auto old = MemoryBuffer::getFile(page))
    if (Error error = writeFileAtomically(
            page, pageWithTrial((*old)->getBuffer().str(), r, options)))
      return error;
  return writeFileAtomically(options.out + "/trial.json",
                             trialJson(r, options));
}

} // namespace nvmove
