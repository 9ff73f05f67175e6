//===- Walk.h - Through a body, statement by statement ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For C this is what clang::RecursiveASTVisitor does for bodies, without its
// visitor of several hundred functions for each class that derives from it:
// that takes the compiler five seconds a time.
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_WALK_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_WALK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace clang {
class Stmt;
}

namespace nvmove {

/// Calls `enter` for `s` and for each statement and expression below it, the
/// outer one first. It returns whether to go into what it was given. `s` may be
/// null: then there is nothing.
void walk(const clang::Stmt *s,
          llvm::function_ref<bool(const clang::Stmt *)> enter);

} // namespace nvmove

#endif
