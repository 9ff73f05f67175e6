//===- ZeroRecords.h - Records of nothing but zeros -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// struct timeval now = {0, 0}; select(1, &fds, NULL, NULL, &now); waits for
// nothing.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_ZERORECORDS_H
#define NVMOVE_PASSES_COLLECT_SCANS_ZERORECORDS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace nvmove {

/// For one function.
class ZeroRecords {
public:
  explicit ZeroRecords(const clang::ASTContext &ast) : ast_(ast) {}

  /// `argument` points to a record all of whose members are zero: a literal, or
  /// a local one that nothing in the function may give anything else.
  bool arePointedToBy(const clang::Expr *argument);

private:
  const clang::ASTContext &ast_;
  /// Local records of which a part may be given more than zeros; found when
  /// the first one is asked about.
  std::optional<llvm::DenseSet<const clang::VarDecl *>> nonZeros_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_ZERORECORDS_H
