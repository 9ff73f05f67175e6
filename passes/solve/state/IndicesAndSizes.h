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
#include "passes/solve/state/StaticEvidence.h"
#include <optional>

namespace nvmove {

/// Which numbers say how large what the load makes is, or where in it things
/// lie: size = n; table = calloc(n, ..); table[n % size] = ..
class IndicesAndSizes {
public:
  IndicesAndSizes(const SolveContext &context, const LoadedState &state);
  IndicesAndSizes(const IndicesAndSizes &) = delete;

  /// Places in loaded memory come from this.
  bool choose(ScalarOrigins::Place place) const {
    return choosing_.contains(place);
  }
  /// Sizes of blocks of the load come from it.
  bool areSizes(ScalarOrigins::Place place) const;
  /// SaysWhere or SaysHowLarge: what a number says that is set to this in a
  /// function of the load; nullopt: nothing of what is loaded. One that is
  /// computed from a static is left to the caller.
  std::optional<Evidence> of(Id value, Id function) const;
  /// The same of what is there.
  std::optional<Evidence> of(ScalarOrigins::Place place) const {
    return choose(place)     ? std::optional(Evidence::SaysWhere)
           : areSizes(place) ? std::optional(Evidence::SaysHowLarge)
                             : std::nullopt;
  }
  /// What the size of the block that is allocated may come from.
  static llvm::ArrayRef<Id> sizesIn(const Facts &facts, const Call &allocation);
  const ScalarOrigins &origins() const { return origins_; }

private:
  const Facts &f_;
  const ScalarOrigins origins_;
  ScalarOrigins::Places choosing_;
  std::map<Id, ScalarOrigins::Places> sizes_; ///< by function
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_INDICESANDSIZES_H
