//===- Constants.h - What is known when a program is compiled ---*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_CONSTANTS_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_CONSTANTS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <cstdint>
#include <optional>

namespace nvmove {

/// Also cast to another pointer: SIG_DFL.
bool isNullPointer(clang::ASTContext &ast, const clang::Expr *e);

/// The value of an integer constant expression, extended to 64 bits by its
/// sign; none for other expressions, and for wider ones.
std::optional<uint64_t> constantOf(const clang::ASTContext &ast,
                                   const clang::Expr *e);

/// A constant that is not negative.
bool isNaturalConstant(const clang::ASTContext &ast, const clang::Expr *e);

/// A constant as what `place` holds when it is given it, or nothing.
std::optional<uint64_t> valueIn(clang::ASTContext &ast,
                                const clang::ValueDecl *place,
                                const clang::Expr *constant);

/// The constant is the same number in `type`.
bool fits(const clang::ASTContext &ast, const clang::Expr *constant,
          clang::QualType type);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_CONSTANTS_H
