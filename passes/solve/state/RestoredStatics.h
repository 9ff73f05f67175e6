//===- RestoredStatics.h - Static memory that the pool keeps -*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_RESTOREDSTATICS_H
#define NVMOVE_PASSES_SOLVE_STATE_RESTOREDSTATICS_H

#include "passes/solve/Solution.h"
#include <algorithm>
#include <map>

namespace nvmove {

/// Roots and restored scalars: what the end of a section compares and keeps.
class RestoredStatics {
public:
  explicit RestoredStatics(const Solution &solution) {
    for (const RestoredScalar &scalar : solution.scalars)
      paths_.emplace(scalar.variable, scalar.fields);
    for (const Root &r : solution.roots) {
      if (r.kept() && r.container == None)
        paths_.emplace(r.variable, r.fields);
      for (const std::vector<Id> &way : r.containerFields) {
        std::vector<Id> path = r.fields;
        path.insert(path.end(), way.begin(), way.end());
        if (r.kept())
          paths_.emplace(r.variable, std::move(path));
      }
    }
  }

  /// All of one, or a part of it, is written.
  bool holds(const StaticWrite &w) const { return holds(w.variable, w.path); }
  bool holds(Id variable, const std::vector<Id> &path) const {
    auto [first, last] = paths_.equal_range(variable);
    return std::any_of(first, last, [&](const auto &kept) {
      size_t common = std::min(kept.second.size(), path.size());
      return std::equal(path.begin(), path.begin() + common,
                        kept.second.begin());
    });
  }

private:
  std::multimap<Id, std::vector<Id>> paths_; ///< by variable
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_RESTOREDSTATICS_H
