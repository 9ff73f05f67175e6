//===- VariableUses.h - How a body uses its variables -----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_VARIABLEUSES_H
#define NVMOVE_PASSES_COLLECT_SCANS_VARIABLEUSES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <set>

namespace nvmove {

/// What happens to variables anywhere in a body.
struct VariableUses {
  using Set = llvm::DenseSet<const clang::ValueDecl *>;
  Set changed; ///< assigned, stepped, or their address is taken
  Set addressTaken;
  Set returned;          ///< local integers that some statement returns
  Set uncounted;         ///< given more than constants, and counted up
  bool parallel = false; ///< the body holds a parallel region

  /// Of a body, or of a part of one.
  static VariableUses of(const clang::ASTContext &ast, const clang::Stmt *s);

  /// The parameter that `e` reads, an integer that keeps the caller's value;
  /// else null.
  const clang::ParmVarDecl *unchangedParameter(const clang::Expr *e) const;
  /// The constants that `e` may be, each once: of the arms of a conditional, or
  /// all that is ever given to a local integer, also bits that are added to it.
  /// None where it may be something else, or one of very many.
  llvm::SmallVector<uint64_t, 4> choices(const clang::ASTContext &ast,
                                         const clang::Expr *e) const;
  /// The local integer that `e` is, if some statement returns it and its
  /// address is not taken; else null.
  const clang::VarDecl *returnedLocal(const clang::Expr *e) const;
  /// Not below zero: a constant, of an unsigned type, or a local that counts
  /// from there.
  bool isNatural(const clang::ASTContext &ast, const clang::Expr *e) const;

private:
  /// What a local integer is given, and what is added to its bits.
  struct Given {
    llvm::SmallVector<const clang::Expr *, 2> values, bits;
    bool otherwise = false; ///< it is changed in another way, too
  };
  llvm::DenseMap<const clang::ValueDecl *, Given> given_;
  using Set64 = std::set<uint64_t>;
  bool addChoices(const clang::ASTContext &ast, const clang::Expr *e,
                  Set64 &result, Set &open) const;
  bool addChoicesOf(const clang::ASTContext &ast, const clang::VarDecl *v,
                    Set64 &result, Set &open) const;
  void add(const clang::ASTContext &ast, const clang::Stmt *s);
};

/// Calls `see` with each variable that is assigned or declared in `s`, which
/// may be null, and whether it gets a value there. Each is a node of its own.
void eachAssigned(
    const clang::Stmt *s,
    llvm::function_ref<void(const clang::VarDecl *, bool hasValue)> see);

/// Those variables, in order, each with the number of times that it gets a
/// value in `s`.
using Assigned = llvm::MapVector<const clang::VarDecl *, unsigned>;
Assigned assignedIn(const clang::Stmt *s);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_VARIABLEUSES_H
