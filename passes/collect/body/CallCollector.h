//===- CallCollector.h - Calls ----------------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_CALLCOLLECTOR_H
#define NVMOVE_PASSES_COLLECT_BODY_CALLCOLLECTOR_H

#include "passes/facts/Facts.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace nvmove {

struct Body;

/// Calls, those of built-ins and hooks among them.
class CallCollector {
  using Expr = clang::Expr;
  using QualType = clang::QualType;

public:
  explicit CallCollector(Body &body) : b_(body) {}

  /// The node of what the call gives back. `as`: the pointer type that it is
  /// on its way to.
  Id call(const clang::CallExpr *e, QualType as);
  Id variableArgument(const clang::VAArgExpr *e);

private:
  Id ordinaryCall(const clang::CallExpr *e, const clang::FunctionDecl *callee,
                  QualType as);
  void variadicFlow(llvm::StringRef name, const clang::CallExpr *e);

  Body &b_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_CALLCOLLECTOR_H
