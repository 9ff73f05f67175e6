//===- LoadAlternatives.cpp - What is made where nothing is loaded --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (f)
//     load(f);
//   else
//     make_defaults();
//
// A restart whose file is gone has its state all the same, and makes new state
// in its place.
//
//===----------------------------------------------------------------------===//

#include "passes/facts/IdSet.h"
#include "passes/solve/state/Analysis.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

namespace {

using LoadAlternativesParts =
    View<const Roots, const Scalars, const Allocations, ComparedGuards>;

/// Functions that put something into the state: a place in each.
IdMap<Loc> makersOf(const Facts &facts, const LoadAlternativesParts &a) {
  IdMap<Loc> result;
  RestoredStatics kept(a.roots, a.scalars);
  for (const StaticWrite &w : facts.staticWrites)
    if (w.function != None && kept.holds(w))
      result.try_emplace(w.function, w.loc);
  for (const AllocationSite &site : a.allocations)
    if (const Call &c = facts.calls[site.call]; c.function != None)
      result.try_emplace(c.function, c.loc);
  return result;
}

} // namespace

namespace nvmove {

/// Calls in other arms of the ifs around the load alone: what other statements
/// of the function do runs with it or without it.
void findLoadAlternatives(LoadAlternativesParts a) {
  const Program &p = a.context.program;
  const Facts &f = p.facts;
  const IdMap<Loc> makers = makersOf(f, a);
  for (LoadGuard &g : a.guards) {
    const Call &load = f.calls[g.call];
    if (load.function == None)
      continue;
    for (Id k : p.callsOf(load.function)) {
      if (!Program::exclude(f.calls[k].arms, load.arms) || p.isDeadEnd(k))
        continue;
      for (Id fn : a.context.loop.reachableFrom({k}))
        if (auto made = makers.find(fn);
            made != makers.end() && !p.isNoReturn(fn))
          g.otherwise =
              std::min(g.otherwise.file == None ? made->second : g.otherwise,
                       made->second);
    }
    for (const AllocationSite &site : a.allocations)
      if (const Call &c = f.calls[site.call];
          c.function == load.function && Program::exclude(c.arms, load.arms))
        g.otherwise = c.loc;
  }
}

} // namespace nvmove
