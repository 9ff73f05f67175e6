//===- RecordCopies.h - What is put aside, and copied at the end *- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   struct world tmp = {0};
//   while (fscanf(f, "%s", t) == 1) push(&tmp, t);
//   world = tmp;                        tmp.n ──► world.n, tmp.names ──► ..
//
// A copy of a record is the flow of each of its members: what the load puts
// into the one, it puts into the other. So is world.n = tmp.n. The record may
// be a local, a block, what a function returns, or another static, and pass
// through several.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_STATE_RECORDCOPIES_H
#define NVMOVE_PASSES_SOLVE_STATE_RECORDCOPIES_H

#include "passes/solve/state/Context.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nvmove {

class RecordCopies {
public:
  explicit RecordCopies(const SolveContext &context);

  /// Other locations whose values the load copies to these, in some steps.
  std::vector<Id> sourcesOf(std::vector<Id> locations) const;

private:
  struct Copy {
    const PointsTo::Set *from;
    Id record; ///< that is copied; None: a number, or bytes
    bool isNumber;
  };
  void eachSource(const Copy &copy, Id place, Id l,
                  llvm::function_ref<void(Id)> see) const;
  Id copiedAt(const Copy &copy, Id place) const;

  const Program &p_;
  const Facts &f_;
  const PointsTo &pt_;
  std::vector<Copy> copies_;
  IdMap<std::vector<std::pair<Id, Id>>> into_; ///< object -> place, copy
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_STATE_RECORDCOPIES_H
