//===- Announcements.h - What hooks announce, and until where ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A store is announced by the hook that it is spelled in, NVM(p->n) = 1, or by
// one before it on every path that leads to it: NVM_OBJ(p); p->n = 1;
// Bytes count, not names: NVM_BUF(p, 4)[4] is not announced.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_ANNOUNCEMENTS_H
#define NVMOVE_PASSES_COLLECT_SCANS_ANNOUNCEMENTS_H

#include "passes/facts/Facts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace nvmove {

using CallList = llvm::SmallVector<const clang::CallExpr *, 2>;

/// The hook that `lvalue` is spelled in announces every byte of it.
bool isInHook(const clang::ASTContext &ast, const clang::Expr *lvalue);
/// The same for what `pointer` points to: an operand of an atomic operation.
bool isPointerFromHook(const clang::ASTContext &ast,
                       const clang::Expr *pointer);
/// `argument` of `call` is a buffer announced in place, in a size that another
/// argument states or that no argument exceeds, or scanf's format does not.
bool isBufferFromHook(const clang::ASTContext &ast, const clang::CallExpr *call,
                      unsigned argument, const ScannedArg *scanned);

/// The calls within `e`, those inside a hook left out: they run before it.
CallList callsBehindHooks(const clang::Stmt *s);

/// The hooks that stand before the stores of one function: forward data flow
/// over its control flow graph, where paths meet what all of them announce.
class Announcements {
public:
  Announcements(clang::ASTContext &ast, const clang::FunctionDecl *function);

  /// For the operator of a store that some hook before it announces: the calls
  /// that may run in between.
  const CallList *before(const clang::Expr *store) const {
    auto found = covered_.find(store);
    return found == covered_.end() ? nullptr : &found->second;
  }

  /// A pointer, as C, to what `store` in `statement` writes to `lvalue`, or to
  /// the record that holds it, which could be announced before `statement`: it
  /// is the same there and can be evaluated. Else empty.
  std::string pointerBefore(const clang::Stmt *statement,
                            const clang::Expr *store,
                            const clang::Expr *lvalue) const;

private:
  clang::ASTContext &ast_;
  llvm::DenseSet<const clang::VarDecl *> shared_; ///< their address is taken
  bool returnsTwice_ = false;
  llvm::DenseMap<const clang::Expr *, CallList> covered_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_ANNOUNCEMENTS_H
