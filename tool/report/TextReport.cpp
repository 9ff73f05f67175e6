//===- TextReport.cpp - The report for people -----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/StaticNames.h"
#include "tool/report/Findings.h"
#include "tool/report/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace nvmove {

namespace {

/// The report for people names the first ones; all are in report.json.
constexpr size_t cutsShown = 8, typesShown = 6, omittedShown = 6;

/// A heading with its number, and a table below.
class TextWriter {
public:
  TextWriter(const Report &report, bool withTime, bool isComplete,
             raw_ostream &os)
      : report(report), facts(report.input.facts), solution(report.solution),
        names(report), withTime(withTime), isComplete(isComplete), os(os) {}

  void write() {
    counts();
    if (!report.options.withoutRules.empty())
      os << "left out, for a test: the rules "
         << join(report.options.withoutRules, ", ") << '\n';
    inputs();
    observed();
    types();
    fields();
    roots();
    scalars();
    sections();
    threads();
    sites();
    cuts();
    serialization();
    writeFindings(allFindings(report), isComplete, os);
    patches();
  }

private:
  void heading(size_t n, StringRef singular, StringRef plural,
               StringRef hint = "") {
    os << '\n' << n << ' ' << (n == 1 ? singular : plural);
    if (!hint.empty())
      os << "   (" << hint << ')';
    os << '\n';
  }

  void counts() {
    auto bodies =
        count_if(facts.functions, [](const Function &f) { return f.hasBody; });
    os << "nvmove: " << counted(report.input.analysed.size(), "files") << ", "
       << counted(bodies, "functions") << ", "
       << counted(names.programTypes(), "struct types");
    if (withTime)
      os << formatv("            {0:F1} s", report.seconds);
    os << '\n';
  }

  void inputs() {
    if (!report.input.database.empty())
      os << "compile commands: " << names.path(report.input.database) << '\n';
    if (!report.input.build.empty())
      os << "compile commands: what '" << report.input.build << "' would do\n";
    if (!report.input.ignoredDatabase.empty())
      os << "not used: " << names.path(report.input.ignoredDatabase)
         << " names none of the files\n";
    for (const IncludePath &p : report.input.includePaths)
      os << "include path found: " << names.path(p.directory) << " ("
         << join(p.headers, ", ") << ")\n";
    std::vector<StringRef> reasons;
    for (const OmittedFile &omitted : report.input.omitted)
      if (omitted.id != MessageId::SkippedFile &&
          !is_contained(reasons, omitted.why))
        reasons.push_back(omitted.why);
    for (StringRef why : reasons)
      omittedFor(why);
  }

  void omittedFor(StringRef why) {
    std::vector<std::string> files;
    for (const OmittedFile &omitted : report.input.omitted)
      if (omitted.why == why)
        files.push_back(names.path(omitted.file));
    os << "not analysed: "
       << join(ArrayRef(files).take_front(omittedShown), ", ");
    if (files.size() > omittedShown)
      os << " and " << files.size() - omittedShown << " more";
    os << ": " << why << '\n';
  }

  static std::string before(const std::string &words) {
    return words.empty() ? "" : words + "; ";
  }

  void observed() {
    const ObservedVerdicts &o = solution.observed;
    if (!o.runs)
      return;
    std::vector<std::string> files;
    for (const ObservedRun &run : report.options.observed)
      files.push_back(run.file);
    os << "observed: " << counted(o.runs, "runs") << " (" << join(files, ", ")
       << ")\n";
  }

  void types() {
    std::string hint;
    if (!solution.records.types.empty())
      hint = "why: nvmove explain " +
             names.record(solution.records.types[0].record);
    heading(solution.records.types.size(), "persistent type",
            "persistent types", hint);
    TextTable table;
    for (const PersistentType &t : solution.records.types)
      table.add({names.record(t.record),
                 names.place(facts.records[t.record].loc),
                 before(seenType(solution, t.record)) + names.why(t.witness)});
    table.print(os);
  }

  /// How many of each verdict, and how far to trust it.
  void fields() {
    if (solution.records.fields.empty())
      return;
    std::map<FieldVerdict, size_t> count;
    for (const FieldResult &f : solution.records.fields)
      ++count[f.verdict];
    heading(solution.records.fields.size(), "field", "fields",
            "proof: a store of the load was found; advice: to be judged by a "
            "reader, see nvmove explain TYPE.FIELD");
    TextTable table;
    for (auto [verdict, n] : count)
      table.add({std::to_string(n), name(verdict).str(), basis(verdict).str()});
    table.print(os);
  }

  void roots() {
    heading(solution.restored.roots.size(), "root", "roots");
    TextTable table;
    for (const Root &r : solution.restored.roots) {
      std::string how = before(seenRoot(solution, r.path));
      if (!r.kept())
        how += "listed only: " + r.notKept;
      if (r.kept() && r.container != None)
        how += "each start creates its container; restored members: " +
               join(map_range(r.containerFields,
                              [&](auto &way) { return nameOfWay(facts, way); }),
                    ", ");
      table.add({r.path, names.place(facts.nodes[r.variable].loc),
                 StringRef(how).rtrim("; ").str()});
    }
    table.print(os);
  }

  void scalars() {
    TextTable table;
    if (!solution.restored.scalars.empty()) {
      heading(solution.restored.scalars.size(), "restored scalar",
              "restored scalars", "kept with the roots");
      for (const RestoredScalar &s : solution.restored.scalars)
        table.add({s.path, before(seenScalar(solution, s.path)) + s.why});
      table.print(os);
    }
    if (!solution.restored.kept.empty()) {
      heading(solution.restored.kept.size(), "kept scalar", "kept scalars",
              "the value of the first start is kept for ever");
      for (const KeptScalar &k : solution.restored.kept)
        table.add({k.path, k.why});
      table.print(os);
    }
    twins(false, "twin", "twins",
          "static objects that persistent fields point to");
    twins(true, "followed static", "followed statics",
          "pointers to them in the pool are updated if their addresses differ "
          "in a run");
  }

  void twins(bool followed, StringRef one, StringRef several, StringRef what) {
    TextTable table;
    size_t count = 0;
    for (const Twin &t : solution.contents.twins)
      if (t.isFollowed == followed && ++count)
        table.add({names.variable(t.variable), t.why});
    if (count)
      heading(count, one, several, what);
    table.print(os);
  }

  void sections() {
    heading(solution.commits.sections.size(), "suggested section",
            "suggested sections");
    TextTable table;
    for (const Section &s : solution.commits.sections) {
      size_t calls =
          s.calls.size() + (s.call != None && !is_contained(s.calls, s.call));
      table.add({s.name, name(s.kind).str(),
                 formatv("{0,3:P0} of persistent stores", s.share).str(),
                 counted(calls, "calls")});
    }
    table.print(os);
  }

  void threads() {
    if (solution.commits.threads.empty())
      return;
    heading(solution.commits.threads.size(),
            "thread that takes part in restart points",
            "threads that take part in restart points");
    TextTable table;
    for (const ThreadPart &t : solution.commits.threads)
      table.add({names.function(t.function),
                 counted(t.turns.size(), "loops with one in each iteration"),
                 counted(t.waits.size(), "waits at one")});
    table.print(os);
  }

  void sites() {
    TextTable table;
    auto row = [&](size_t n, StringRef what) {
      if (n)
        table.add({"", std::to_string(n), nounFor(n, what)});
    };
    row(solution.sites.allocations.size(), "allocation sites");
    std::map<std::string, size_t> stores, calls;
    for (const AnnouncedStore &s : solution.sites.stores)
      ++stores[name(facts.stores[s.store].form).str()];
    for (const auto &[form, n] : stores)
      row(n, "stores announced: " + form);
    for (const ReplacedCall &r : solution.sites.replaced)
      if (std::string called = names.callee(facts.calls[r.call]);
          called == r.replacement)
        ++calls[" already: " + called];
      else
        ++calls[": " + called + " -> " + r.replacement];
    for (const auto &[what, n] : calls)
      row(n, "calls replaced" + what);
    row(solution.sites.replacedUses.size(),
        "library functions replaced as values");
    row(solution.sites.wrapped.size(), "buffers announced");
    row(solution.startup.guards.size(), "load calls guarded");
    size_t total =
        solution.sites.allocations.size() + solution.sites.stores.size() +
        solution.sites.replaced.size() + solution.sites.replacedUses.size() +
        solution.sites.wrapped.size() + solution.startup.guards.size();
    heading(total, "site", "sites");
    table.print(os);
  }

  /// The calls that most verdicts hang on.
  void cuts() {
    if (solution.cuts.list.empty() && !solution.cuts.notTried)
      return;
    heading(solution.cuts.list.size(), "call that verdicts depend on",
            "calls that verdicts depend on",
            "leave one out: --stop FILE:LINE; first those that lose no data of "
            "the file");
    TextTable table;
    for (const Cut &cut : ArrayRef(solution.cuts.list).take_front(cutsShown)) {
      const Call &call = facts.calls[cut.call];
      std::vector<std::string> types;
      for (Id record : ArrayRef(cut.records).take_front(typesShown))
        types.push_back(names.record(record));
      if (cut.records.size() > typesShown)
        types.push_back("...");
      std::vector<std::string> roots = cut.roots;
      if (roots.size() > typesShown) {
        roots.resize(typesShown);
        roots.push_back("...");
      }
      table.add({names.stop(call.loc),
                 names.function(call.function) + " calls " + names.callee(call),
                 std::to_string(cut.records.size()) +
                     (cut.records.size() == 1 ? " type: " : " types: ") +
                     join(types, ", ") +
                     (cut.roots.empty() ? "" : "; of the roots ") +
                     join(roots, ", ")});
    }
    table.print(os);
    if (solution.cuts.list.size() > cutsShown)
      os << "  ... " << solution.cuts.list.size() - cutsShown
         << " more in report.json\n";
    if (solution.cuts.notTried)
      os << "  " << solution.cuts.notTried
         << (solution.cuts.list.empty() ? " calls" : " more calls")
         << " were not tried: too many"
         << (solution.cuts.toTry.empty()
                 ? "\n"
                 : "; the first that may be worth trying:\n");
    TextTable untried;
    for (auto [call, types] : solution.cuts.toTry)
      untried.add({"  " + names.stop(facts.calls[call].loc),
                   names.function(facts.calls[call].function) + " calls " +
                       names.callee(facts.calls[call]),
                   "at most " + std::to_string(types) +
                       (types == 1 ? " type" : " types")});
    untried.print(os);
  }

  void serialization() {
    size_t lines[3] = {}, functions[3] = {};
    for (const SerializationFunction &s : solution.serialization.functions) {
      size_t kind = s.forLoad && s.forSave ? 2 : s.forSave ? 1 : 0;
      lines[kind] += facts.functions[s.function].lines;
      ++functions[kind];
    }
    if (solution.serialization.functions.empty())
      return;
    heading(solution.serialization.functions.size(),
            "function only loads or saves", "functions only load or save",
            "with a pool, only for import and export");
    TextTable table;
    const char *kinds[] = {"only load", "only save", "both"};
    for (size_t kind = 0; kind < 3; ++kind)
      if (functions[kind])
        table.add({kinds[kind], counted(functions[kind], "functions"),
                   counted(lines[kind], "lines")});
    table.print(os);
  }

  void patches() {
    if (report.analyzeOnly)
      return;
    heading(report.patches.size(), "patch", "patches");
    TextTable table;
    for (const Patch &p : report.patches)
      table.add({"patches/" + p.name, counted(p.files, "files"),
                 counted(p.hunks, "hunks")});
    table.print(os);
    for (const auto &[what, n] : report.edits.counts)
      os << "  " << counted(n, what) << '\n';
  }

  const Report &report;
  const Facts &facts;
  const Solution &solution;
  Names names;
  const bool withTime, isComplete;
  raw_ostream &os;
};

class TextEmitter : public Emitter {
public:
  TextEmitter(bool forTerminal, bool withNotes)
      : forTerminal(forTerminal), withNotes(withNotes) {}
  StringRef fileName() const override { return "report.txt"; }
  void emit(const Report &report, raw_ostream &os) const override {
    TextWriter(report, forTerminal, !forTerminal || withNotes, os).write();
  }

private:
  const bool forTerminal, withNotes;
};

} // namespace

std::unique_ptr<Emitter> makeTextEmitter(bool forTerminal, bool withNotes) {
  return std::make_unique<TextEmitter>(forTerminal, withNotes);
}

std::vector<std::unique_ptr<Emitter>> emitters() {
  std::vector<std::unique_ptr<Emitter>> result;
  result.push_back(makeTextEmitter(/*forTerminal=*/false, /*withNotes=*/true));
  result.push_back(makeJsonEmitter());
  result.push_back(makeSarifEmitter());
  result.push_back(makeHtmlEmitter());
  return result;
}

} // namespace nvmove
