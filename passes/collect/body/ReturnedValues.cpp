//===- ReturnedValues.cpp - What a function may return --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/ReturnedValues.h"
#include "passes/collect/syntax/Constants.h"

using namespace clang;
using namespace nvmove;

void ReturnedValues::add(const Expr *e, Id value, const Stmt *at,
                         const VarDecl *local) {
  if (out_.isStatic() || !e->getType()->isIntegralOrEnumerationType())
    return;
  ReturnedValue a;
  a.at = out_.map().loc(at->getEndLoc());
  a.from = out_.map().loc(block_.isValid() ? block_ : at->getBeginLoc());
  a.arms = path_.arms();
  if (local)
    a.local = out_.variable(local);
  a.isInitial = isa<DeclStmt>(at);
  const auto *step = dyn_cast<UnaryOperator>(e);
  a.counts = step && step->isIncrementOp();
  auto known = constantOf(out_.ast(), e);
  a.isConstant = known.has_value();
  if (known)
    a.constant = int64_t(*known);
  else if (const VarDecl *v = uses_.returnedLocal(e))
    a.value = out_.variable(v);
  else
    a.value = value;
  if (const auto *b = dyn_cast<BinaryOperator>(e->IgnoreParenImpCasts());
      b && b->getOpcode() == BO_EQ)
    a.equal = path_.compared(b);
  out_.definition().answers.push_back(std::move(a));
}
