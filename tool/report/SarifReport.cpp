//===- SarifReport.cpp - report.sarif ----------------------------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/SarifParts.h"
#include "tool/report/Uncovered.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using json::Array;
using json::Object;
using json::Value;

namespace nvmove {

namespace {

/// A note for each verdict, with its proof as code flows, and a warning for
/// each thing that is not covered.
class SarifWriter : SarifParts {
public:
  using SarifParts::SarifParts;

  void write() {
    begin();
    types();
    roots();
    uncovered();
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
              (r.kept() ? "" : ", but listed only: " + r.notKept),
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
