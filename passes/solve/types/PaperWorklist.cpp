//===- PaperWorklist.cpp - The NVMovE paper's algorithm, for comparison -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/types/PaperWorklist.h"
#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/state/LoadedState.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace nvmove;

void nvmove::worklistTypes(const Program &p, const Allocators &allocators,
                           const FieldFlow &flow, const SolveOptions &options,
                           Solution &solution) {
  const Facts &f = p.facts;
  auto passesPointer = [&](const Function &fn) {
    return llvm::any_of(fn.params,
                        [&](Id n) { return p.isPointer(f.nodes[n].type); });
  };
  // Rule (a): a callee that takes only scalars cannot touch the state.
  auto mayTouch = [&](Id fn) {
    const Function &g = f.functions[fn];
    return llvm::is_contained(solution.load.functions, fn) ||
           (g.hasBody && passesPointer(g) &&
            !llvm::is_contained(options.stop, g.name));
  };
  const CallGraph::Reached reached =
      CallGraph(p, flow).reach(solution.load.functions, {.enters = mayTouch});
  std::vector<Id> visited = reached.functions();
  llvm::sort(visited);
  solution.load.statistics.functionsReached = visited.size();
  for (Id fn : visited)
    solution.load.reached.push_back({fn, reached.via(fn)});
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
    for (Id i = reached.via(fn); i != None;
         i = reached.via(f.calls[i].function))
      t.witness.callPath.push_back(i);
    std::reverse(t.witness.callPath.begin(), t.witness.callPath.end());
  };
  for (Id fn : visited) {
    for (Id i : p.storesOf(fn))
      if (const StoreSite &s = f.stores[i]; s.record != None)
        add(s.record, fn, s.loc, "writes " + f.records[s.record].name);
    for (Id i : p.callsOf(fn))
      if (const auto *site = allocators.siteOf(i))
        for (Id r : site->records)
          add(r, fn, f.calls[i].loc, "allocates " + f.records[r].spelling);
  }
  for (auto &[record, type] : found)
    solution.records.types.push_back(std::move(type));
}
