//===- PathConditions.cpp - What holds where a call is made ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/PathConditions.h"
#include "passes/collect/scans/ControlTransfer.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Places.h"
#include "passes/collect/syntax/Texts.h"

using namespace clang;
using namespace nvmove;

void PathConditions::forget(Mark since) {
  nonNull_.truncate(since.nonNull);
  different_.truncate(since.different);
  zero_.truncate(since.zero);
  flags_.truncate(since.flags);
  statics_.truncate(since.statics);
  tests_.truncate(since.tests);
  arms_.truncate(since.arms);
}

void PathConditions::describe(Call &c) const {
  c.nonNull.assign(nonNull_.begin(), nonNull_.end());
  c.different.assign(different_.begin(), different_.end());
  c.zero.assign(zero_.begin(), zero_.end());
  c.flags.assign(flags_.begin(), flags_.end());
  c.statics.assign(statics_.begin(), statics_.end());
  c.tests.assign(tests_.begin(), tests_.end());
  c.arms.assign(arms_.begin(), arms_.end());
}

/// In `type` the value is zero when and only when it is so by itself.
bool PathConditions::keepsTruth(const Expr *e, QualType type) const {
  QualType from = e->IgnoreParenImpCasts()->getType();
  return type->isBooleanType() ||
         (from->isIntegralOrEnumerationType() &&
          out_.ast().getIntWidth(from) <= out_.ast().getIntWidth(type));
}

void PathConditions::assume(const Expr *e, bool holds) {
  e = e->IgnoreParenImpCasts();
  if (e->getType()->isAnyPointerType()) {
    assumeStatic(e, !holds);
    if (holds)
      assumeNonNull(e);
    return;
  }
  if (const auto *call = dyn_cast<CallExpr>(e)) {
    const FunctionDecl *f = call->getDirectCallee();
    if (f && f->getIdentifier() && f->getName() == "__builtin_expect")
      assume(call->getArg(0), holds);
    else if (askedText(out_.ast(), e))
      assumeInteger(e, nullptr, !holds);
    else if (!holds)
      assumeZero(e);
    return;
  }
  if (const auto *u = dyn_cast<UnaryOperator>(e)) {
    assumeStatic(e, !holds);
    if (u->getOpcode() == UO_LNot)
      assume(u->getSubExpr(), !holds);
    else if (askedText(out_.ast(), e))
      assumeInteger(e, nullptr, !holds);
    return;
  }
  // bool found = p != NULL; .. if (found)
  if (const auto *ref = dyn_cast<DeclRefExpr>(e))
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl());
        v && v->hasLocalStorage() && v->getInit() &&
        !uses_.changed.contains(v) &&
        v->getType()->isIntegralOrEnumerationType() &&
        keepsTruth(v->getInit(), v->getType()))
      return assume(v->getInit(), holds);
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (!b || b->getOpcode() == BO_And) {
    assumeStatic(e, !holds);
    return assumeInteger(e, nullptr, !holds);
  }
  if (b->getOpcode() == BO_Comma)
    return assume(b->getRHS(), holds);
  if (b->isLogicalOp()) {
    if ((b->getOpcode() == BO_LAnd) == holds) {
      assume(b->getLHS(), holds);
      assume(b->getRHS(), holds);
    }
    return;
  }
  if (b->isRelationalOp())
    return assumeOrder(b, holds);
  if (!b->isEqualityOp())
    return;
  bool equal = (b->getOpcode() == BO_EQ) == holds;
  if (PointerPair p = compared(b); !equal && p.first != None)
    different_.push_back(p);
  assumeInteger(b->getLHS(), b->getRHS(), equal);
  for (auto [tested, zero] : {std::pair(b->getLHS(), b->getRHS()),
                              std::pair(b->getRHS(), b->getLHS())})
    if (isNullPointer(out_.ast(), zero) || constantOf(out_.ast(), zero) == 0) {
      assumeStatic(tested, equal);
      if (equal)
        assumeZero(tested);
    }
  if (!equal && isNullPointer(out_.ast(), b->getRHS()))
    assumeNonNull(b->getLHS());
  else if (!equal && isNullPointer(out_.ast(), b->getLHS()))
    assumeNonNull(b->getRHS());
}

/// What a call gave.
void PathConditions::assumeZero(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  const auto *call = dyn_cast<CallExpr>(e);
  if (call && out_.callOf(call) != None &&
      e->getType()->isIntegralOrEnumerationType())
    zero_.push_back(out_.resultOf(call));
}

/// Of integers only those are told apart that are set to constants: parameters,
/// by callers, as in remove(key, SILENTLY | /*later=*/0), and flags. `value`
/// null stands for zero.
void PathConditions::assumeInteger(const Expr *e, const Expr *value,
                                   bool equal) {
  e = e->IgnoreParenImpCasts();
  ParamTest test{None, ~uint64_t(0), 0, equal};
  if (value) {
    auto n = constantOf(out_.ast(), value);
    if (!n)
      return;
    test.value = *n;
  }
  if (const auto *b = dyn_cast<BinaryOperator>(e);
      b && b->getOpcode() == BO_And) {
    const Expr *mask = b->getRHS();
    e = b->getLHS()->IgnoreParenImpCasts();
    if (!constantOf(out_.ast(), mask)) {
      mask = b->getLHS();
      e = b->getRHS()->IgnoreParenImpCasts();
    }
    auto n = constantOf(out_.ast(), mask);
    if (!n)
      return;
    test.mask = *n;
  }
  if (!value || fits(out_.ast(), value, e->getType()))
    assumeFlag(e, {None, None, test.mask, test.value, equal});
  else if (equal) // as far as the type goes, not zero
    assumeNonZero(e);
  const ParmVarDecl *p = uses_.unchangedParameter(e);
  if (!p || (value && !fits(out_.ast(), value, p->getType())))
    return;
  test.param = out_.variable(p);
  tests_.push_back(test);
}

/// Of a global or a member it is known what sets it.
void PathConditions::assumeFlag(const Expr *e, FlagTest test) {
  e = e->IgnoreParenImpCasts();
  if (const Expr *text = askedText(out_.ast(), e))
    e = text;
  else if (!e->getType()->isIntegralOrEnumerationType())
    return;
  if (const auto *m = dyn_cast<MemberExpr>(e)) {
    if (const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl())) {
      test.field = out_.entities().field(f);
      flags_.push_back(test);
    }
    return;
  }
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (v && v->hasGlobalStorage()) {
    test.variable = out_.entities().global(v);
    flags_.push_back(test);
  }
}

/// Before it was counted: if (!made++)
void PathConditions::assumeStatic(const Expr *e, bool isZero) {
  e = e->IgnoreParenImpCasts();
  if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->isPostfix())
    e = u->getSubExpr()->IgnoreParenImpCasts();
  if (!e->isGLValue() || !e->getType()->isScalarType())
    return;
  const Place p = placeOf(e);
  if (p.root != Place::Root::Variable || !p.variable->hasGlobalStorage())
    return;
  StaticTest &test = statics_.emplace_back();
  test.variable = out_.entities().global(p.variable);
  for (const FieldDecl *f : p.path)
    test.path.push_back(out_.entities().field(f));
  test.isZero = isZero;
}

/// x > 0, 1 <= x, i < x, and the like.
void PathConditions::assumeOrder(const BinaryOperator *e, bool holds) {
  auto compare = [&](const Expr *x, BinaryOperatorKind op, const Expr *bound) {
    auto n = constantOf(out_.ast(), bound);
    int64_t at = n ? int64_t(*n) : 0;
    if ((op == BO_GT && uses_.isNatural(out_.ast(), bound)) ||
        (n && ((op == BO_GE && at > 0) || (op == BO_LT && at <= 0) ||
               (op == BO_LE && at < 0))))
      assumeNonZero(x);
  };
  BinaryOperatorKind op = e->getOpcode();
  if (!holds)
    op = BinaryOperator::negateComparisonOp(op);
  compare(e->getLHS(), op, e->getRHS());
  compare(e->getRHS(), BinaryOperator::reverseComparisonOp(op), e->getLHS());
}

/// The node of a pointer that was evaluated, or of the variable that it is.
Id PathConditions::testedPointer(const Expr *e) const {
  if (auto at = evaluated_.find(e); at != evaluated_.end())
    return at->second;
  const VarDecl *variable = scalarVariable(e);
  return variable ? out_.variable(variable) : None;
}

PointerPair PathConditions::compared(const BinaryOperator *e) const {
  const Expr *a = e->getLHS()->IgnoreParenImpCasts(),
             *b = e->getRHS()->IgnoreParenImpCasts();
  if (!a->getType()->isAnyPointerType() || !b->getType()->isAnyPointerType() ||
      isNullPointer(out_.ast(), e->getLHS()) ||
      isNullPointer(out_.ast(), e->getRHS()))
    return {};
  PointerPair p{testedPointer(a), testedPointer(b)};
  return p.first == None || p.second == None ? PointerPair() : p;
}

void PathConditions::assumeNonNull(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (!e->getType()->isAnyPointerType())
    return;
  if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->isAssignmentOp()) {
    assumeNonNull(b->getRHS()); // the variable may hold more than this value
    e = b->getLHS()->IgnoreParenImpCasts();
  }
  if (Id v = testedPointer(e); v != None) // whatever it was given since
    nonNull_.push_back(v);
}

void PathConditions::assumeCase(const SwitchStmt *choice, const Stmt *s) {
  const auto *label = dyn_cast<SwitchCase>(s);
  if (!label || hasEntry(label->getSubStmt()))
    return;
  const Expr *value = choice->getCond();
  if (const auto *c = dyn_cast<CaseStmt>(label)) {
    if (!c->getRHS())
      assumeInteger(value, c->getLHS(), true);
    return;
  }
  constexpr unsigned most = 16;
  unsigned others = 0;
  for (const SwitchCase *l = choice->getSwitchCaseList(); l && others < most;
       l = l->getNextSwitchCase())
    if (const auto *c = dyn_cast<CaseStmt>(l); c && !c->getRHS()) {
      assumeInteger(value, c->getLHS(), false);
      ++others;
    }
}

void PathConditions::assumeBehind(const Stmt *s) {
  auto choice = [&](const Expr *condition, const Stmt *then,
                    const Stmt *otherwise) {
    if (neverFallsThrough(out_.ast(), out_.unit().deadEnds, otherwise))
      assume(condition, true);
    if (neverFallsThrough(out_.ast(), out_.unit().deadEnds, then))
      assume(condition, false);
  };
  if (const auto *e = dyn_cast<Expr>(s))
    s = e->IgnoreParenCasts();
  if (const auto *i = dyn_cast<IfStmt>(s))
    return choice(i->getCond(), i->getThen(), i->getElse());
  if (const auto *c = dyn_cast<ConditionalOperator>(s))
    return choice(c->getCond(), c->getTrueExpr(), c->getFalseExpr());
  if (const auto *b = dyn_cast<BinaryOperator>(s)) {
    if (b->getOpcode() == BO_Comma) {
      assumeBehind(b->getLHS());
      assumeBehind(b->getRHS());
    } else if (b->getOpcode() == BO_LOr) { // p || abort()
      choice(b->getLHS(), nullptr, b->getRHS());
    }
  }
  if (const auto *x = dyn_cast<StmtExpr>(s))
    for (const Stmt *inner : x->getSubStmt()->body())
      assumeBehind(inner);
}
