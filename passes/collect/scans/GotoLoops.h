//===- GotoLoops.h - Loops that are made with goto -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_GOTOLOOPS_H
#define NVMOVE_PASSES_COLLECT_SCANS_GOTOLOOPS_H

#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace nvmove {

/// again: .. goto again; of a block, from the statement that holds the label to
/// the one that holds the last goto: both are counted from 0. Those that begin
/// at one place, or overlap, are one.
struct GotoLoop {
  size_t first, last;
};
using GotoLoops =
    llvm::DenseMap<const clang::CompoundStmt *, llvm::SmallVector<GotoLoop, 1>>;

/// In order, in each block of a function's body.
GotoLoops findGotoLoops(const clang::Stmt *body);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_GOTOLOOPS_H
