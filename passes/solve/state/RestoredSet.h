//===- RestoredSet.h - What comes back of static memory ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules of passes/solve/roots and passes/solve/scalars add to one set, and
// ask it. Solution gets what is in it when the last of them has run:
//
//   if (!restored.holds(write))
//     restored.add(RestoredScalar{write.variable, write.path, name, why});
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_RESTOREDSET_H
#define NVMOVE_PASSES_SOLVE_STATE_RESTOREDSET_H

#include "passes/facts/IdSet.h"
#include "passes/solve/state/RestoredStatics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nvmove {

class RestoredSet {
public:
  /// By path; of one path in the order in which they were added. References
  /// into them hold until the next change. Roots that are only listed are among
  /// them.
  llvm::ArrayRef<Root> roots() const { return roots_; }
  llvm::ArrayRef<RestoredScalar> scalars() const { return scalars_; }
  llvm::ArrayRef<KeptScalar> seeds() const { return seeds_; }

  void add(Root root);
  void add(RestoredScalar scalar);
  void add(KeptScalar seed) { seeds_.push_back(std::move(seed)); }

  void removeScalar(Id variable, const std::vector<Id> &path);
  /// `by` in the place of the roots with these indices.
  void replace(const IdSet &indices, std::vector<Root> by);
  /// The roots and the scalars for which that holds come back no more: the
  /// former are listed, with the reason. Whether there are any.
  bool leave(llvm::function_ref<bool(const std::string &path)> isMeant,
             const std::string &why);
  /// `change` must not touch the path.
  void changeRoots(llvm::function_ref<void(Root &)> change);

  /// A root that is kept, or a restored scalar, is there, in a part of it, or
  /// holds it. Seeds are not among them.
  bool holds(const StaticWrite &w) const { return index_.holds(w); }
  bool holds(Id variable, const std::vector<Id> &path) const {
    return index_.holds(variable, path);
  }
  /// It lies in an array of records in a record, which comes back whole.
  bool holdsTableOf(Id variable, const std::vector<Id> &path) const;
  /// Of the variable, or of a part of it, something comes back.
  bool holdsPartOf(Id variable) const { return index_.holds(variable, {}); }

private:
  void rebuild();

  std::vector<Root> roots_;
  std::vector<RestoredScalar> scalars_;
  std::vector<KeptScalar> seeds_;
  RestoredStatics index_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_RESTOREDSET_H
