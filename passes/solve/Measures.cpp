//===- Measures.cpp - Numbers that say where loaded things lie ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/Measures.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

Measures::Measures(const SolveContext &c, const LoadedState &state,
                   const NumberOrigins &origins)
    : f_(c.program.facts), origins_(origins) {
  const PointsTo &pt = c.pointsTo;
  for (auto &[fn, call] : pt.reached())
    for (Id i : c.program.constraintsOf(fn))
      if (state.isIndexOfLoaded(f_.constraints[i]))
        origins_.add(f_.constraints[i].extra, choosing_);
  for (Id o = 0; o < pt.objects().size(); ++o)
    if (pt.objects()[o].kind == PointsTo::Object::Heap && state.reachable(o)) {
      const Call &call =
          f_.calls[c.allocators.sites()[pt.objects()[o].ref].call];
      for (Id a : call.args)
        origins_.add(a, sizes_[call.function]);
    }
}

bool Measures::areSizes(NumberOrigins::Place place) const {
  return llvm::any_of(
      sizes_, [&](const auto &of) { return of.second.contains(place); });
}

llvm::StringRef Measures::of(Id value, Id function) const {
  NumberOrigins::Places values;
  origins_.add(value, values);
  auto isLocal = [&](NumberOrigins::Place v) {
    return f_.nodes[v.first].kind == NodeKind::Local && choosing_.contains(v);
  };
  if (llvm::any_of(values, isLocal))
    return Where;
  auto at = sizes_.find(function);
  bool isSize = at != sizes_.end() && llvm::any_of(values, [&](auto v) {
                  return at->second.contains(v);
                });
  return isSize ? HowLarge : "";
}
