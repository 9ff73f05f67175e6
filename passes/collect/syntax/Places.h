//===- Places.h - Which memory an lvalue names ------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_PLACES_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_PLACES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"

namespace nvmove {

/// The memory that an lvalue names, as it is reached.
struct Place {
  enum class Root : uint8_t {
    Pointer,  ///< through the value of `pointer`
    Variable, ///< a declared variable
    Other,    ///< a temporary or literal
  } root = Root::Other;
  const clang::Expr *pointer = nullptr;
  const clang::VarDecl *variable = nullptr;
  llvm::SmallVector<const clang::FieldDecl *, 4>
      path;            ///< from the root inwards
  bool hooked = false; ///< an announcing macro of the runtime is on the way
};

/// By what the syntax of `lvalue` shows.
Place placeOf(const clang::Expr *lvalue);

/// The variable that `lvalue` is, when its value is a node of its own: neither
/// a record nor an array. Else null.
const clang::VarDecl *scalarVariable(const clang::Expr *lvalue);

/// The array whose elements `pointer` reaches by decay, & or + alone, else
/// null. `pointer` is left without hooks and parentheses; `hooked` is set when
/// an announcing hook was passed.
const clang::Expr *arrayBehind(const clang::Expr *&pointer, bool &hooked);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_PLACES_H
