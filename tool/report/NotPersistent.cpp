//===- NotPersistent.cpp - Why the other types stay volatile --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/NotPersistent.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace nvmove {

NotPersistent::NotPersistent(const Report &report)
    : facts(report.input.facts), names(report),
      loadNames(join(report.options.load, " or ")),
      reached(facts.functions.size()), inside(facts.records.size()),
      outside(facts.records.size()), variables(facts.records.size()) {
  std::set<Id> persistent;
  for (const PersistentType &t : report.solution.records.types)
    persistent.insert(t.record);
  for (Id id = 0; id < facts.records.size(); ++id)
    if (names.isProgramType(id) && !persistent.count(id))
      others.push_back(id);
  llvm::stable_sort(others, [&](Id a, Id b) {
    return facts.records[a].name < facts.records[b].name;
  });
  followCalls(report.options);
  followed = reached;
  if (!report.solution.load.reached.empty()) {
    followed.assign(facts.functions.size(), false);
    for (const ReachedFunction &r : report.solution.load.reached)
      followed[r.function] = true;
  }
  findUses();
  findVariables();
}

/// Direct calls, and functions whose address is taken in what is reached: an
/// over-approximation of what the solver follows.
void NotPersistent::followCalls(const SolveOptions &options) {
  std::vector<std::vector<Id>> next(facts.functions.size());
  for (const Call &call : facts.calls)
    if (call.function != None && call.callee != None && !call.deadEnd)
      next[call.function].push_back(call.callee);
  for (const Constraint &c : facts.constraints)
    if (c.flow == Flow::AddressOf && c.function != None && c.src != None &&
        facts.nodes[c.src].kind == NodeKind::Function &&
        facts.nodes[c.src].function != None)
      next[c.function].push_back(facts.nodes[c.src].function);
  std::vector<Id> open;
  auto visit = [&](Id f) {
    if (reached[f] || is_contained(options.stop, facts.functions[f].name))
      return;
    reached[f] = true;
    open.push_back(f);
  };
  for (Id f = 0; f < facts.functions.size(); ++f)
    if (is_contained(options.load, facts.functions[f].name))
      visit(f);
  while (!open.empty()) {
    Id f = open.back();
    open.pop_back();
    for (Id callee : next[f])
      visit(callee);
  }
}

void NotPersistent::note(std::vector<Use> &uses, Id record, Use use) {
  if (record != None && uses[record].function == None)
    uses[record] = use;
}

void NotPersistent::findUses() {
  for (const Call &call : facts.calls)
    if (call.function != None)
      note(followed[call.function] ? inside : outside, call.resultRecord,
           {call.function, call.loc, true});
  for (const StoreSite &store : facts.stores)
    if (store.function != None)
      note(followed[store.function] ? inside : outside, store.record,
           {store.function, store.loc, false});
}

/// fread(&header, ..) writes a type that no allocation and no store names.
void NotPersistent::findVariables() {
  for (Id id = 0; id < facts.nodes.size(); ++id) {
    const Node &n = facts.nodes[id];
    bool isLocal = n.kind == NodeKind::Local && n.function != None;
    if ((!isLocal && n.kind != NodeKind::Global) || n.name.empty())
      continue;
    Id type = n.type;
    while (type != None && facts.types[type].kind == TypeKind::Array)
      type = facts.types[type].inner;
    if (type == None || facts.types[type].kind != TypeKind::Record)
      continue;
    Variables &found = variables[facts.types[type].inner];
    Id &first = !isLocal               ? found.fileScope
                : followed[n.function] ? found.inside
                                       : found.outside;
    if (first == None)
      first = id;
  }
}

std::string NotPersistent::why(Id record) const {
  auto describe = [&](const Use &use) {
    return names.function(use.function) + " (" + names.place(use.loc) + ")";
  };
  if (const Use &use = inside[record]; use.function != None)
    return describe(use) + ", which " + loadNames + " reaches, " +
           (use.allocates ? "creates a pointer to it" : "writes it") +
           ", but no such object is reachable from static memory after loading";
  auto variable = [&](Id id) {
    const Node &n = facts.nodes[id];
    return "'" + n.name + "'" +
           (n.function == None ? "" : " of " + names.function(n.function)) +
           " (" + names.place(n.loc) + ")";
  };
  const Variables &found = variables[record];
  if (found.inside != None) {
    const Use &use = outside[record];
    return variable(found.inside) + ", which " + loadNames +
           " reaches, is one on the stack, and " +
           (use.function == None
                ? "no static leads to it"
                : "no call leads from there to " + describe(use) + ", which " +
                      (use.allocates ? "creates others" : "writes others"));
  }
  if (const Use &use = outside[record]; use.function != None)
    return std::string(reached[use.function] ? "no followed call" : "no call") +
           " leads from " + loadNames +
           " to a function that allocates or writes it; " + describe(use) +
           " does";
  if (found.fileScope != None)
    return "no function allocates it or writes it through a pointer; the "
           "static " +
           variable(found.fileScope) + " has this type: see nvmove explain " +
           names.variable(found.fileScope);
  if (found.outside != None)
    return "no call leads from " + loadNames + " to a function that has one; " +
           variable(found.outside) + " is on the stack";
  return "no function allocates it or writes it through a pointer, and no "
         "variable has this type";
}

} // namespace nvmove
