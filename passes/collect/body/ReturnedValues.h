//===- ReturnedValues.h - What a function may return ------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_RETURNEDVALUES_H
#define NVMOVE_PASSES_COLLECT_BODY_RETURNEDVALUES_H

#include "passes/collect/body/PathConditions.h"

namespace nvmove {

/// Adds the integers that are returned, or put into a local that is, each with
/// where it is returned and under which conditions.
class ReturnedValues {
public:
  ReturnedValues(DefinitionFacts &out, const PathConditions &path,
                 const VariableUses &uses)
      : out_(out), path_(path), uses_(uses) {}

  /// The innermost block begins there, or the last label in it stands there.
  /// Gives what it was before.
  clang::SourceLocation enterBlock(clang::SourceLocation at) {
    return std::exchange(block_, at);
  }

  /// `e`, whose value is in a node or None, is returned by `at`, or put into
  /// `local`.
  void add(const clang::Expr *e, Id value, const clang::Stmt *at,
           const clang::VarDecl *local = nullptr);

private:
  DefinitionFacts &out_;
  const PathConditions &path_;
  const VariableUses &uses_;
  clang::SourceLocation block_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_RETURNEDVALUES_H
