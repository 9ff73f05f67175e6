//===- Phrases.h - Words that a program says to people ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_PHRASES_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_PHRASES_H

#include "clang/AST/Expr.h"

namespace nvmove {

/// A literal of words, "cannot open %s", also one that is translated first,
/// _("cannot open %s"), and either of two. Not a name or a path: at least two
/// parts with a blank between them, and three letters in a row.
bool isPhrase(const clang::Expr *argument);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_PHRASES_H
