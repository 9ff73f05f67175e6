//===- NotPersistent.cpp - Why the other types stay volatile --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/NotPersistent.h"
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
      outside(facts.records.size()) {
  std::set<Id> persistent;
  for (const PersistentType &t : report.solution.types)
    persistent.insert(t.record);
  for (Id id = 0; id < facts.records.size(); ++id)
    if (names.isProgramType(id) && !persistent.count(id))
      others.push_back(id);
  llvm::stable_sort(others, [&](Id a, Id b) {
    return facts.records[a].name < facts.records[b].name;
  });
  followCalls(report.options);
  findUses();
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
      note(reached[call.function] ? inside : outside, call.resultRecord,
           {call.function, call.loc, true});
  for (const StoreSite &store : facts.stores)
    if (store.function != None)
      note(reached[store.function] ? inside : outside, store.record,
           {store.function, store.loc, false});
}

std::string NotPersistent::why(Id record) const {
  auto describe = [&](const Use &use) {
    return names.function(use.function) + " (" + names.place(use.loc) + ")";
  };
  if (const Use &use = inside[record]; use.function != None)
    return describe(use) + ", which " + loadNames + " reaches, " +
           (use.allocates ? "makes a pointer to it" : "writes it") +
           ", but no such object hangs from static memory after loading";
  if (const Use &use = outside[record]; use.function != None)
    return "no call leads from " + loadNames +
           " to a function that allocates or writes it; " + describe(use) +
           " does";
  return "no function allocates it or writes it through a pointer";
}

} // namespace nvmove
