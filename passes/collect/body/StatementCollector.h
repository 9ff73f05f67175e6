//===- StatementCollector.h - Statements, in their order --------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_STATEMENTCOLLECTOR_H
#define NVMOVE_PASSES_COLLECT_BODY_STATEMENTCOLLECTOR_H

#include "passes/facts/Facts.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nvmove {

struct Body;

/// Walks statements in the order of the text, so that each part knows what
/// holds where it is asked.
class StatementCollector {
  using Expr = clang::Expr;
  using QualType = clang::QualType;

public:
  explicit StatementCollector(Body &body) : b_(body) {}

  void statement(const clang::Stmt *s);
  /// A statement that can be bracketed, unless it is a block. `inCompound`: it
  /// stands directly in one.
  void child(const clang::Stmt *s, bool inCompound);
  /// Walks what runs only where `condition` evaluates to `holds`; null: where
  /// that is not known.
  void where(const Expr *condition, bool holds,
             llvm::function_ref<void()> walk);
  /// Expressions in array bounds run when the declaration is reached.
  void variableSizes(QualType t);

private:
  void compound(const clang::CompoundStmt *s);
  void ifStatement(const clang::IfStmt *s);
  void loop(const clang::Stmt *s, const clang::Stmt *body,
            llvm::function_ref<void()> walk);
  void forStatement(const clang::ForStmt *s);
  void whileStatement(const clang::WhileStmt *s);
  void doStatement(const clang::DoStmt *s);
  void switchStatement(const clang::SwitchStmt *s);
  void declaration(const clang::Decl *d, const clang::Stmt *s);
  void localVariable(const clang::VarDecl *v, const clang::Stmt *s);
  void returnStatement(const clang::ReturnStmt *s);
  void assembly(const clang::AsmStmt *s);
  void unseenAssembly(const clang::AsmStmt *s,
                      const llvm::DenseMap<const clang::Expr *, Id> &values);
  void assemblyStore(const clang::Expr *operand, Id inputs,
                     bool readModifyWrite);
  void otherStatement(const clang::Stmt *s);
  bool neverFallsThrough(const clang::Stmt *s) const;

  Body &b_;
  const clang::SwitchStmt *switch_ = nullptr; ///< the innermost
  uint32_t conditions_ = 0;                   ///< if statements so far
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_STATEMENTCOLLECTOR_H
