//===- DeadEnds.h - Code from which no path returns -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_DEADENDS_H
#define NVMOVE_PASSES_COLLECT_SCANS_DEADENDS_H

#include "passes/collect/syntax/Constants.h"
#include "passes/facts/Facts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <optional>
#include <vector>

namespace clang {
class CFG;
}

namespace nvmove {

struct FlowBlock {
  std::vector<unsigned> successors; ///< reachable ones
  std::vector<const clang::CallExpr *> calls;
  /// Static pointers and integers, parameters that are pointers, and members
  /// that are integers, written behind so many of the calls; and pointers that
  /// parameters lead to.
  struct Write {
    const clang::ValueDecl *place;
    FlowWrite::How how;
    uint64_t value;
    unsigned calls;
  };
  std::vector<Write> writes;
  /// Whatever is assigned to or stepped, behind so many of the calls.
  std::vector<std::pair<const clang::Expr *, unsigned>> stores;
  /// One that is zero where control goes to that block from here.
  const clang::ValueDecl *tested = nullptr;
  const clang::CallExpr *testedCall = nullptr; ///< instead
  unsigned whenZero = 0;
  const clang::Expr *returned = nullptr;
  bool cannotReturn = false; ///< holds a call that is declared not to return
  bool dead = false;         ///< no path from here returns
};

/// Calls from which every path ends in a call that cannot return, and functions
/// whose every path does. An endless loop is no dead end: the program runs in
/// it. longjmp is none either, nor the end of a thread.
struct DeadEnds {
  llvm::DenseSet<const clang::CallExpr *> calls;
  llvm::DenseSet<const clang::FunctionDecl *>
      functions; ///< canonical declarations
  /// By function, a canonical declaration; the entry stands last.
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<FlowBlock>> blocks;
};

/// Its blocks have the numbers of those in DeadEnds::blocks. Null where Clang
/// makes none.
std::unique_ptr<clang::CFG> makeFlowGraph(clang::ASTContext &ast,
                                          clang::FunctionDecl *function);

DeadEnds findDeadEnds(clang::ASTContext &ast,
                      const std::vector<clang::FunctionDecl *> &definitions);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_DEADENDS_H
