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
  RestoredStatics() = default;
  RestoredStatics(llvm::ArrayRef<Root> roots,
                  llvm::ArrayRef<RestoredScalar> scalars) {
    for (const RestoredScalar &scalar : scalars)
      add(scalar);
    for (const Root &root : roots)
      add(root);
  }

  void add(const RestoredScalar &scalar) {
    paths_.emplace(scalar.variable, scalar.fields);
  }
  /// Nothing where it is only listed.
  void add(const Root &root) {
    if (!root.kept())
      return;
    if (root.container == None)
      paths_.emplace(root.variable, root.fields);
    for (const std::vector<Id> &way : root.containerFields) {
      std::vector<Id> path = root.fields;
      path.insert(path.end(), way.begin(), way.end());
      paths_.emplace(root.variable, std::move(path));
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
