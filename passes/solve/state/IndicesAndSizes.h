//===- IndicesAndSizes.h - Numbers that say where loaded things lie ===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_INDICESANDSIZES_H
#define NVMOVE_PASSES_SOLVE_STATE_INDICESANDSIZES_H

#include "passes/solve/state/LoadedState.h"
#include "passes/solve/state/ScalarOrigins.h"

namespace nvmove {

/// Which numbers say how large what the load makes is, or where in it things
/// lie: size = n; table = calloc(n, ..); table[n % size] = ..
class IndicesAndSizes {
public:
  IndicesAndSizes(const SolveContext &context, const LoadedState &state);
  IndicesAndSizes(const IndicesAndSizes &) = delete;

  static constexpr const char *Where =
                                  "says where in what is loaded things lie",
                              *HowLarge = "says how large what is loaded is";

  /// Places in loaded memory come from this.
  bool choose(ScalarOrigins::Place place) const {
    return choosing_.contains(place);
  }
  /// Sizes of blocks of the load come from it.
  bool areSizes(ScalarOrigins::Place place) const;
  /// What a number says that is set to this in a function of the load; empty:
  /// nothing of what is loaded. One that is computed from a static is left to
  /// the caller.
  llvm::StringRef of(Id value, Id function) const;
  /// What the size of the block that is allocated may come from.
  static llvm::ArrayRef<Id> sizesIn(const Facts &facts, const Call &allocation);
  const DefinitionIndex &values() const { return values_; }
  const ScalarOrigins &origins() const { return origins_; }

private:
  const Facts &f_;
  const DefinitionIndex values_;
  const ScalarOrigins origins_;
  ScalarOrigins::Places choosing_;
  std::map<Id, ScalarOrigins::Places> sizes_; ///< by function
};

/// Tells of numbers that come back without the blocks whose size they say.
void reportOrphanedSizes(const SolveContext &context,
                         const IndicesAndSizes &measures, Solution &solution);
/// Roots that start-up sets before the load to what other roots lead to.
void findPreLoadAliases(const SolveContext &context,
                        const IndicesAndSizes &measures, Solution &solution);
/// Numbers that handlers count and put into persistent objects. Behind
/// findRootIndicesAndSizes().
void findStoredCounters(const SolveContext &context,
                        const IndicesAndSizes &measures, Solution &solution);

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_INDICESANDSIZES_H
