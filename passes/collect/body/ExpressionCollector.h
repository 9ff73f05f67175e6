//===- ExpressionCollector.h - Expressions to nodes -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_EXPRESSIONCOLLECTOR_H
#define NVMOVE_PASSES_COLLECT_BODY_EXPRESSIONCOLLECTOR_H

#include "passes/facts/Facts.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"

namespace nvmove {

struct Hook;
struct Body;

/// Expressions are evaluated to nodes: value() gives the node that holds an
/// expression's value, LvalueCollector::address() the one that holds an
/// lvalue's address. A variable of scalar type is its own node; everything else
/// in memory is loaded and stored through an address. The value of a record is
/// its address.
class ExpressionCollector {
  using Expr = clang::Expr;
  using QualType = clang::QualType;

public:
  explicit ExpressionCollector(Body &body) : b_(body) {}

  /// `as` is the pointer type that the value is on its way to. None where
  /// nothing but a number or a null pointer is known of the value, and for
  /// null.
  Id value(const Expr *e, QualType as = {});
  void evaluate(const Expr *e) { value(e); }
  void evaluateChildren(const clang::Stmt *s);
  /// The value of what no other part collects.
  Id valueOfOther(const Expr *e, QualType as);
  Id functionAddress(const clang::FunctionDecl *f, const Expr *spelled);
  /// What the hook stands for.
  Id throughHook(const Hook &hook, QualType as);

private:
  Id valueOf(const Expr *e, QualType as);
  Id labelAddress(const clang::AddrLabelExpr *e);
  /// The value, which a comparison or a condition looks at.
  Id judge(const Expr *e);
  Id valueOfCall(const clang::CallExpr *e, QualType as);
  Id valueOfCast(const clang::CastExpr *e, QualType as);
  Id explicitCast(const clang::CastExpr *e, QualType as);
  Id valueOfUnary(const clang::UnaryOperator *e);
  Id addressTaken(const clang::UnaryOperator *e);
  Id valueOfBinary(const clang::BinaryOperator *e, QualType as);
  Id valueOfConditional(const clang::AbstractConditionalOperator *e,
                        QualType as);
  Id valueOfStatementExpression(const clang::StmtExpr *e, QualType as);
  Id decayed(const Expr *array);
  void sizeofUse(const clang::UnaryExprOrTypeTraitExpr *e);

  Body &b_;
  llvm::DenseMap<const clang::Expr *, Id> opaque_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_EXPRESSIONCOLLECTOR_H
