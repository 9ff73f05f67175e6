//===- ChildCode.h - What only one of two processes runs --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   pid_t child = fork();
//   if (child == 0) { save(); free_all(); exit(0); }
//   if (child > 0) wait_for(child);
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_CHILDCODE_H
#define NVMOVE_PASSES_COLLECT_SCANS_CHILDCODE_H

#include "passes/collect/scans/DeadEnds.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

namespace nvmove {

struct ChildCode {
  /// A call, and those that may fork whose answer decides whether it is made.
  using Calls = llvm::DenseMap<const clang::CallExpr *,
                               llvm::SmallVector<const clang::CallExpr *, 1>>;
  /// Calls that are made only where one of others, which may fork, gave 0,
  /// while the process where it gave more goes on, too.
  Calls children;
  /// Calls that are made only where one of others, which may fork, gave more
  /// than 0, or failed.
  Calls parents;
  /// Calls that may fork behind which the process where it gave more ends: a
  /// program that makes itself a daemon goes on in the child.
  llvm::DenseSet<const clang::CallExpr *> daemons;
};

/// What may fork is fork() itself and functions of the program that give back a
/// pid_t.
ChildCode findChildCode(clang::ASTContext &ast,
                        const std::vector<clang::FunctionDecl *> &definitions,
                        const DeadEnds &deadEnds);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_CHILDCODE_H
