//===- DeadEnds.h - Code from which no path returns -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_DEADENDS_H
#define NVMOVE_PASSES_COLLECT_DEADENDS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include <vector>

namespace nvmove {

/// Calls from which every path ends in a call that cannot return, and functions
/// whose every path does. An endless loop is no dead end: the program runs in
/// it. longjmp is none either: what was done before it lives on.
struct DeadEnds {
  llvm::DenseSet<const clang::CallExpr *> calls;
  llvm::DenseSet<const clang::FunctionDecl *>
      functions; ///< canonical declarations
};

DeadEnds findDeadEnds(clang::ASTContext &ast,
                      const std::vector<clang::FunctionDecl *> &definitions);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_DEADENDS_H
