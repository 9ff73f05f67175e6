//===- AssemblyOperands.h - What assembly writes by operands ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "memory" among what assembly clobbers says that it may write other memory
// than its outputs, and not which. Its instructions do, where each of them is
// known, for x86 in the syntax of AT&T: the kernel's
//
//   asm("lock; addl %1, %0" : "+m"(v->n) : "ir"(i) : "memory")
//   asm("xchgq %0, (%1)" : "+r"(r) : "r"(&c->n) : "memory")
//
// write their first operand, and what their second one points to.
//
// Tested by: test/unit/collect/syntax/AssemblyOperandsTest.cpp
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_ASSEMBLYOPERANDS_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_ASSEMBLYOPERANDS_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace nvmove {

/// Input operands, each once.
struct AssemblyWrites {
  llvm::SmallVector<const clang::Expr *, 2> inMemory; ///< lvalues: "m"(*p)
  llvm::SmallVector<const clang::Expr *, 2> behind; ///< pointers: "r"(p), (%1)
};

/// What the instructions write besides the outputs, of which each is an operand
/// of its own; nullopt where they may write anything else.
std::optional<AssemblyWrites> writtenByInputs(const clang::ASTContext &ast,
                                              const clang::GCCAsmStmt *s);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_ASSEMBLYOPERANDS_H
