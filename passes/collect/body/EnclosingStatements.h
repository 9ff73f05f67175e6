//===- EnclosingStatements.h - What is around an expression -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_ENCLOSINGSTATEMENTS_H
#define NVMOVE_PASSES_COLLECT_BODY_ENCLOSINGSTATEMENTS_H

#include "passes/collect/entities/SourceMap.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace nvmove {

/// With its semicolon.
Span statementText(SourceMap &map, const clang::Stmt *s);

/// Which statements could get code before and behind them.
class EnclosingStatements {
public:
  explicit EnclosingStatements(SourceMap &map) : map_(map) {}

  /// Walks `s`, which can be bracketed. `inCompound`: it stands directly in a
  /// block, so that it needs no braces for that.
  void within(const clang::Stmt *s, bool inCompound,
              llvm::function_ref<void()> walk);
  /// Walks what stands in no statement that can be.
  void unbracketed(llvm::function_ref<void()> walk);

  /// The innermost statement around the point that is walked that can be
  /// bracketed; invalid without one. `e`: what may be all of it. `*found` is
  /// set to the statement.
  StatementSpan span(const clang::Expr *e, const clang::Stmt **found = nullptr);

private:
  struct Enclosing {
    const clang::Stmt *stmt = nullptr; ///< that can be bracketed, or null
    bool inCompound = false;
  };
  SourceMap &map_;
  llvm::SmallVector<Enclosing, 8> enclosing_; ///< innermost last
  llvm::DenseMap<const clang::Stmt *, StatementSpan> spans_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_ENCLOSINGSTATEMENTS_H
