//===- LvalueCollector.cpp - Addresses, loads and assignments -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/LvalueCollector.h"
#include "passes/collect/body/Body.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Places.h"

using namespace clang;
using namespace nvmove;

Id LvalueCollector::addressOfMember(const MemberExpr *e) {
  Id base =
      e->isArrow() ? b_.expressions.value(e->getBase()) : address(e->getBase());
  Id result = b_.out.addressTemp(e->getType(), e->getMemberLoc());
  const auto *f = dyn_cast<FieldDecl>(e->getMemberDecl());
  // A member of the null pointer: an address that nothing else yields.
  if (base != None && f)
    b_.out.flow(Flow::Member, result, base, e->getMemberLoc(),
                b_.out.entities().field(f));
  return result;
}

Id LvalueCollector::addressOfTemporary(const Expr *e) {
  auto [at, fresh] = literals_.try_emplace(e, None);
  if (!fresh)
    return at->second;
  const auto *compound = dyn_cast<CompoundLiteralExpr>(e);
  bool automatic = compound && !b_.out.isStatic() && !compound->isFileScope();
  Id memory = b_.out.addLocal(automatic ? NodeKind::Local : NodeKind::Literal,
                              "", e->getType(), e->getBeginLoc());
  Id result = b_.out.addressTemp(e->getType(), e->getBeginLoc());
  b_.out.flow(Flow::AddressOf, result, memory, e->getBeginLoc());
  literals_[e] = result;
  if (!compound) {
    b_.out.node(memory).isConst = true;
    return result;
  }
  const Expr *init = compound->getInitializer();
  if (automatic)
    b_.sites.initialised(memory, e->getBeginLoc());
  if (e->getType()->isRecordType() || e->getType()->isArrayType())
    b_.initialisers.initialiseMemory([&] { return result; }, e->getType(),
                                     init);
  else
    b_.out.copy(memory, b_.expressions.value(init), e->getBeginLoc());
  return result;
}

Id LvalueCollector::address(const Expr *e) {
  e = plainLvalue(e);
  Id result = None;
  if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl()))
      return b_.out.addressOf(v, e->getBeginLoc());
    if (const auto *f = dyn_cast<FunctionDecl>(ref->getDecl()))
      return b_.expressions.functionAddress(f, e);
  } else if (const auto *m = dyn_cast<MemberExpr>(e)) {
    return addressOfMember(m);
  } else if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
    const Expr *base = s->getBase()->IgnoreParens();
    const auto *decay = dyn_cast<ImplicitCastExpr>(base);
    bool array = decay && decay->getCastKind() == CK_ArrayToPointerDecay;
    Id b = array                             ? address(decay->getSubExpr())
           : base->getType()->isVectorType() ? address(base)
                                             : b_.expressions.value(base);
    Id index = b_.expressions.value(s->getIdx());
    result = b_.out.indexed(b, index, b_.out.ast().getPointerType(e->getType()),
                            s->getRBracketLoc());
  } else if (const auto *u = dyn_cast<UnaryOperator>(e);
             u && (u->getOpcode() == UO_Deref || u->getOpcode() == UO_Real ||
                   u->getOpcode() == UO_Imag)) {
    result = u->getOpcode() == UO_Deref ? b_.expressions.value(u->getSubExpr())
                                        : address(u->getSubExpr());
  } else if (isa<CompoundLiteralExpr, StringLiteral, PredefinedExpr>(e)) {
    return addressOfTemporary(e);
  } else if (const auto *c = dyn_cast<CastExpr>(e);
             c && c->getSubExpr()->isGLValue()) {
    result = address(c->getSubExpr());
  } else if (const auto *v = dyn_cast<ExtVectorElementExpr>(e)) {
    result = v->isArrow() ? b_.expressions.value(v->getBase())
                          : address(v->getBase());
  } else if (!e->isGLValue()) {
    result = b_.expressions.value(
        e); // a record that an expression yields: its value is its address
  } else {
    result = b_.expressions.valueOfOther(e, {});
  }
  return result == None ? b_.out.addressTemp(e->getType(), e->getBeginLoc())
                        : result;
}

Id LvalueCollector::load(const Expr *lvalue) {
  const Expr *e = plainLvalue(lvalue);
  if (const VarDecl *v = scalarVariable(e))
    return b_.definitions.current(v);
  // A member of a record that a call returned is no lvalue, but lies in memory;
  // so does the literal that Clang makes for an argument of transparent union.
  bool inMemory =
      isa<MemberExpr, ArraySubscriptExpr, ExtVectorElementExpr, DeclRefExpr,
          CompoundLiteralExpr, StringLiteral, PredefinedExpr>(e);
  if (!e->isGLValue() && !inMemory)
    return b_.expressions.value(e);
  QualType type = lvalue->getType();
  Id a = address(e);
  if (type->isRecordType() || type->isArrayType() || type->isFunctionType() ||
      type->isVoidType())
    return a;
  Id result = b_.out.temp(type, lvalue->getExprLoc());
  b_.out.flow(Flow::Load, result, a, lvalue->getExprLoc());
  return result;
}

void LvalueCollector::write(const Expr *lvalue, Id target, Id what,
                            SourceLocation at, bool isNull) {
  if (const VarDecl *v = scalarVariable(lvalue))
    b_.definitions.assigned(v, what, what != None || isNull, at);
  else if (what != None)
    b_.out.store(target, what, lvalue->getType(), at);
  QualType type = lvalue->getType();
  bool isNumber = type->isIntegerType() && !type->isCharType() &&
                  b_.out.ast().getTypeSize(type) <
                      b_.out.ast().getTypeSize(b_.out.ast().VoidPtrTy);
  if (target != None && !isNumber)
    b_.definitions.forgetShared();
}

Id LvalueCollector::assign(const BinaryOperator *e) {
  const Expr *lhs = e->getLHS();
  SourceLocation at = e->getOperatorLoc();
  const VarDecl *v = scalarVariable(lhs);
  Id target = v ? None : address(lhs);
  if (e->getOpcode() == BO_Assign) {
    std::vector<Id> judged, *outer = b_.sites.judgeInto(&judged);
    Id what = b_.expressions.value(e->getRHS());
    if (what != None) // on = n > 0 ? m : 0 is m
      judged.clear();
    write(lhs, target, what, at, isNullPointer(b_.out.ast(), e->getRHS()));
    if (const VarDecl *local = b_.uses.returnedLocal(lhs))
      b_.returns.add(e->getRHS(), what, e, local);
    b_.sites.writeSite(lhs, target, what, at, false, e);
    b_.sites.judgeInto(outer);
    if (outer) // a = b = n > 0
      outer->insert(outer->end(), judged.begin(), judged.end());
    return lhs->getType()->isRecordType() ? target : what;
  }
  Id old = v ? b_.definitions.current(v) : b_.out.temp(lhs->getType(), at);
  if (!v)
    b_.out.flow(Flow::Load, old, target, at);
  Id operand = b_.expressions.value(e->getRHS());
  Id what = old;
  if (const VarDecl *local = b_.uses.returnedLocal(lhs))
    b_.returns.add(e, None, e, local);
  // x op= constant leaves x depending on itself alone.
  if (operand != None) {
    what = lhs->getType()->isAnyPointerType()
               ? b_.out.indexed(old, operand, lhs->getType(), at)
               : b_.out.arithmetic({old, operand}, lhs->getType(), at);
    write(lhs, target, what, at);
  }
  b_.sites.writeSite(lhs, target, what, at, true, e);
  return what;
}

Id LvalueCollector::increment(const UnaryOperator *e) {
  const Expr *lvalue = e->getSubExpr();
  SourceLocation at = e->getOperatorLoc();
  const VarDecl *v = scalarVariable(lvalue);
  Id target = v ? None : address(lvalue);
  Id old = v ? b_.definitions.current(v) : b_.out.temp(lvalue->getType(), at);
  if (!v)
    b_.out.flow(Flow::Load, old, target, at);
  b_.sites.writeSite(lvalue, target, old, at, true, e);
  if (const VarDecl *local = b_.uses.returnedLocal(lvalue))
    b_.returns.add(e, None, e, local);
  return old;
}
