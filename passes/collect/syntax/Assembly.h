//===- Assembly.h - What inline assembly may do unseen ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract of the compilers: assembly writes its output operands, and
// memory besides only where it names "memory" among what it clobbers. What an
// operand is, is collected as any other store.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_ASSEMBLY_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_ASSEMBLY_H

#include "clang/AST/Stmt.h"

namespace nvmove {

/// It may write memory that none of its operands is. Not so a barrier, whose
/// text is empty, nor pause, fences and their like, which have no operands.
bool mayStoreUnseen(const clang::AsmStmt *s);

/// Nothing is known of it but what it stores: it may jump, or puts something
/// elsewhere than into local variables.
bool isOpaque(const clang::AsmStmt *s);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_ASSEMBLY_H
