//===- Texts.h - Questions about arrays of characters -----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_TEXTS_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_TEXTS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace nvmove {

/// An array of characters.
bool isText(const clang::ASTContext &ast, clang::QualType type);

/// What initialises an array of characters begins with a zero.
bool isEmptyText(const clang::Expr *initialiser);

/// The array of characters that is asked whether its text is empty, or what it
/// begins with: *text, text[0], strlen(text), strcmp(text, ""); or null.
const clang::Expr *askedText(const clang::ASTContext &ast,
                             const clang::Expr *e);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_TEXTS_H
