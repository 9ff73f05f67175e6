//===- LvalueCollector.h - Addresses, loads and assignments -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_LVALUECOLLECTOR_H
#define NVMOVE_PASSES_COLLECT_BODY_LVALUECOLLECTOR_H

#include "passes/facts/Facts.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"

namespace nvmove {

struct Body;

/// Lvalues: their addresses, what is loaded from them and put into them.
class LvalueCollector {
  using Expr = clang::Expr;
  using QualType = clang::QualType;

public:
  explicit LvalueCollector(Body &body) : b_(body) {}

  /// The node that holds the lvalue's address.
  Id address(const Expr *e);
  /// The node that holds its value.
  Id load(const Expr *lvalue);
  Id assign(const clang::BinaryOperator *e);
  Id increment(const clang::UnaryOperator *e);
  /// Flow of a write; `target` is the address, None for a scalar variable.
  void write(const Expr *lvalue, Id target, Id what, clang::SourceLocation at,
             bool isNull = false);

private:
  Id addressOfMember(const clang::MemberExpr *e);
  Id addressOfTemporary(const Expr *e);

  Body &b_;
  llvm::DenseMap<const clang::Expr *, Id> literals_; ///< their addresses
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_LVALUECOLLECTOR_H
