//===- Conditions.cpp - What is known where a call is made ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts have no control flow. Two things about it are kept for each call,
// because they tell what a phase of the program never does: which pointers were
// tested on the way, and in which arms of if statements the call stands.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/DefinitionCollector.h"

using namespace clang;
using namespace nvmove;

bool DefinitionCollector::hasEntry(const Stmt *s, bool inSwitch) {
  if (!s)
    return false;
  if (isa<LabelStmt>(s) || (isa<SwitchCase>(s) && !inSwitch))
    return true;
  for (const Stmt *c : s->children())
    if (hasEntry(c, inSwitch || isa<SwitchStmt>(s)))
      return true;
  return false;
}

void DefinitionCollector::where(const Expr *condition, bool holds,
                                llvm::function_ref<void()> walk) {
  size_t known = nonNull_.size();
  if (condition)
    assume(condition, holds);
  walk();
  nonNull_.truncate(known);
}

void DefinitionCollector::assume(const Expr *e, bool holds) {
  e = e->IgnoreParenImpCasts();
  if (e->getType()->isAnyPointerType()) {
    if (holds)
      assumeNonNull(e);
    return;
  }
  if (const auto *call = dyn_cast<CallExpr>(e)) {
    const FunctionDecl *f = call->getDirectCallee();
    if (f && f->getIdentifier() && f->getName() == "__builtin_expect")
      assume(call->getArg(0), holds);
    return;
  }
  if (const auto *u = dyn_cast<UnaryOperator>(e)) {
    if (u->getOpcode() == UO_LNot)
      assume(u->getSubExpr(), !holds);
    return;
  }
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (!b)
    return;
  if (b->getOpcode() == BO_Comma)
    return assume(b->getRHS(), holds);
  if (b->isLogicalOp()) {
    if ((b->getOpcode() == BO_LAnd) == holds) {
      assume(b->getLHS(), holds);
      assume(b->getRHS(), holds);
    }
    return;
  }
  if ((b->getOpcode() == BO_NE && holds) ||
      (b->getOpcode() == BO_EQ && !holds)) {
    auto isNull = [&](const Expr *x) {
      return x->isNullPointerConstant(u_.ast, Expr::NPC_NeverValueDependent) !=
             Expr::NPCK_NotNull;
    };
    if (isNull(b->getRHS()))
      assumeNonNull(b->getLHS());
    else if (isNull(b->getLHS()))
      assumeNonNull(b->getRHS());
  }
}

void DefinitionCollector::assumeNonNull(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (!e->getType()->isAnyPointerType())
    return;
  if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->isAssignmentOp())
    e = b->getLHS()->IgnoreParenImpCasts();
  Id v = None;
  if (const VarDecl *variable = scalarVariable(e))
    v = this->variable(variable);
  else if (auto at = tested_.find(e); at != tested_.end())
    v = at->second;
  if (v != None)
    nonNull_.push_back(v);
}

bool DefinitionCollector::neverFallsThrough(const Stmt *s) const {
  if (!s)
    return false;
  if (isa<ReturnStmt, GotoStmt, BreakStmt, ContinueStmt>(s))
    return true;
  if (const auto *c = dyn_cast<CompoundStmt>(s))
    return !c->body_empty() && neverFallsThrough(c->body_back());
  if (const auto *i = dyn_cast<IfStmt>(s))
    return neverFallsThrough(i->getThen()) && neverFallsThrough(i->getElse());
  const auto *call = dyn_cast<CallExpr>(s);
  return call && u_.deadEnds.calls.contains(call);
}

// if (!p) return; says of all that follows in the block what else would say,
// until there is a label to jump to.
void DefinitionCollector::compound(const CompoundStmt *block) {
  size_t known = nonNull_.size(), arms = arms_.size();
  for (const Stmt *s : block->body()) {
    if (hasEntry(s)) {
      nonNull_.truncate(known);
      arms_.truncate(arms);
    }
    uint32_t number = conditions_;
    child(s, true);
    const auto *i = dyn_cast<IfStmt>(s);
    if (!i)
      continue;
    for (bool holds : {true, false})
      if (neverFallsThrough(holds ? i->getElse() : i->getThen())) {
        arms_.push_back(number * 2 + !holds);
        assume(i->getCond(), holds);
      }
  }
  nonNull_.truncate(known);
  arms_.truncate(arms);
}
