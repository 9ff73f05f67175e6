//===- StoreContexts.cpp - What runs around a store -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/StoreContexts.h"

using namespace clang;
using namespace nvmove;

Stored StoreContexts::storedBy(const Expr *store) const {
  const auto *b = dyn_cast<BinaryOperator>(store);
  if (!b)
    return Stored::Step;
  Expr::EvalResult result;
  bool constant = b->getRHS()->getType()->isIntegerType() &&
                  b->getRHS()->EvaluateAsInt(result, out_.ast());
  if (!constant)
    return Stored::Other;
  if (b->getOpcode() == BO_Assign)
    return Stored::Constant;
  bool step = b->getOpcode() == BO_AddAssign || b->getOpcode() == BO_SubAssign;
  return step && result.Val.getInt() == 1 ? Stored::Step : Stored::Other;
}

void StoreContexts::announceBefore(const Expr *store, const Expr *lvalue,
                                   StoreSite &s) {
  const Stmt *statement = nullptr;
  StatementSpan span = enclosing_.span(nullptr, &statement);
  if (!statement || !announcements_ || s.announcedBefore)
    return;
  s.before = announcements_->pointerBefore(statement, store, lvalue);
  if (s.before.empty())
    return;
  s.statement = span;
  contexts_.push_back(
      {Id(out_.facts().stores.size()), {}, callsBehindHooks(statement)});
}

void StoreContexts::describe(const Expr *store, StoreSite &s) {
  if (!store)
    return;
  s.stored = storedBy(store);
  Context around{Id(out_.facts().stores.size()), {}, {}};
  const auto *b = dyn_cast<BinaryOperator>(store);
  if (s.hooked || b)
    around.within = callsBehindHooks(s.hooked ? store : b->getRHS());
  if (announcements_)
    if (const CallList *since = announcements_->before(store)) {
      s.announcedBefore = true;
      around.since = *since;
    }
  if (!around.within.empty() || !around.since.empty())
    contexts_.push_back(std::move(around));
}

Callees StoreContexts::calleesOf(const CallList &calls) const {
  llvm::SmallVector<Id, 8> found;
  for (const CallExpr *e : calls)
    if (Id id = out_.callOf(e); id != None)
      found.push_back(id);
  llvm::sort(found);
  Callees result;
  auto add = [](std::vector<Id> &to, Id id) {
    if (!llvm::is_contained(to, id))
      to.push_back(id);
  };
  for (Id id : found) {
    const Call &c = out_.facts().calls[id];
    if (c.callee != None)
      add(result.functions, c.callee);
    else if (c.target != None)
      add(result.pointers, c.target);
  }
  return result;
}

void StoreContexts::end() {
  for (const Context &around : contexts_) {
    StoreSite &s = out_.facts().stores[around.store];
    if (!around.within.empty())
      s.within = calleesOf(around.within);
    if (!around.since.empty())
      s.since = calleesOf(around.since);
  }
}
