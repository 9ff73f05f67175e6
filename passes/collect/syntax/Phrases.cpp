//===- Phrases.cpp - Words that a program says to people ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Phrases.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace nvmove;

static bool isPhrase(llvm::StringRef text) {
  bool hasWord = false;
  size_t parts = 0;
  for (llvm::StringRef part : llvm::split(text, ' ')) {
    parts += !part.empty();
    size_t letters = 0;
    for (char c : part) {
      letters = llvm::isAlpha(c) ? letters + 1 : 0;
      hasWord |= letters == 3;
    }
  }
  return hasWord && parts > 1;
}

bool nvmove::isPhrase(const Expr *argument) {
  const Expr *e = argument->IgnoreParenCasts();
  if (const auto *s = dyn_cast<StringLiteral>(e))
    return s->getCharByteWidth() == 1 && ::isPhrase(s->getString());
  if (const auto *either = dyn_cast<ConditionalOperator>(e))
    return isPhrase(either->getTrueExpr()) && isPhrase(either->getFalseExpr());
  const auto *call = dyn_cast<CallExpr>(e);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  return callee && callee->hasAttr<FormatArgAttr>() && call->getNumArgs() > 0 &&
         isPhrase(call->getArg(0));
}
