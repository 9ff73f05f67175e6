//===- Hooks.h - The runtime's macros, recognised in a program --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rewritten program must yield the same facts as the original. The hooks hand
// back their operand, so the collector looks through them and only marks the
// sites as done.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_HOOKS_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_HOOKS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace nvmove {

struct Hook {
  enum Kind { None, Store, Placed, Twin, Code } kind = None;
  const clang::Expr *operand = nullptr; ///< what the hook hands back
  explicit operator bool() const { return kind != None; }
};

/// The hook that `e` is, with the cast that the hook's macro puts around it.
Hook findHook(const clang::Expr *e);

/// `e` without what does not change an lvalue: parentheses, __extension__, the
/// chosen branch of _Generic, *& and announcing hooks. `*hooked` is set when an
/// announcing hook was passed.
const clang::Expr *plainLvalue(const clang::Expr *e, bool *hooked = nullptr);

/// The runtime only notes what it is given here: nothing is called, written or
/// read through it that the plain program would not.
bool isRegistration(llvm::StringRef function);
/// A constructor that does nothing else, as NVM_REGISTER() and NVM_LAYOUT()
/// make: the plain program has no such function.
bool registersOnly(const clang::FunctionDecl &f);
/// The members that NVM_LAYOUT() and NVM_ROOT_ARRAY() name: likewise.
bool isTableOfLayout(const clang::VarDecl &v);
/// What NVM_ROOTS_END_WITH() declares: it holds the place of a local of main,
/// which the program hands to nobody.
bool isEndOfRoots(const clang::VarDecl &v);

/// NVM_OUTPUT(f)(..), NVM_WAIT(f)(..): f; else what is called.
const clang::Expr *calledBehindHook(const clang::CallExpr *e);

/// The function that is called by name, also in these; or null.
const clang::FunctionDecl *calledFunction(const clang::CallExpr *e);

/// The name of the function that is called directly, or "".
llvm::StringRef calleeName(const clang::CallExpr *e);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_HOOKS_H
