//===- PointerUses.h - Pointers that may be null where they are used ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   if (job->owner)
//     notify(job->owner->name);   job->owner is followed, and tested
//   notify(job->owner->name);     and not
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_POINTERUSES_H
#define NVMOVE_PASSES_COLLECT_SCANS_POINTERUSES_H

#include "passes/collect/scans/DeadEnds.h"

namespace nvmove {

/// A PointerUse of the facts, while there are declarations.
struct FoundPointerUse {
  /// The member or parameter that the pointer is read from; else null.
  const clang::ValueDecl *place = nullptr;
  const clang::CallExpr *call = nullptr; ///< instead, what gives it back
  PointerUse::How how = PointerUse::Followed;
  bool isTested = false;
  const clang::CallExpr *to = nullptr; ///< Handed
  unsigned arg = 0;
  clang::SourceLocation at;
};

/// Those of pointers to objects, each once. Not where every path goes on to the
/// end of the program.
///
/// A test counts for the place that it spells (job->owner, table[i].owner)
/// until one of the variables in that is given something else. What functions
/// that are called in between do to it does not count: only a start has made it
/// null without the program's doing. A local is followed to the members and
/// parameters that it was given, unless its address is taken.
std::vector<FoundPointerUse> findPointerUses(clang::ASTContext &ast,
                                             clang::FunctionDecl *function,
                                             const DeadEnds &deadEnds);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_POINTERUSES_H
