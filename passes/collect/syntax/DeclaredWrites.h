//===- DeclaredWrites.h - What a declaration says is written ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a function of a library that nothing else is known of, its declaration
// says what it may write:
//
//   int SSL_read(SSL *, void *to, int n)        n bytes
//   int box_size(struct box *, long *rows)      a long
//   char *box_name(struct box *, char *to)      text in the rest of the block
//   void box_sort(char **rows, int n)           pointers that are there
//   void box_set(struct box *, void *context)   nothing that could be announced
//   int box_make(struct box *, char **name)     a pointer, to nobody knows what
//
// To announce too much costs a little; too little loses data.
//
// Tested by: test/lit/solve/sites/Sites-declared_writes.c
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_DECLAREDWRITES_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_DECLAREDWRITES_H

#include "passes/facts/Facts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace nvmove {

/// By its parameters that are pointers to what is not const. Where a number
/// follows, it counts bytes, or objects of any type.
std::vector<ScannedArg> declaredWrites(const clang::ASTContext &ast,
                                       const clang::FunctionDecl *function);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_DECLAREDWRITES_H
