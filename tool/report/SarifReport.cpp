//===- SarifReport.cpp - report.sarif ----------------------------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Findings.h"
#include "tool/report/SarifParts.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using json::Array;
using json::Object;
using json::Value;

namespace nvmove {

namespace {

/// A note for each verdict, with its proof as code flows, and what was found:
/// act is an error, check a warning, note a note.
class SarifWriter : SarifParts {
public:
  using SarifParts::SarifParts;

  void write() {
    begin();
    types();
    roots();
    findings();
    end();
  }

private:
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

  static std::string behind(const std::string &words) {
    return words.empty() ? "" : "; " + words;
  }

  void types() {
    for (const PersistentType &t : solution.records.types) {
      const Record &r = facts.records[t.record];
      add("persistent-type",
          "objects of this type survive a restart of the program", "", "note",
          r.spelling + " is persistent: " + names.why(t.witness) +
              behind(seenType(solution, t.record)),
          place(r.loc), "type " + r.name, codeFlows(t.witness));
    }
  }

  void roots() {
    for (const Root &r : solution.restored.roots)
      add("root", "persistent objects are reachable from this static memory",
          "", "note",
          r.path + " is a root" +
              (r.kept() ? "" : ", but listed only: " + r.notKept) +
              behind(seenRoot(solution, r.path)),
          place(facts.nodes[r.variable].loc), "root " + r.path,
          codeFlows(r.witness));
  }

  static StringRef levelOf(Severity severity) {
    switch (severity) {
    case Severity::Act:
      return "error";
    case Severity::Check:
      return "warning";
    case Severity::Note:
      return "note";
    }
    llvm_unreachable("not a severity");
  }

  void findings() {
    std::map<std::string, unsigned> seen;
    for (const ShownFinding &f : allFindings(report)) {
      StringRef id = f.kind().id;
      std::string key =
          id.str() + " " + f.path + " " + f.function + " " + f.what;
      key += " " + utostr(++seen[key]);
      add(id, f.kind().title, f.kind().advice, levelOf(f.severity),
          f.what + " -> " + f.advice,
          f.path.empty() ? Value(nullptr)
                         : Value(place(f.path, f.line, f.column)),
          std::move(key));
    }
  }
};

class SarifEmitter : public Emitter {
public:
  StringRef fileName() const override { return "report.sarif"; }
  void emit(const Report &report, raw_ostream &os) const override {
    SarifWriter(report, os).write();
  }
};

} // namespace

std::unique_ptr<Emitter> makeSarifEmitter() {
  return std::make_unique<SarifEmitter>();
}

} // namespace nvmove
