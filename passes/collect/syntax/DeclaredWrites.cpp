//===- DeclaredWrites.cpp - What a declaration says is written ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/DeclaredWrites.h"

using namespace clang;
using namespace nvmove;

std::vector<ScannedArg> nvmove::declaredWrites(const ASTContext &ast,
                                               const FunctionDecl *function) {
  std::vector<ScannedArg> result;
  for (unsigned i = 0; i < function->getNumParams(); ++i) {
    const QualType type = function->getParamDecl(i)->getType();
    const QualType to =
        type->isPointerType() ? type->getPointeeType() : QualType();
    if (to.isNull() || to.isConstQualified() || to->isFunctionType())
      continue;
    const bool isCounted =
        i + 1 < function->getNumParams() &&
        function->getParamDecl(i + 1)->getType()->isIntegerType();
    const bool isBytes = to->isVoidType() || to->isAnyCharacterType();
    if (isBytes && isCounted)
      result.push_back({i, ScannedArg::Sized, i + 1});
    else if (to->isVoidType() || to->isIncompleteType() ||
             (to->isAnyPointerType() && !isCounted))
      continue;
    else if (isBytes || isCounted)
      result.push_back({i, ScannedArg::Rest, 0});
    else
      result.push_back({i, ScannedArg::Object,
                        uint64_t(ast.getTypeSizeInChars(to).getQuantity())});
  }
  return result;
}
