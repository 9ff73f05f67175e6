//===- Walk.cpp - Through a body, statement by statement ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Walk.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

void nvmove::walk(const Stmt *s, llvm::function_ref<bool(const Stmt *)> enter) {
  if (!s || !enter(s))
    return;
  for (const Stmt *child : s->children())
    walk(child, enter);
  // The children of these two are not all that stands in them.
  if (const auto *captured = dyn_cast<CapturedStmt>(s))
    walk(captured->getCapturedStmt(), enter);
  if (const auto *omp = dyn_cast<OMPExecutableDirective>(s))
    for (const OMPClause *clause : omp->clauses())
      for (const Stmt *child : clause->children())
        walk(child, enter);
}
