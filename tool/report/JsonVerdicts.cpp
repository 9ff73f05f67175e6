//===- JsonVerdicts.cpp - The verdicts of report.json ----------- ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/facts/StaticNames.h"
#include "tool/report/JsonParts.h"
#include "tool/report/NotPersistent.h"

using namespace llvm;
using json::Array;
using json::Object;
using json::Value;

namespace nvmove {

Object JsonVerdicts::witness(const Witness &w) const {
  return Object{
      {"callPath", list(w.callPath, [&](Id c) { return callSite(c); })},
      {"function", nameOrNull(names.function(w.function))},
      {"site", location(w.site)},
      {"action", w.action},
      {"chain", list(w.chain, [&](const Hop &hop) {
         return Object{{"slot", hop.slot},
                       {"target", hop.target},
                       {"function", nameOrNull(names.function(hop.function))},
                       {"location", location(hop.loc)},
                       {"duringLoad", hop.duringLoad}};
       })}};
}

Object JsonVerdicts::typeHead(Id id) const {
  const Record &r = facts.records[id];
  return Object{{"name", r.name},
                {"spelling", r.spelling},
                {"location", location(r.loc)},
                {"sizeBytes", int64_t(r.size_bytes)},
                {"aliases", strings(r.aliases)}};
}

void JsonVerdicts::addObserved(Object &verdict, bool isSeen) const {
  if (solution.observed.runs)
    verdict["observed"] = isSeen ? "seen" : "never";
}

void JsonVerdicts::addObserved(Object &verdict,
                               const std::map<std::string, bool> &verdicts,
                               const std::string &path) const {
  if (auto at = verdicts.find(path); at != verdicts.end())
    addObserved(verdict, at->second);
}

Array JsonVerdicts::types() const {
  return list(solution.records.types, [&](const PersistentType &t) {
    Object o = typeHead(t.record);
    o["why"] = names.why(t.witness);
    o["witness"] = witness(t.witness);
    o["carriesFileData"] = t.carriesFileData;
    o["readOutsideLoad"] = t.readOutsideLoad;
    o["fields"] = fields(t.record);
    addObserved(o, solution.observed.records.count(t.record));
    return o;
  });
}

Array JsonVerdicts::otherTypes() const {
  NotPersistent reasons(report);
  return list(reasons.records(), [&](Id id) {
    Object o = typeHead(id);
    o["why"] = reasons.why(id);
    o["members"] = list(facts.records[id].fields,
                        [&](Id f) { return facts.fields[f].name; });
    return o;
  });
}

Array JsonVerdicts::roots() const {
  return list(solution.restored.roots, [&](const Root &r) {
    Object o{{"path", r.path},
             {"variable", variable(r.variable)},
             {"slotType", nameOrNull(names.type(r.slotType))},
             {"kept", r.kept()},
             {"notKept", nameOrNull(r.notKept)},
             {"container", nameOrNull(names.record(r.container))},
             {"containerFields",
              list(r.containerFields,
                   [&](const auto &way) { return nameOfWay(facts, way); })},
             {"witness", witness(r.witness)}};
    addObserved(o, solution.observed.roots, r.path);
    return o;
  });
}

Array JsonVerdicts::fields(Id record) const {
  Array result;
  for (const FieldResult &f : solution.records.fields) {
    if (facts.fields[f.field].record != record)
      continue;
    Object o{
        {"name", facts.fields[f.field].name},
        {"type", names.type(facts.fields[f.field].type)},
        {"verdict", name(f.verdict)},
        {"basis", basis(f.verdict)},
        {"evidence", f.evidence},
        {"leadsTo", list(f.targets, [&](Id r) { return names.record(r); })}};
    auto use = solution.observed.fields.find(f.field);
    if (use != solution.observed.fields.end())
      o["observed"] = Object{{"writtenByLoad", use->second.written},
                             {"changedSince", use->second.changed}};
    result.push_back(std::move(o));
  }
  return result;
}

Array JsonVerdicts::cuts() const {
  return list(solution.cuts.list, [&](const Cut &c) {
    Object o = callSite(c.call);
    o["types"] = list(c.records, [&](Id r) { return names.record(r); });
    o["roots"] = strings(c.roots);
    o["stop"] = names.stop(facts.calls[c.call].loc);
    o["losesFileData"] = c.losesFileData;
    return o;
  });
}

Array JsonVerdicts::cutsToTry() const {
  return list(solution.cuts.toTry, [&](const auto &untried) {
    auto [call, types] = untried;
    Object o = callSite(call);
    o["stop"] = names.stop(facts.calls[call].loc);
    o["atMost"] = int64_t(types);
    return o;
  });
}

Object JsonVerdicts::serialization() const {
  int64_t lines = 0;
  for (const SerializationFunction &s : solution.serialization.functions)
    lines += facts.functions[s.function].lines;
  return Object{
      {"lines", lines},
      {"functions", list(solution.serialization.functions, [&](auto &s) {
         const Function &f = facts.functions[s.function];
         return Object{{"name", f.name},
                       {"location", location(f.loc)},
                       {"lines", int64_t(f.lines)},
                       {"forLoad", s.forLoad},
                       {"forSave", s.forSave},
                       {"entry", s.entry}};
       })}};
}

} // namespace nvmove
