//===- NotKept.cpp - Why a static is not kept -----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/NotKept.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace nvmove {

NotKept::NotKept(const Report &report)
    : report(report), facts(report.input.facts), names(report),
      loadNames(join(report.options.load, " or ")) {
  for (Id id = 0; id < facts.nodes.size(); ++id) {
    const Node &n = facts.nodes[id];
    if (n.kind == NodeKind::Global && n.isDefined && !n.name.empty() &&
        n.loc.file != None && facts.files[n.loc.file].editable)
      statics.push_back(id);
  }
  llvm::stable_sort(statics, [&](Id a, Id b) {
    return facts.nodes[a].name < facts.nodes[b].name;
  });
  const Solution &s = report.solution;
  for (const Root &r : s.restored.roots)
    kept.insert(r.variable);
  for (const RestoredScalar &r : s.restored.scalars)
    kept.insert(r.variable);
  for (const KeptScalar &k : s.restored.kept)
    kept.insert(k.variable);
  for (const Twin &t : s.contents.twins)
    kept.insert(t.variable);
  IdSet reached;
  for (const ReachedFunction &r : s.load.reached)
    reached.insert(r.function);
  for (Id id = 0; id < facts.staticWrites.size(); ++id)
    if (const StaticWrite &w = facts.staticWrites[id];
        w.function != None && reached.contains(w.function))
      written.try_emplace(w.variable, id);
}

/// --afresh db.clients: also db.clients[].name.
bool NotKept::isLeftAfresh(StringRef name) const {
  return any_of(report.options.afresh, [&](StringRef path) {
    return path.consume_front(name) &&
           (path.empty() || path[0] == '.' || path[0] == '[' || path[0] == '-');
  });
}

std::string NotKept::why(Id variable) const {
  const Node &n = facts.nodes[variable];
  if (kept.contains(variable))
    return "";
  if (isLeftAfresh(n.name))
    return "not restored: --afresh";
  if (n.isConst)
    return "it never changes, so each start has the same value";
  auto write = written.find(variable);
  if (write == written.end())
    return "the load was not found to write it: no function that " + loadNames +
           " reaches writes it by name";
  const StaticWrite &w = facts.staticWrites[write->second];
  return "the load was not found to store data of the file, or a pointer to a "
         "persistent object, in it; " +
         names.function(w.function) + " (" + names.place(w.loc) + "), which " +
         loadNames + " reaches, writes it";
}

} // namespace nvmove
