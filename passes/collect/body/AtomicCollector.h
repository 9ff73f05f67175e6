//===- AtomicCollector.h - Atomic operations --------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_ATOMICCOLLECTOR_H
#define NVMOVE_PASSES_COLLECT_BODY_ATOMICCOLLECTOR_H

#include "passes/facts/Facts.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"

namespace nvmove {

struct Body;

/// Atomic operations and other built-ins that write through a pointer. Each
/// gives the node of its value, None for none.
class AtomicCollector {
  using Expr = clang::Expr;
  using QualType = clang::QualType;

public:
  explicit AtomicCollector(Body &body) : b_(body) {}

  Id syncBuiltin(llvm::StringRef name, const clang::CallExpr *e);
  Id overflowBuiltin(const clang::CallExpr *e);
  Id atomic(const clang::AtomicExpr *e);
  /// One atomic read-modify-write of *pointer with `operands`; gives what was
  /// there if it `reads` that. It `combines` the two, or puts an operand there.
  Id atomicUpdate(const Expr *pointer, Id target, llvm::ArrayRef<Id> operands,
                  bool reads, bool combines, QualType type);

private:
  Body &b_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_ATOMICCOLLECTOR_H
