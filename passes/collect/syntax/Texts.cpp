//===- Texts.cpp - Questions about arrays of characters -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Texts.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/facts/Library.h"

using namespace clang;
using namespace nvmove;

bool nvmove::isText(const ASTContext &ast, QualType type) {
  const clang::ArrayType *array = ast.getAsArrayType(type);
  return array && array->getElementType()->isCharType();
}

bool nvmove::isEmptyText(const Expr *init) {
  init = init->IgnoreParenImpCasts();
  if (isa<ImplicitValueInitExpr>(init))
    return true;
  if (const auto *literal = dyn_cast<StringLiteral>(init))
    return literal->getLength() == 0 || literal->getCodeUnit(0) == 0;
  if (const auto *character = dyn_cast<CharacterLiteral>(init))
    return character->getValue() == 0;
  if (const auto *number = dyn_cast<IntegerLiteral>(init))
    return number->getValue() == 0;
  const auto *list = dyn_cast<InitListExpr>(init);
  if (list && list->getSemanticForm())
    list = list->getSemanticForm();
  return list && (list->getNumInits() == 0 || isEmptyText(list->getInit(0)));
}

const Expr *nvmove::askedText(const ASTContext &ast, const Expr *e) {
  e = e->IgnoreParenImpCasts();
  const Expr *text = nullptr;
  if (const auto *u = dyn_cast<UnaryOperator>(e)) {
    text = u->getOpcode() == UO_Deref ? u->getSubExpr() : nullptr;
  } else if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
    text = constantOf(ast, s->getIdx()) == 0 ? s->getBase() : nullptr;
  } else if (const auto *call = dyn_cast<CallExpr>(e)) {
    const llvm::StringRef name = calleeName(call);
    auto isEmpty = [&](unsigned i) {
      const auto *literal = dyn_cast<clang::StringLiteral>(
          call->getArg(i)->IgnoreParenImpCasts());
      return literal && literal->getLength() == 0;
    };
    if (hasTrait(name, LibraryFunction::MeasuresText) &&
        call->getNumArgs() == 1)
      text = call->getArg(0);
    else if (hasTrait(name, LibraryFunction::ComparesTexts) &&
             call->getNumArgs() == 2)
      text = isEmpty(1)   ? call->getArg(0)
             : isEmpty(0) ? call->getArg(1)
                          : nullptr;
  }
  text = text ? text->IgnoreParenImpCasts() : nullptr;
  return text && isText(ast, text->getType()) ? text : nullptr;
}
