//===- HtmlFindings.cpp - Findings as questions, on the page --------------===//
//------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Findings.h"
#include "tool/report/Html.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

namespace {

class FindingsWriter {
public:
  FindingsWriter(const std::vector<ShownFinding> &found, raw_ostream &os)
      : found(found), os(os) {}

  /// What there is to do is open; how the result came about is closed.
  void section(Severity severity, StringRef id, StringRef heading,
               StringRef meaning) {
    std::vector<ShownQuestion> questions = questionsOf(found, severity);
    os << "<section class=\"findings " << id << "\"><h2 id=\"" << id << "\">"
       << questions.size() << ' ' << nounFor(questions.size(), heading)
       << "</h2>\n<p class=\"soft\">"
       << (questions.empty() ? "Nothing." : meaning) << "</p>\n";
    for (size_t i = 0; i < questions.size();) {
      size_t end = i;
      while (end < questions.size() &&
             questions[end].first().id == questions[i].first().id)
        ++end;
      kind(ArrayRef(questions).slice(i, end - i));
      i = end;
    }
    os << "</section>\n";
  }

private:
  void kind(ArrayRef<ShownQuestion> questions) {
    const ShownFinding &first = questions.front().first();
    os << "<details class=\"group\""
       << (first.severity == Severity::Note ? "" : " open=\"open\"")
       << "><summary>" << code(first.kind().id) << " <span class=\"soft\">"
       << escape(first.kind().title) << ", " << questions.size()
       << "</span></summary><div><table>\n";
    std::string advice;
    for (const ShownQuestion &q : questions) {
      os << "<tr class=\"item\"><td class=\"place\">" << placeOf(q.first())
         << "</td><td>" << escape(q.what) << inFunction(q.first());
      places(q);
      // Said once for all that follow with the same.
      if (q.first().advice != advice)
        os << "<p class=\"advice\">" << escape(q.first().advice) << "</p>";
      advice = q.first().advice;
      os << "</td></tr>\n";
    }
    os << "</table></div></details>\n";
  }

  /// Each finding of a question of several.
  void places(const ShownQuestion &q) {
    if (q.findings.size() == 1)
      return;
    os << "<details class=\"places\"><summary class=\"soft\">"
       << (q.places > 1 ? counted(q.places, "places")
                        : counted(q.findings.size(), "names"))
       << "</summary><ul>\n";
    for (const ShownFinding *f : q.findings) {
      os << "<li><span class=\"place\">" << placeOf(*f) << "</span>";
      if (f->what != q.what)
        os << ' ' << escape(f->what);
      os << inFunction(*f) << "</li>\n";
    }
    os << "</ul></details>\n";
  }

  static std::string placeOf(const ShownFinding &f) {
    return escape(f.path) + (f.line ? ":" + utostr(f.line) : "");
  }

  static std::string inFunction(const ShownFinding &f) {
    return f.function.empty() ? "" : " (in " + code(f.function) + ")";
  }

  const std::vector<ShownFinding> &found;
  raw_ostream &os;
};

} // namespace

void writeFindingsPage(const std::vector<ShownFinding> &findings,
                       raw_ostream &os) {
  FindingsWriter writer(findings, os);
  writer.section(Severity::Act, "act", "to act on",
                 "Data is lost, or the program is wrong, unless you do this.");
  writer.section(Severity::Check, "check", "to check",
                 "May need a change: here is the question to answer.");
  writer.section(Severity::Note, "notes", "notes",
                 "How the result came about.");
}

} // namespace nvmove
