//===- PaperWorklist.cpp - The NVMovE paper's algorithm, for comparison -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/types/PaperWorklist.h"
#include "passes/solve/state/LoadedState.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <map>

using namespace nvmove;

void nvmove::worklistTypes(const Program &p, const Allocators &allocators,
                           const FieldFlow &flow, const SolveOptions &options,
                           Solution &solution) {
  const Facts &f = p.facts;
  std::map<Id, Id> visited; // function -> call
  std::deque<Id> work;      // in turn: the call paths shown are the shortest
  for (Id fn : solution.load) {
    visited[fn] = None;
    work.push_back(fn);
  }
  auto passesPointer = [&](const Function &fn) {
    return llvm::any_of(fn.params,
                        [&](Id n) { return p.isPointer(f.nodes[n].type); });
  };
  while (!work.empty()) {
    Id fn = work.front();
    work.pop_front();
    for (Id i : p.callsOf(fn))
      for (Id callee : flow.callees(i)) {
        const Function &g = f.functions[callee];
        // Rule (a): a callee that takes only scalars cannot touch the state.
        if (g.hasBody && passesPointer(g) &&
            !llvm::is_contained(options.stop, g.name) &&
            visited.try_emplace(callee, i).second)
          work.push_back(callee);
      }
  }
  solution.statistics.functionsReached = visited.size();
  for (auto &[fn, via] : visited)
    solution.reached.push_back({fn, via});
  std::map<Id, PersistentType> found;
  auto add = [&](Id record, Id fn, Loc loc, std::string action) {
    if (record == None || !p.isProgramRecord(record))
      return;
    auto [at, fresh] = found.try_emplace(record);
    if (!fresh)
      return;
    PersistentType &t = at->second;
    t.record = record;
    t.witness.function = fn;
    t.witness.site = loc;
    t.witness.action = std::move(action);
    for (Id g = fn; visited[g] != None; g = f.calls[visited[g]].function)
      t.witness.callPath.push_back(visited[g]);
    std::reverse(t.witness.callPath.begin(), t.witness.callPath.end());
  };
  for (auto &[fn, via] : visited) {
    for (Id i : p.storesOf(fn))
      if (const StoreSite &s = f.stores[i]; s.record != None)
        add(s.record, fn, s.loc, "writes " + f.records[s.record].name);
    for (Id i : p.callsOf(fn))
      if (const auto *site = allocators.siteOf(i))
        for (Id r : site->records)
          add(r, fn, f.calls[i].loc, "allocates " + f.records[r].spelling);
  }
  for (auto &[record, type] : found)
    solution.types.push_back(std::move(type));
}
