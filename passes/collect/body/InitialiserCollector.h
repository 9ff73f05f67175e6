//===- InitialiserCollector.h - Initialisers of variables -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_INITIALISERCOLLECTOR_H
#define NVMOVE_PASSES_COLLECT_BODY_INITIALISERCOLLECTOR_H

#include "passes/facts/Facts.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nvmove {

struct Body;

/// Initialisers of variables and of compound literals.
class InitialiserCollector {
  using Expr = clang::Expr;
  using QualType = clang::QualType;

public:
  explicit InitialiserCollector(Body &body) : b_(body) {}

  void initialise(const clang::VarDecl *v, const Expr *init);
  /// `target` makes the address when something has to be put there: large
  /// tables of constants cost nothing.
  void initialiseMemory(llvm::function_ref<Id()> target, QualType type,
                        const Expr *init);

private:
  void initialiseRecord(llvm::function_ref<Id()> target,
                        const clang::RecordDecl *r,
                        const clang::InitListExpr *list);
  void initialiseArray(llvm::function_ref<Id()> target, QualType element,
                       const clang::InitListExpr *list);

  Body &b_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_INITIALISERCOLLECTOR_H
