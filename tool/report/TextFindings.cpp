//===- TextFindings.cpp - Findings as questions, for people ---------------===//
//-------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

/// Of questions of one kind a screen has the first ones, and the file all.
static constexpr size_t questionsShown = 10;

static void writeLine(StringRef indent, const ShownFinding &f, StringRef what,
                      raw_ostream &os) {
  os << indent << left_justify(f.place(), 24) << "  "
     << left_justify(f.kind().id, 20) << "  " << what;
  if (!f.function.empty())
    os << " (in " << f.function << ')';
}

static void writeQuestion(const ShownQuestion &q, raw_ostream &os) {
  writeLine("  ", q.first(), q.what, os);
  if (q.places > 1)
    os << " (and " << counted(q.places - 1, "more places") << ')';
  os << "\n      -> " << q.first().advice << '\n';
}

/// Each finding of a question of several, with its id, for grep.
static void writeFindings(const ShownQuestion &q, raw_ostream &os) {
  if (q.findings.size() == 1)
    return;
  for (const ShownFinding *f : q.findings) {
    writeLine("      at ", *f, f->what, os);
    os << '\n';
  }
}

static void writeQuestions(ArrayRef<ShownQuestion> questions, bool isComplete,
                           raw_ostream &os) {
  std::map<StringRef, size_t> seen;
  for (const ShownQuestion &q : questions)
    if (++seen[q.first().kind().id] <= questionsShown || isComplete) {
      writeQuestion(q, os);
      if (isComplete)
        writeFindings(q, os);
    }
  for (auto [id, n] : seen)
    if (n > questionsShown && !isComplete)
      os << "  ... " << n - questionsShown << " more " << id
         << " in report.txt\n";
}

void writeFindings(const std::vector<ShownFinding> &findings, bool isComplete,
                   raw_ostream &os) {
  const std::pair<Severity, StringRef> parts[] = {
      {Severity::Act, "to act on   (data is lost, or the program is wrong, "
                      "unless you do this)"},
      {Severity::Check, "to check   (may need a change: here is the question "
                        "to answer)"},
      {Severity::Note, "to know   (how the result came about)"}};
  for (auto [severity, meaning] : parts) {
    std::vector<ShownQuestion> questions = questionsOf(findings, severity);
    if (questions.empty())
      continue;
    if (severity == Severity::Note && !isComplete) {
      os << "\n+ " << counted(questions.size(), "notes")
         << ": --notes, or report.txt\n";
    } else {
      os << '\n'
         << counted(questions.size(), "findings") << ' ' << meaning << '\n';
      writeQuestions(questions, isComplete, os);
    }
  }
  if (none_of(findings, [](auto &f) { return f.severity != Severity::Note; }))
    os << "\nnothing to act on, nothing to check\n";
}

} // namespace nvmove
