//===- OtherWrites.h - Writes that no flow block has ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_OTHERWRITES_H
#define NVMOVE_PASSES_COLLECT_BODY_OTHERWRITES_H

#include "passes/collect/body/DefinitionFacts.h"

namespace nvmove {

/// `place`, an integer, is given `value` by an initialiser, or in some other
/// way that no block shows; `value` null for anything.
void addOtherWrite(DefinitionFacts &out, const clang::ValueDecl *place,
                   const clang::Expr *value);

/// `place` is initialised with `text`: noted if it is an array of characters
/// and the text is not empty.
void addTextWrite(DefinitionFacts &out, const clang::ValueDecl *place,
                  const clang::Expr *text);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_OTHERWRITES_H
