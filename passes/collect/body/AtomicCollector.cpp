//===- AtomicCollector.cpp - Atomic operations ----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/AtomicCollector.h"
#include "passes/collect/body/Body.h"

using namespace clang;
using namespace nvmove;

/// x + 0, x - 0, x | 0, x ^ 0: how an atomic is read where there is no load.
static bool leavesValue(const ASTContext &ast, llvm::StringRef name,
                        const Expr *operand) {
  Expr::EvalResult result;
  return operand && name.contains("fetch") &&
         (name.contains("add") || name.contains("sub") ||
          name.contains("or")) && // and xor
         !operand->isValueDependent() &&
         operand->EvaluateAsInt(result, ast) && result.Val.getInt() == 0;
}

Id AtomicCollector::atomicUpdate(const Expr *pointer, Id target,
                                 llvm::ArrayRef<Id> operands, bool reads,
                                 bool combines, QualType type) {
  SourceLocation at = pointer->getExprLoc();
  if (target == None)
    target = b_.out.temp(pointer->getType(), at);
  Id old = None;
  if (reads) {
    old = b_.out.temp(type, at);
    b_.out.flow(Flow::Load, old, target, at);
  }
  Id what = None;
  for (Id v : operands) {
    if (v == None)
      continue;
    if (combines && what == None)
      what = b_.out.arithmetic({old, v}, type, at);
    else if (!combines)
      b_.out.flow(Flow::Store, target, what = v, at);
  }
  if (combines && what != None)
    b_.out.flow(Flow::Store, target, what, at);
  b_.sites.atomicSite(pointer, target, what, reads);
  return old;
}

Id AtomicCollector::syncBuiltin(llvm::StringRef name, const CallExpr *e) {
  llvm::SmallVector<Id, 3> args;
  for (const Expr *a : e->arguments())
    args.push_back(b_.expressions.value(a));
  if (args.empty())
    return None; // __sync_synchronize
  bool swap = name.contains("compare_and_swap");
  bool exchange = swap || name.contains("lock_test_and_set") ||
                  name.contains("swap") || name.contains("lock_release") ||
                  name.starts_with("__atomic_");
  llvm::ArrayRef<Id> operands = llvm::ArrayRef(args).drop_front();
  if (swap && !operands.empty())
    operands = operands.drop_front();
  const Expr *pointer = e->getArg(0);
  QualType type = pointer->IgnoreParenImpCasts()->getType()->getPointeeType();
  if (args.size() > 1 && leavesValue(b_.out.ast(), name, e->getArg(1))) {
    Id loaded = b_.out.temp(type, e->getBeginLoc());
    b_.out.flow(Flow::Load, loaded, args[0], e->getBeginLoc());
    return loaded;
  }
  Id old = atomicUpdate(pointer, args[0], operands,
                        !name.contains("lock_release"), !exchange, type);
  return name.contains("bool_compare") ? None : old;
}

Id AtomicCollector::overflowBuiltin(const CallExpr *e) {
  llvm::SmallVector<Id, 3> args;
  for (const Expr *a : e->arguments())
    args.push_back(b_.expressions.value(a));
  if (args.size() < 3)
    return None;
  const Expr *pointer = e->getArg(2);
  QualType type = pointer->getType()->getPointeeType();
  Id result = b_.out.arithmetic({args[0], args[1]}, type, e->getBeginLoc());
  atomicUpdate(pointer, args[2], {result}, false, false, type);
  return None;
}

Id AtomicCollector::atomic(const AtomicExpr *e) {
  llvm::StringRef name = e->getOpAsString();
  // Evaluated once each, in the order of the AST.
  llvm::DenseMap<const Expr *, Id> values;
  for (const Stmt *c : const_cast<AtomicExpr *>(e)->children())
    values[cast<Expr>(c)] = b_.expressions.value(cast<Expr>(c));
  Id target = values[e->getPtr()];
  QualType type = e->getPtr()->getType()->getPointeeType();
  SourceLocation at = e->getBuiltinLoc();
  if (target == None)
    target = b_.out.temp(e->getPtr()->getType(), at);
  bool generic = name == "__atomic_load" || name == "__atomic_store" ||
                 name == "__atomic_exchange" ||
                 name == "__atomic_compare_exchange";
  // The generic forms take pointers to the operands.
  auto operand = [&](Expr *x) -> Id {
    if (!x || values[x] == None || !x->getType()->isAnyPointerType() ||
        !generic)
      return x ? values[x] : None;
    Id loaded = b_.out.temp(type, at);
    b_.out.flow(Flow::Load, loaded, values[x], at);
    return loaded;
  };
  if (name.contains("_load") || leavesValue(b_.out.ast(), name, e->getVal1())) {
    Id loaded = b_.out.temp(type, at);
    b_.out.flow(Flow::Load, loaded, target, at);
    if (generic) {
      atomicUpdate(e->getVal1(), values[e->getVal1()], {loaded}, false, false,
                   type);
      return None;
    }
    return loaded;
  }
  if (e->isCmpXChg()) {
    Id old = atomicUpdate(e->getPtr(), target, {operand(e->getVal2())}, true,
                          false, type);
    // On failure the expected value is written.
    atomicUpdate(e->getVal1(), values[e->getVal1()], {old}, false, false, type);
    return None;
  }
  bool store = name.contains("_store") || name.contains("_init");
  bool exchange = name.contains("_exchange");
  Id old = atomicUpdate(e->getPtr(), target, {operand(e->getVal1())}, !store,
                        !store && !exchange, type);
  if (exchange && generic) {
    atomicUpdate(e->getVal2(), values[e->getVal2()], {old}, false, false, type);
    return None;
  }
  return old;
}
