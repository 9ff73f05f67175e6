//===- Constants.cpp - What is known when a program is compiled -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Constants.h"

using namespace clang;
using namespace nvmove;

bool nvmove::isNullPointer(ASTContext &ast, const Expr *e) {
  while (const auto *cast =
             dyn_cast<CStyleCastExpr>(e->IgnoreParenImpCasts())) {
    if (!cast->getType()->isPointerType())
      break;
    e = cast->getSubExpr();
  }
  return e->isNullPointerConstant(ast, Expr::NPC_NeverValueDependent) !=
         Expr::NPCK_NotNull;
}

std::optional<uint64_t> nvmove::constantOf(const ASTContext &ast,
                                           const Expr *e) {
  Expr::EvalResult result;
  if (!e->getType()->isIntegralOrEnumerationType() || e->isValueDependent() ||
      !e->EvaluateAsInt(result, ast))
    return std::nullopt;
  const llvm::APSInt &n = result.Val.getInt();
  return n.getBitWidth() > 64
             ? std::nullopt
             : std::optional<uint64_t>(n.extend(64).getZExtValue());
}

bool nvmove::isNaturalConstant(const ASTContext &ast, const Expr *e) {
  auto n = constantOf(ast, e);
  return n && int64_t(*n) >= 0;
}

std::optional<uint64_t> nvmove::valueIn(ASTContext &ast, const ValueDecl *place,
                                        const Expr *constant) {
  QualType type = place->getType();
  if (type->isPointerType())
    return isNullPointer(ast, constant) ? std::optional<uint64_t>(0)
                                        : std::nullopt;
  Expr::EvalResult n;
  if (!type->isIntegralOrEnumerationType() ||
      !constant->getType()->isIntegralOrEnumerationType() ||
      constant->isValueDependent() || !constant->EvaluateAsInt(n, ast) ||
      ast.getIntWidth(type) > 64)
    return std::nullopt;
  if (type->isBooleanType())
    return n.Val.getInt() != 0;
  const auto *f = dyn_cast<FieldDecl>(place);
  unsigned width =
      f && f->isBitField() ? f->getBitWidthValue(ast) : ast.getIntWidth(type);
  llvm::APSInt there(n.Val.getInt().extOrTrunc(width),
                     type->isUnsignedIntegerOrEnumerationType());
  return there.extend(64).getZExtValue();
}

bool nvmove::fits(const ASTContext &ast, const Expr *constant, QualType type) {
  llvm::APSInt n = constant->EvaluateKnownConstInt(ast);
  llvm::APSInt there(n.extOrTrunc(ast.getIntWidth(type)),
                     type->isUnsignedIntegerOrEnumerationType());
  return llvm::APSInt::isSameValue(n, there);
}
