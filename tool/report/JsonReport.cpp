//===- JsonReport.cpp - report.json ---------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Findings.h"
#include "tool/report/JsonParts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using json::Array;
using json::Object;
using json::Value;

namespace nvmove {

namespace {

/// The form of every member is in docs/report-schema.md; keep both in step,
/// and tool/report/report.schema.json with them.
class JsonWriter : JsonParts {
public:
  explicit JsonWriter(const Report &report)
      : JsonParts(report), verdicts(report), program(report) {}

  Object write() {
    Object result = withoutSections();
    result["sections"] = list(solution.commits.sections, [&](auto &s) {
      Array calls;
      eachCall(s, [&](Id call) { calls.push_back(callSite(call)); });
      Object o = withoutCalls(s);
      o["calls"] = std::move(calls);
      return o;
    });
    return result;
  }

  /// The same, but the calls in sections, which are many thousands where a lock
  /// is held around handlers, are never there all at once.
  void print(json::OStream &j) {
    auto calls = [&](const Section &s) {
      j.attributeArray("calls", [&] {
        eachCall(s, [&](Id call) { j.value(callSite(call)); });
      });
    };
    auto sections = [&] {
      j.attributeArray("sections", [&] {
        for (const Section &s : solution.commits.sections)
          members(j, withoutCalls(s), "calls", [&] { calls(s); });
      });
    };
    members(j, withoutSections(), "sections", sections);
  }

private:
  /// An object, by names in order, with one more member.
  static void members(json::OStream &j, const Object &o, StringRef one,
                      function_ref<void()> write) {
    std::vector<StringRef> names{one};
    for (const auto &[name, value] : o)
      names.push_back(name);
    llvm::sort(names);
    j.object([&] {
      for (StringRef name : names)
        if (name == one)
          write();
        else
          j.attribute(name, *o.get(name));
    });
  }

  Object withoutSections() {
    Object result = all();
    if (report.options.commitAtOutput)
      result["commitsAtOutput"] = report.solution.commits.commitsAtOutput;
    if (solution.observed.runs)
      result["observed"] = observed();
    return result;
  }

  Object observed() const {
    return Object{{"runs", list(report.options.observed,
                                [](auto &run) { return run.file; })}};
  }

  Object all() {
    return Object{
        {"schemaVersion", reportSchemaVersion},
        {"tool", Object{{"name", "nvmove"}, {"version", NVMOVE_VERSION}}},
        {"options", options()},
        {"root", report.root},
        {"files", files()},
        {"compileCommands",
         Object{{"used", pathOrNull(report.input.database)},
                {"build", report.input.build.empty()
                              ? json::Value(nullptr)
                              : json::Value(report.input.build)},
                {"ignored", pathOrNull(report.input.ignoredDatabase)}}},
        {"includePaths", includePaths()},
        {"counts", counts()},
        {"types", verdicts.types()},
        {"otherTypes", verdicts.otherTypes()},
        {"roots", verdicts.roots()},
        {"restoredScalars", list(solution.restored.scalars,
                                 [&](auto &s) {
                                   Object o{{"path", s.path},
                                            {"variable", variable(s.variable)},
                                            {"why", s.why}};
                                   verdicts.addObserved(
                                       o, solution.observed.scalars, s.path);
                                   return o;
                                 })},
        {"keptScalars", keptScalars()},
        {"twins", twins()},
        {"allocations", list(solution.sites.allocations,
                             [&](auto &a) {
                               Object o = callSite(a.call);
                               o["record"] = nameOrNull(names.record(a.record));
                               o["why"] = a.why;
                               return o;
                             })},
        {"otherAllocations", program.otherAllocations()},
        {"statics", program.statics()},
        {"functions", program.functions()},
        {"stores", stores()},
        {"replacedCalls", list(solution.sites.replaced,
                               [&](auto &r) {
                                 Object o = callSite(r.call);
                                 o["replacement"] = r.replacement;
                                 o["why"] = r.why;
                                 return o;
                               })},
        {"replacedUses",
         list(solution.sites.replacedUses,
              [&](auto &r) {
                const AddressUse &use = facts.addressUses[r.use];
                return Object{
                    {"location", location(use.loc)},
                    {"function", nameOrNull(names.function(use.function))},
                    {"name", names.variable(use.variable)},
                    {"replacement", r.replacement},
                    {"why", r.why}};
              })},
        {"wrappedBuffers", list(solution.sites.wrapped,
                                [&](auto &w) {
                                  Object o = callSite(w.call);
                                  o["bufferArgument"] = int64_t(w.buffer);
                                  o["sizeArgument"] =
                                      w.size == None ? Value(nullptr)
                                                     : Value(int64_t(w.size));
                                  return o;
                                })},
        {"threads",
         list(solution.commits.threads,
              [&](auto &t) {
                return Object{
                    {"name", names.function(t.function)},
                    {"turns", list(t.turns,
                                   [&](Id loop) {
                                     return location(facts.loops[loop].loc);
                                   })},
                    {"waits",
                     list(t.waits, [&](Id call) { return callSite(call); })}};
              })},
        {"loadGuards", list(solution.startup.guards,
                            [&](auto &g) {
                              Object o = callSite(g.call);
                              o["wholeStatement"] = g.wholeStatement;
                              o["lastOfItsFunction"] = g.last;
                              if (!g.answer.empty())
                                o["answer"] = g.answer;
                              if (!g.nothing.empty())
                                o["nothingToLoad"] = g.nothing;
                              return o;
                            })},
        {"cuts", verdicts.cuts()},
        {"cutsToTry", verdicts.cutsToTry()},
        {"serialization", verdicts.serialization()},
        {"findings", findings()},
        {"patches", list(report.patches,
                         [](auto &p) {
                           return Object{{"name", p.name},
                                         {"files", int64_t(p.files)},
                                         {"hunks", int64_t(p.hunks)}};
                         })},
        {"patchRoot", report.patchRoot},
        {"statistics",
         Object{{"functionsReached",
                 int64_t(solution.load.statistics.functionsReached)},
                {"objects", int64_t(solution.load.statistics.objects)},
                {"iterations", int64_t(solution.load.statistics.iterations)},
                {"questions", questions()}}},
    };
  }

  Object options() const {
    return Object{{"load", strings(report.options.load)},
                  {"stop", strings(report.options.stop)},
                  {"followMessages", report.options.followMessages},
                  {"section", strings(report.options.section)},
                  {"afresh", strings(report.options.afresh)},
                  {"keep", strings(report.options.keep)},
                  {"keepAll", report.options.keepAll},
                  {"save", strings(report.options.save)},
                  {"algorithm", name(solution.load.algorithm)},
                  {"analyzeOnly", report.analyzeOnly}};
  }

  Array files() const {
    Array result;
    for (const std::string &file : report.input.analysed)
      result.push_back(
          Object{{"path", names.path(file)}, {"state", "analysed"}});
    for (const OmittedFile &omitted : report.input.omitted)
      result.push_back(Object{{"path", names.path(omitted.file)},
                              {"state", messageName(omitted.id)},
                              {"why", omitted.why},
                              {"messages", strings(omitted.messages)}});
    return result;
  }

  Array includePaths() const {
    return list(report.input.includePaths, [&](const IncludePath &p) {
      return Object{{"directory", names.path(p.directory)},
                    {"headers", strings(p.headers)}};
    });
  }

  Object counts() const {
    Object result{{"files", int64_t(report.input.analysed.size())},
                  {"functions", int64_t(count_if(facts.functions,
                                                 [](const Function &f) {
                                                   return f.hasBody;
                                                 }))},
                  {"recordTypes", int64_t(names.programTypes())},
                  {"cutsTried", int64_t(solution.cuts.tried)},
                  {"cutsNotTried", int64_t(solution.cuts.notTried)}};
    Object edits;
    for (const auto &[what, count] : report.edits.counts)
      edits[what] = int64_t(count);
    result["edits"] = std::move(edits);
    return result;
  }

  Array keptScalars() const {
    return list(solution.restored.kept, [&](const KeptScalar &k) {
      return Object{
          {"variable", variable(k.variable)},
          {"path", k.path},
          {"writes",
           list(k.writes,
                [&](Id w) { return location(facts.staticWrites[w].loc); })},
          {"fills",
           list(k.fills, [&](Id c) { return location(facts.calls[c].loc); })},
          {"why", k.why}};
    });
  }

  Array twins() const {
    return list(solution.contents.twins, [&](const Twin &t) {
      return Object{{"variable", variable(t.variable)},
                    {"field", nameOrNull(names.field(t.field))},
                    {"followed", t.isFollowed},
                    {"uses", list(t.uses,
                                  [&](Id u) {
                                    return location(facts.addressUses[u].loc);
                                  })},
                    {"why", t.why}};
    });
  }

  Array stores() const {
    return list(solution.sites.stores, [&](const AnnouncedStore &s) {
      const StoreSite &site = facts.stores[s.store];
      return Object{{"location", location(site.loc)},
                    {"function", nameOrNull(names.function(site.function))},
                    {"form", name(site.form)},
                    {"record", nameOrNull(names.record(site.record))},
                    {"field", nameOrNull(names.field(site.field))},
                    {"alreadyAnnounced", s.done},
                    {"why", s.why}};
    });
  }

  static void eachCall(const Section &s, function_ref<void(Id call)> see) {
    if (s.call != None && !is_contained(s.calls, s.call))
      see(s.call);
    llvm::for_each(s.calls, see);
  }

  Object withoutCalls(const Section &s) const {
    return Object{
        {"name", s.name},
        {"kind", name(s.kind)},
        {"function", nameOrNull(names.function(s.function))},
        {"share", s.share},
        {"locks", list(s.locks, [&](Id call) { return callSite(call); })}};
  }

  Array findings() const {
    return list(allFindings(report), [](const ShownFinding &f) {
      Value place = nullptr;
      if (!f.path.empty())
        place = Object{{"file", f.path},
                       {"line", int64_t(f.line)},
                       {"column", int64_t(f.column)}};
      return Object{{"id", f.kind().id},
                    {"severity", severityName(f.severity)},
                    {"title", f.kind().title},
                    {"location", std::move(place)},
                    {"function", nameOrNull(f.function)},
                    {"what", f.what},
                    {"advice", f.advice}};
    });
  }

  /// How many lines the list for people has.
  Object questions() const {
    std::vector<ShownFinding> found = allFindings(report);
    Object result;
    for (Severity s : {Severity::Act, Severity::Check, Severity::Note})
      result[severityName(s)] = int64_t(questionsOf(found, s).size());
    return result;
  }

  JsonVerdicts verdicts;
  JsonProgram program;
};

class JsonEmitter : public Emitter {
public:
  StringRef fileName() const override { return "report.json"; }
  void emit(const Report &report, raw_ostream &os) const override {
    json::OStream j(os, 2);
    JsonWriter(report).print(j);
    os << "\n";
  }
};

} // namespace

Object toJson(const Report &report) { return JsonWriter(report).write(); }

std::unique_ptr<Emitter> makeJsonEmitter() {
  return std::make_unique<JsonEmitter>();
}

} // namespace nvmove
