//===- SarifReport.cpp - report.sarif ----------------------------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/SourceLines.h"
#include "tool/Uncovered.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;
using json::Array;
using json::Object;
using json::Value;

namespace nvmove {

namespace {

/// As RFC 3986 wants the segments of a path.
std::string uri(StringRef path) {
  std::string result;
  for (unsigned char c : path)
    if (isAlnum(c) || StringRef("-._~/+,=@!$()*").contains(c))
      result += c;
    else
      result += formatv("%{0:X-2}", unsigned(c)).str();
  return result;
}

Object message(std::string text) { return Object{{"text", std::move(text)}}; }

/// SARIF 2.1.0: a note for each verdict, with its proof as code flows, and a
/// warning for each thing that is not covered. Every file is relative to the
/// folder SRCROOT, which the reader supplies.
class SarifWriter {
public:
  explicit SarifWriter(const Report &report)
      : report(report), facts(report.input.facts), solution(report.solution),
        names(report), lines(facts) {}

  Object write() {
    types();
    roots();
    uncovered();
    Array rules;
    for (const auto &[id, text] : this->rules)
      rules.push_back(Object{{"id", id}, {"shortDescription", message(text)}});
    return Object{
        {"version", "2.1.0"},
        {"runs",
         Array{Object{
             {"tool", Object{{"driver", Object{{"name", "nvmove"},
                                               {"version", NVMOVE_VERSION},
                                               {"rules", std::move(rules)}}}}},
             {"columnKind", "unicodeCodePoints"},
             {"originalUriBaseIds",
              Object{{"SRCROOT",
                      Object{{"description",
                              message("the folder that every file of the "
                                      "report is relative to")}}}}},
             {"results", std::move(results)}}}}};
  }

private:
  static Object place(StringRef path, unsigned line, unsigned column) {
    Object physical{{"artifactLocation",
                     Object{{"uri", uri(path)}, {"uriBaseId", "SRCROOT"}}}};
    if (line) {
      Object region{{"startLine", int64_t(line)}};
      if (column)
        region["startColumn"] = int64_t(column);
      physical["region"] = std::move(region);
    }
    return Object{{"physicalLocation", std::move(physical)}};
  }

  Object place(const Loc &loc) {
    return place(names.file(loc.file), loc.line, lines.column(loc));
  }

  Value step(const Loc &loc, std::string text) {
    Object location = loc.file == None ? Object() : place(loc);
    location["message"] = message(std::move(text));
    return Object{{"location", std::move(location)}};
  }

  static Object threadFlow(Array steps) {
    return Object{
        {"threadFlows", Array{Object{{"locations", std::move(steps)}}}}};
  }

  /// How the load gets there, and how static memory leads there.
  Array codeFlows(const Witness &w) {
    Array calls, hops, result;
    for (Id id : w.callPath) {
      const Call &call = facts.calls[id];
      calls.push_back(step(call.loc, names.function(call.function) + " calls " +
                                         names.callee(call)));
    }
    if (w.site.file != None)
      calls.push_back(
          step(w.site, names.function(w.function) + " " + w.action));
    for (const Hop &hop : w.chain)
      if (hop.loc.file != None)
        hops.push_back(step(hop.loc, hop.target.empty()
                                         ? hop.slot
                                         : hop.slot + " -> " + hop.target));
    if (!calls.empty())
      result.push_back(threadFlow(std::move(calls)));
    if (!hops.empty())
      result.push_back(threadFlow(std::move(hops)));
    return result;
  }

  /// `key` stays the same when lines move.
  void add(StringRef rule, StringRef meaning, StringRef level, std::string text,
           Value location, std::string key, Array flows = {}) {
    rules.try_emplace(rule.str(), meaning.str());
    Object result{{"ruleId", rule.str()},
                  {"level", level.str()},
                  {"message", message(std::move(text))},
                  {"partialFingerprints", Object{{"nvmove/v1", key}}}};
    if (location.kind() == Value::Object)
      result["locations"] = Array{std::move(location)};
    if (!flows.empty())
      result["codeFlows"] = std::move(flows);
    results.push_back(std::move(result));
  }

  void types() {
    for (const PersistentType &t : solution.types) {
      const Record &r = facts.records[t.record];
      add("persistent-type",
          "objects of this type survive a restart of the program", "note",
          r.spelling + " is persistent: " + names.why(t.witness), place(r.loc),
          "type " + r.name, codeFlows(t.witness));
    }
  }

  void roots() {
    for (const Root &r : solution.roots)
      add("root", "persistent objects hang from this static memory", "note",
          r.path + " is a root" +
              (r.kept ? "" : ", but what hangs there is made anew"),
          place(facts.nodes[r.variable].loc), "root " + r.path,
          codeFlows(r.witness));
  }

  void uncovered() {
    std::map<std::string, unsigned> seen;
    for (const Uncovered &u : allUncovered(report)) {
      std::string key = u.id + " " + u.path + " " + u.function + " " + u.what;
      key += " " + utostr(++seen[key]);
      add(u.id, "not covered: " + u.id, "warning", u.what,
          u.path.empty() ? Value(nullptr)
                         : Value(place(u.path, u.line, u.column)),
          std::move(key));
    }
  }

  const Report &report;
  const Facts &facts;
  const Solution &solution;
  Names names;
  SourceLines lines;
  Array results;
  std::map<std::string, std::string> rules;
};

class SarifEmitter : public Emitter {
public:
  StringRef fileName() const override { return "report.sarif"; }
  void emit(const Report &report, raw_ostream &os) const override {
    os << formatv("{0:2}\n", Value(SarifWriter(report).write()));
  }
};

} // namespace

std::unique_ptr<Emitter> makeSarifEmitter() {
  return std::make_unique<SarifEmitter>();
}

} // namespace nvmove
