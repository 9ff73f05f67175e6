//===- IndicesAndSizes.cpp - Numbers that say where loaded things lie -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/IndicesAndSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;

IndicesAndSizes::IndicesAndSizes(const SolveContext &c,
                                 const LoadedState &state)
    : f_(c.program.facts), origins_(c.program, c.pointsTo, c.values) {
  const PointsTo &pt = c.pointsTo;
  std::vector<Id> indices;
  for (auto &[fn, call] : pt.reached())
    for (Id i : c.program.constraintsOf(fn))
      if (state.isIndexOfLoaded(f_.constraints[i]))
        indices.push_back(f_.constraints[i].extra);
  origins_.add(indices, choosing_);
  IdMap<std::vector<Id>> arguments; // by function
  for (Id o = 0; o < pt.objects().size(); ++o)
    if (pt.objects()[o].kind == PointsTo::Object::Heap && state.reachable(o)) {
      const Call &call =
          f_.calls[c.allocators.sites()[pt.objects()[o].ref].call];
      auto &all = arguments[call.function];
      llvm::ArrayRef<Id> sizes = sizesIn(f_, call);
      all.insert(all.end(), sizes.begin(), sizes.end());
    }
  for (auto &[fn, all] : arguments)
    origins_.add(all, sizes_[fn]);
}

llvm::ArrayRef<Id> IndicesAndSizes::sizesIn(const Facts &f, const Call &call) {
  llvm::ArrayRef<Id> args = call.args;
  bool maps = call.callee != None && hasTrait(f.functions[call.callee].name,
                                              LibraryFunction::MapsMemory);
  return maps && args.size() > 1 ? args.slice(1, 1) : args;
}

bool IndicesAndSizes::areSizes(ScalarOrigins::Place place) const {
  return llvm::any_of(
      sizes_, [&](const auto &of) { return of.second.contains(place); });
}

std::optional<Evidence> IndicesAndSizes::of(Id value, Id function) const {
  ScalarOrigins::Places values;
  origins_.add(value, values);
  auto isLocal = [&](ScalarOrigins::Place v) {
    return f_.nodes[v.first].kind == NodeKind::Local && choosing_.contains(v);
  };
  if (llvm::any_of(values, isLocal))
    return Evidence::SaysWhere;
  auto at = sizes_.find(function);
  bool isSize = at != sizes_.end() && llvm::any_of(values, [&](auto v) {
                  return at->second.contains(v);
                });
  return isSize ? std::optional(Evidence::SaysHowLarge) : std::nullopt;
}
