//===- HtmlReport.cpp - report.html ------------------------------ ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/StaticNames.h"
#include "tool/files/SourceLines.h"
#include "tool/report/EditedSites.h"
#include "tool/report/Findings.h"
#include "tool/report/Html.h"
#include "tool/report/TypeGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace nvmove {

namespace {

/// A narrow one, in pixels: what is wider has to be scrolled there.
constexpr unsigned phoneWidth = 340;

/// One page that needs nothing else, and no script to be read. It is well
/// formed as XML too, so that a test can hold it to that.
class HtmlWriter {
public:
  HtmlWriter(const Report &report, raw_ostream &os)
      : report(report), facts(report.input.facts), solution(report.solution),
        names(report), lines(facts), found(allFindings(report)),
        edited(allSites(report)), os(os) {}

  void write() {
    head();
    os << "<main>\n";
    writeFindingsPage(found, os);
    graph();
    types();
    roots();
    cuts();
    sections();
    threads();
    sites();
    serialization();
    otherThings();
    os << "</main>\n<footer>nvmove " << NVMOVE_VERSION
       << "</footer>\n<script>//<![CDATA[\n"
       << pageScript << "//]]></script>\n</body>\n</html>\n";
  }

private:
  void head() {
    std::string load = join(report.options.load, ", ");
    os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
          "charset=\"utf-8\"/>\n<meta name=\"viewport\" "
          "content=\"width=device-width, initial-scale=1\"/>\n<title>"
       << escape("What is persistent: " + load)
       << "</title>\n<style>/*<![CDATA[*/\n"
       << pageStyle << "/*]]>*/</style>\n</head>\n<body>\n<header><h1>What "
       << "is persistent</h1>\n<p class=\"soft\">loaded by " << code(load)
       << "; " << counted(report.input.analysed.size(), "files") << ", "
       << counted(count_if(facts.functions,
                           [](const Function &f) { return f.hasBody; }),
                  "functions")
       << ", " << counted(names.programTypes(), "struct types")
       << "</p></header>\n"
       << "<div class=\"bar\"><div><div id=\"tools\" hidden=\"hidden\"><input "
          "id=\"filter\" type=\"search\" placeholder=\"filter by text\" "
          "aria-label=\"filter\"/><button id=\"theme\" type=\"button\">light / "
          "dark</button></div>\n<nav>";
    auto link = [&](StringRef to, size_t n, StringRef what) {
      os << formatv("<a href=\"#{0}\"><b>{1}</b> {2}</a> ", to, n,
                    nounFor(n, what));
    };
    link("types", solution.records.types.size(), "types");
    link("roots", solution.restored.roots.size(), "roots");
    link("cuts", solution.cuts.list.size(), "cuts");
    link("sections", solution.commits.sections.size(), "sections");
    link("sites", edited.size(), "sites");
    auto count = [&](Severity s) { return questionsOf(found, s).size(); };
    link("act", count(Severity::Act), "to act on");
    link("check", count(Severity::Check), "to check");
    link("notes", count(Severity::Note), "notes");
    link("serialization", solution.serialization.functions.size(),
         "load or save only");
    os << "</nav></div></div>\n";
  }

  std::string place(const Loc &loc) const {
    if (loc.file == None)
      return "";
    return "<span class=\"place\">" +
           escape(names.file(loc.file) + ":" + utostr(loc.line)) + "</span>";
  }

  /// The line itself, where the source is still what was analysed.
  void snippet(const Loc &loc) {
    StringRef text = lines.line(loc.file, loc.line);
    if (!text.trim().empty())
      os << "<pre><i>" << loc.line << "  </i>" << escape(text.trim())
         << "</pre>";
  }

  void step(const Loc &loc, std::string words) {
    os << "<li>" << words << ' ' << place(loc);
    snippet(loc);
    os << "</li>\n";
  }

  void witness(const Witness &w) {
    if (!w.callPath.empty() || w.site.file != None) {
      os << "<h3>how the load gets there</h3><ol>";
      for (Id id : w.callPath) {
        const Call &call = facts.calls[id];
        step(call.loc, code(names.function(call.function)) + " calls " +
                           code(names.callee(call)));
      }
      if (w.site.file != None)
        step(w.site, code(names.function(w.function)) + " " + escape(w.action));
      os << "</ol>\n";
    }
    if (w.chain.empty())
      return;
    os << "<h3>how it is reached from static memory</h3><ol>";
    for (const Hop &hop : w.chain) {
      std::string words = code(hop.slot);
      if (!hop.target.empty())
        words += " leads to " + escape(hop.target);
      if (hop.function != None)
        words += ", stored by " + code(names.function(hop.function)) +
                 (hop.duringLoad ? "" : " before the load");
      step(hop.loc, words);
    }
    os << "</ol>\n";
  }

  void graph() {
    if (solution.records.types.empty())
      return;
    TypeGraph drawn(report);
    os << "<h2 id=\"graph\">Types and what points to them</h2>\n<p "
          "class=\"soft\">Round: roots. Thin lines: pointers by their types; "
          "dashed: what a <code>void *</code> may point to; thick: contained "
          "by value. Every box is a link.</p>\n";
    if (drawn.width > phoneWidth)
      os << "<p class=\"hint\">The drawing goes on to the right: scroll it "
            "sideways.</p>\n";
    os << "<div class=\"scroll\" tabindex=\"0\">";
    drawGraph(drawn, os);
    os << "</div>\n";
  }

  static std::string behind(const std::string &words) {
    return words.empty() ? "" : "; " + words;
  }

  void types() {
    os << "<h2 id=\"types\">"
       << counted(solution.records.types.size(), "persistent types")
       << "</h2>\n";
    for (size_t i = 0; i < solution.records.types.size(); ++i) {
      const PersistentType &t = solution.records.types[i];
      os << "<details class=\"item\" id=\"type-" << i << "\"><summary>"
         << code(names.record(t.record)) << " <span class=\"soft\">"
         << escape(names.why(t.witness))
         << "</span></summary><div>\n<p>defined "
         << place(facts.records[t.record].loc) << "; "
         << (t.carriesFileData ? "holds data from the file"
                               : "holds no data from the file")
         << "; "
         << (t.readOutsideLoad ? "read by more than the load"
                               : "read only by the load")
         << behind(seenType(solution, t.record)) << "</p>\n";
      witness(t.witness);
      fields(t.record);
      cutsOf(t.record);
      os << "</div></details>\n";
    }
  }

  void fields(Id record) {
    os << "<h3>fields</h3><p class=\"soft\">proof: a store of the load was "
          "found; advice: none was found, to be judged by a reader</p><table "
          "class=\"fields\">";
    for (const FieldResult &f : solution.records.fields) {
      if (facts.fields[f.field].record != record)
        continue;
      os << "<tr><td>" << code(facts.fields[f.field].name) << "</td><td>"
         << name(f.verdict) << "</td><td class=\"soft\">" << basis(f.verdict)
         << "</td><td>" << escape(f.evidence);
      StringRef separator = "; leads to ";
      for (Id target : f.targets) {
        os << separator << code(names.record(target));
        separator = ", ";
      }
      os << "</td></tr>";
    }
    os << "</table>\n";
  }

  void cutsOf(Id record) {
    bool any = false;
    for (size_t i = 0; i < solution.cuts.list.size(); ++i) {
      const Cut &cut = solution.cuts.list[i];
      if (!is_contained(cut.records, record))
        continue;
      if (!any)
        os << "<h3>would not be persistent without</h3><ul>";
      any = true;
      const Call &call = facts.calls[cut.call];
      os << "<li><a href=\"#cut-" << i << "\">"
         << code(names.function(call.function)) << " calls "
         << code(names.callee(call)) << "</a> " << place(call.loc) << "</li>";
    }
    if (any)
      os << "</ul>\n";
  }

  void roots() {
    os << "<h2 id=\"roots\">"
       << counted(solution.restored.roots.size(), "roots") << "</h2>\n";
    for (size_t i = 0; i < solution.restored.roots.size(); ++i) {
      const Root &r = solution.restored.roots[i];
      os << "<details class=\"item\" id=\"root-" << i << "\"><summary>"
         << code(r.path) << " <span class=\"soft\">"
         << (r.kept() ? "" : "listed only: " + escape(r.notKept) + " ")
         << seenRoot(solution, r.path) << ' ';
      if (r.kept() && r.container != None)
        os << "each start creates its container; restored members: "
           << escape(join(
                  map_range(r.containerFields,
                            [&](auto &way) { return nameOfWay(facts, way); }),
                  ", "));
      os << "</span></summary><div><p>defined "
         << place(facts.nodes[r.variable].loc) << "</p>\n";
      witness(r.witness);
      os << "</div></details>\n";
    }
  }

  void cuts() {
    os << "<h2 id=\"cuts\">Calls that verdicts depend on</h2>\n<p "
          "class=\"soft\">Found by analysing again without each call. First "
          "those that lose no data of the file; "
       << code("--stop FILE:LINE") << " leaves one out.</p><table>";
    for (size_t i = 0; i < solution.cuts.list.size(); ++i) {
      const Cut &cut = solution.cuts.list[i];
      const Call &call = facts.calls[cut.call];
      os << "<tr class=\"item\" id=\"cut-" << i << "\"><td>"
         << code("--stop " + names.stop(call.loc)) << "</td><td>"
         << code(names.function(call.function)) << " calls "
         << code(names.callee(call)) << "</td><td>"
         << counted(cut.records.size(), "types") << ": "
         << escape(join(
                map_range(cut.records, [&](Id r) { return names.record(r); }),
                ", "));
      if (!cut.roots.empty())
        os << "; roots: " << escape(join(cut.roots, ", "));
      os << "</td></tr>\n";
    }
    os << "</table>\n";
    if (solution.cuts.notTried)
      os << "<p>" << solution.cuts.notTried
         << (solution.cuts.list.empty() ? " calls" : " more calls")
         << " were not tried: too many.</p>\n";
    if (solution.cuts.toTry.empty())
      return;
    os << "<p>The first of these that may be worth trying:</p><table>\n";
    for (auto [call, types] : solution.cuts.toTry)
      os << "<tr><td>" << code("--stop " + names.stop(facts.calls[call].loc))
         << "</td><td>" << code(names.function(facts.calls[call].function))
         << " calls " << code(names.callee(facts.calls[call]))
         << "</td><td>at most " << types << (types == 1 ? " type" : " types")
         << "</td></tr>\n";
    os << "</table>\n";
  }

  void sections() {
    os << "<h2 id=\"sections\">"
       << counted(solution.commits.sections.size(), "suggested sections")
       << "</h2><table>\n";
    for (const Section &s : solution.commits.sections) {
      os << "<tr class=\"item\"><td>" << code(s.name) << "</td><td>"
         << name(s.kind)
         << formatv("</td><td>{0:P0} of persistent stores</td><td>", s.share);
      std::vector<Id> calls = s.calls;
      if (s.call != None && !is_contained(calls, s.call))
        calls.insert(calls.begin(), s.call);
      for (Id call : calls)
        os << place(facts.calls[call].loc) << ' ';
      os << "</td></tr>\n";
    }
    os << "</table>\n";
  }

  void threads() {
    if (solution.commits.threads.empty())
      return;
    os << "<h2 id=\"threads\">"
       << counted(solution.commits.threads.size(), "threads at restart points")
       << "</h2><table>\n";
    for (const ThreadPart &t : solution.commits.threads) {
      os << "<tr class=\"item\"><td>" << code(names.function(t.function))
         << "</td><td>turns ";
      for (Id loop : t.turns)
        os << place(facts.loops[loop].loc) << ' ';
      os << "</td><td>waits ";
      for (Id call : t.waits)
        os << place(facts.calls[call].loc) << ' ';
      os << "</td></tr>\n";
    }
    os << "</table>\n";
  }

  void sites() {
    os << "<h2 id=\"sites\">" << counted(edited.size(), "sites")
       << ", by file</h2>\n";
    for (size_t i = 0; i < edited.size();) {
      size_t end = i;
      while (end < edited.size() && edited[end].loc.file == edited[i].loc.file)
        ++end;
      os << "<details class=\"group\"><summary>"
         << code(names.file(edited[i].loc.file)) << " <span class=\"soft\">"
         << end - i << "</span></summary><div><table>\n";
      for (; i < end; ++i)
        os << "<tr class=\"item\"><td>" << edited[i].loc.line << "</td><td>"
           << edited[i].kind << "</td><td>" << code(edited[i].what)
           << "</td><td>" << code(names.function(edited[i].function))
           << "</td></tr>\n";
      os << "</table></div></details>\n";
    }
  }

  void serialization() {
    os << "<h2 id=\"serialization\">" << solution.serialization.functions.size()
       << (solution.serialization.functions.size() == 1
               ? " function only loads or saves"
               : " functions only load or save")
       << "</h2>\n<p class=\"soft\">With the state in a pool, the program "
          "needs them only for import and export.</p><table>\n";
    for (const SerializationFunction &s : solution.serialization.functions) {
      const Function &f = facts.functions[s.function];
      os << "<tr class=\"item\"><td>" << code(f.name) << "</td><td>"
         << (s.forLoad && s.forSave ? "loads and saves"
             : s.forLoad            ? "loads"
                                    : "saves")
         << "</td><td>" << counted(f.lines, "lines") << "</td><td>"
         << place(f.loc) << "</td></tr>\n";
    }
    os << "</table>\n";
  }

  void row(const std::string &a, const std::string &b, const Loc &loc) {
    os << "<tr class=\"item\"><td>" << code(a) << "</td><td>" << escape(b)
       << "</td><td>" << place(loc) << "</td></tr>\n";
  }

  /// What else is kept.
  void otherThings() {
    os << "<h2 id=\"others\">Kept with the roots</h2><table>\n";
    for (const RestoredScalar &s : solution.restored.scalars)
      row(s.path, "restored scalar: " + s.why, facts.nodes[s.variable].loc);
    for (const KeptScalar &k : solution.restored.kept)
      row(k.path, "kept for ever: " + k.why, facts.nodes[k.variable].loc);
    for (const Twin &t : solution.contents.twins)
      row(names.variable(t.variable),
          (t.isFollowed ? "followed static: " : "twin: ") + t.why,
          facts.nodes[t.variable].loc);
    os << "</table>\n";
  }

  const Report &report;
  const Facts &facts;
  const Solution &solution;
  Names names;
  SourceLines lines;
  const std::vector<ShownFinding> found;
  const std::vector<EditedSite> edited;
  raw_ostream &os;
};

class HtmlEmitter : public Emitter {
public:
  StringRef fileName() const override { return "report.html"; }
  void emit(const Report &report, raw_ostream &os) const override {
    HtmlWriter(report, os).write();
  }
};

} // namespace

std::unique_ptr<Emitter> makeHtmlEmitter() {
  return std::make_unique<HtmlEmitter>();
}

} // namespace nvmove
