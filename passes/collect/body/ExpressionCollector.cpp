//===- ExpressionCollector.cpp - Expressions to nodes ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/ExpressionCollector.h"
#include "passes/collect/body/Body.h"
#include "passes/collect/body/OffsetUses.h"
#include "passes/collect/body/OtherWrites.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Places.h"

using namespace clang;
using namespace nvmove;

void ExpressionCollector::evaluateChildren(const Stmt *s) {
  for (const Stmt *c : s->children())
    b_.statements.statement(c);
}

Id ExpressionCollector::value(const Expr *e, QualType as) {
  Id v = valueOf(e, as);
  if (e && e->getType()->isAnyPointerType())
    b_.path.evaluated(e->IgnoreParenImpCasts(), v);
  return v;
}

Id ExpressionCollector::judge(const Expr *e) {
  Id v = value(e);
  // Whether a pointer is null says nothing of the text behind it; a call may.
  if (v != None && (e->getType()->isArithmeticType() ||
                    isa<CallExpr>(e->IgnoreParenCasts())))
    b_.sites.judge(v);
  return v;
}

Id ExpressionCollector::valueOf(const Expr *e, QualType as) {
  if (!e)
    return None;
  // The outermost comes first: (struct s *)((make)()).
  if (isa<ParenExpr, CastExpr>(e))
    if (const auto *c = dyn_cast<CallExpr>(e->IgnoreParenCasts()))
      b_.callSites.noteWhole(c, e);
  if (const auto *full = dyn_cast<FullExpr>(e))
    return value(full->getSubExpr(), as);
  switch (e->getStmtClass()) {
  case Stmt::ParenExprClass:
    return value(cast<ParenExpr>(e)->getSubExpr(), as);
  case Stmt::GenericSelectionExprClass:
    return value(cast<GenericSelectionExpr>(e)->getResultExpr(), as);
  case Stmt::ChooseExprClass:
    return value(cast<ChooseExpr>(e)->getChosenSubExpr(), as);
  case Stmt::ImplicitCastExprClass:
    return valueOfCast(cast<CastExpr>(e), as);
  case Stmt::CStyleCastExprClass:
    return explicitCast(cast<CastExpr>(e), as);
  case Stmt::UnaryOperatorClass:
    return valueOfUnary(cast<UnaryOperator>(e));
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return valueOfBinary(cast<BinaryOperator>(e), as);
  case Stmt::ConditionalOperatorClass:
  case Stmt::BinaryConditionalOperatorClass:
    return valueOfConditional(cast<AbstractConditionalOperator>(e), as);
  case Stmt::StmtExprClass:
    return valueOfStatementExpression(cast<StmtExpr>(e), as);
  case Stmt::CallExprClass:
    return valueOfCall(cast<CallExpr>(e), as);
  case Stmt::DeclRefExprClass:
    if (isa<EnumConstantDecl>(cast<DeclRefExpr>(e)->getDecl()))
      return None;
    return b_.lvalues.load(e);
  case Stmt::MemberExprClass:
  case Stmt::ArraySubscriptExprClass:
  case Stmt::CompoundLiteralExprClass:
  case Stmt::StringLiteralClass:
  case Stmt::PredefinedExprClass:
  case Stmt::ExtVectorElementExprClass:
    return b_.lvalues.load(e);
  case Stmt::OpaqueValueExprClass:
    return opaque_.contains(e) ? opaque_[e] : None;
  default:
    return valueOfOther(e, as);
  }
}

Id ExpressionCollector::valueOfOther(const Expr *e, QualType as) {
  switch (e->getStmtClass()) {
  case Stmt::IntegerLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::ImaginaryLiteralClass:
  case Stmt::FixedPointLiteralClass:
  case Stmt::GNUNullExprClass:
  case Stmt::CXXNullPtrLiteralExprClass: // C23 has it, too
  case Stmt::TypeTraitExprClass:
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::NoInitExprClass:
  case Stmt::SourceLocExprClass:
    return None;
  case Stmt::AddrLabelExprClass:
    return labelAddress(cast<AddrLabelExpr>(e));
  case Stmt::UnaryExprOrTypeTraitExprClass:
    sizeofUse(cast<UnaryExprOrTypeTraitExpr>(e));
    return None;
  case Stmt::OffsetOfExprClass:
    evaluateChildren(e);
    addOffsetUse(b_.out, cast<OffsetOfExpr>(e));
    return None;
  case Stmt::InitListExprClass: {
    // A scalar in braces.
    const auto *list = cast<InitListExpr>(e);
    return list->getNumInits() == 1 ? value(list->getInit(0), as) : None;
  }
  case Stmt::VAArgExprClass:
    return b_.calls.variableArgument(cast<VAArgExpr>(e));
  case Stmt::AtomicExprClass:
    b_.definitions.forgetShared();
    return b_.atomics.atomic(cast<AtomicExpr>(e));
  case Stmt::ShuffleVectorExprClass:
  case Stmt::ConvertVectorExprClass: {
    Id result = None;
    for (const Stmt *c : e->children())
      if (Id v = value(cast<Expr>(c)); v != None) {
        if (result == None)
          result = b_.out.temp(e->getType(), e->getBeginLoc());
        b_.out.flow(Flow::Arith, result, v, e->getBeginLoc());
      }
    return result;
  }
  default:
    b_.out.gap(Gap::Kind::Unfollowed, e->getBeginLoc(),
               std::string("expression of kind ") + e->getStmtClassName() +
                   ": its parts are followed, its value is not");
    evaluateChildren(e);
    return None;
  }
}

Id ExpressionCollector::valueOfCall(const CallExpr *e, QualType as) {
  // What its arguments look at is not what it gives.
  std::vector<Id> *judged = b_.sites.judgeInto(nullptr);
  Id result = b_.calls.call(e, as);
  b_.sites.judgeInto(judged);
  if (!findHook(e))
    b_.definitions.called(e);
  return result;
}

//===-- Casts -------------------------------------------------------------===//

static bool isObjectPointer(QualType t) {
  return t->isAnyPointerType() && !t->getPointeeType()->isVoidType();
}

Id ExpressionCollector::throughHook(const Hook &hook, QualType as) {
  if (hook.kind == Hook::Store)
    return value(hook.operand, as);
  Id v = None;
  b_.sites.walkHook([&] { v = value(hook.operand, as); });
  return v;
}

Id ExpressionCollector::explicitCast(const CastExpr *e, QualType as) {
  if (Hook hook = findHook(e))
    return throughHook(hook, as);
  QualType to = e->getType(), from = e->getSubExpr()->getType();
  CastKind kind = e->getCastKind();
  if (kind == CK_ToUnion) {
    Id whole = b_.out.addLocal(NodeKind::Local, "", to, e->getBeginLoc());
    Id target = b_.out.addressTemp(to, e->getBeginLoc());
    b_.out.flow(Flow::AddressOf, target, whole, e->getBeginLoc());
    Id v = value(e->getSubExpr());
    const FieldDecl *f = e->getTargetUnionField();
    Id member = b_.out.addressTemp(f->getType(), e->getBeginLoc());
    b_.out.flow(Flow::Member, member, target, e->getBeginLoc(),
                b_.out.entities().field(f));
    if (v != None)
      b_.out.store(member, v, f->getType(), e->getBeginLoc());
    return target;
  }
  bool pointers = to->isAnyPointerType() || from->isAnyPointerType();
  bool same = b_.out.entities().type(to) == b_.out.entities().type(from);
  if (!pointers || same || to->isVoidType() || to->isBooleanType() ||
      kind == CK_NullToPointer || kind == CK_ArrayToPointerDecay ||
      kind == CK_FunctionToPointerDecay)
    return valueOfCast(e, as);
  Id v = value(e->getSubExpr(), isObjectPointer(to) ? to : as);
  // (void *)1 is not null, whatever it is.
  if (v == None && kind == CK_IntegralToPointer &&
      !isNullPointer(b_.out.ast(), e))
    v = b_.out.temp(from, e->getBeginLoc());
  if (v == None)
    return None;
  Id result = b_.out.temp(to, e->getBeginLoc());
  b_.out.flow(Flow::Cast, result, v, e->getBeginLoc());
  return result;
}

Id ExpressionCollector::valueOfCast(const CastExpr *e, QualType as) {
  const Expr *sub = e->getSubExpr();
  switch (e->getCastKind()) {
  case CK_LValueToRValue:
    return b_.lvalues.load(sub);
  case CK_ArrayToPointerDecay:
    return decayed(sub);
  case CK_FunctionToPointerDecay:
    if (const auto *ref = dyn_cast<DeclRefExpr>(plainLvalue(sub)))
      if (const auto *f = dyn_cast<FunctionDecl>(ref->getDecl()))
        return functionAddress(f, sub);
    return b_.lvalues.address(sub);
  case CK_NullToPointer:
  case CK_ToVoid:
  case CK_PointerToBoolean:
    evaluate(sub);
    return None;
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
    return b_.out.arithmetic({value(sub)}, e->getType(), e->getBeginLoc());
  default:
    // Other conversions keep the value, as far as flow is concerned.
    return value(sub, e->getType()->isAnyPointerType() &&
                              isObjectPointer(e->getType())
                          ? e->getType()
                          : as);
  }
}

Id ExpressionCollector::decayed(const Expr *array) {
  Place p = placeOf(array);
  Id result = b_.lvalues.address(array);
  if (p.root == Place::Root::Variable && p.variable->hasGlobalStorage())
    b_.sites.addressUse(p, array, result);
  return result;
}

Id ExpressionCollector::functionAddress(const FunctionDecl *f,
                                        const Expr *spelled) {
  Id result = b_.out.addressTemp(f->getType(), spelled->getBeginLoc());
  b_.out.flow(Flow::AddressOf, result, b_.out.entities().functionNode(f),
              spelled->getBeginLoc());
  b_.sites.functionUse(f, spelled, result);
  return result;
}

/// &&label: a place in the program that no name outside of the function says,
/// as a literal is.
Id ExpressionCollector::labelAddress(const AddrLabelExpr *e) {
  Id place = b_.out.addLocal(NodeKind::Literal, e->getLabel()->getName().str(),
                             b_.out.ast().VoidTy, e->getBeginLoc());
  b_.out.node(place).isConst = true;
  Id result = b_.out.temp(e->getType(), e->getBeginLoc());
  b_.out.flow(Flow::AddressOf, result, place, e->getBeginLoc());
  return result;
}

//===-- Operators ---------------------------------------------------------===//

Id ExpressionCollector::addressTaken(const UnaryOperator *e) {
  const Expr *target = plainLvalue(e->getSubExpr());
  if (const auto *ref = dyn_cast<DeclRefExpr>(target))
    if (const auto *f = dyn_cast<FunctionDecl>(ref->getDecl()))
      return functionAddress(f, e);
  if (const auto *m = dyn_cast<MemberExpr>(target))
    addOtherWrite(b_.out, m->getMemberDecl(), nullptr);
  Place p = placeOf(target);
  addOffsetUse(b_.out, target);
  Id result = b_.lvalues.address(target);
  if (p.root == Place::Root::Variable && p.variable->hasGlobalStorage())
    b_.sites.addressUse(p, e, result);
  return result;
}

Id ExpressionCollector::valueOfUnary(const UnaryOperator *e) {
  const Expr *sub = e->getSubExpr();
  switch (e->getOpcode()) {
  case UO_PostInc:
  case UO_PostDec:
  case UO_PreInc:
  case UO_PreDec:
    return b_.lvalues.increment(e);
  case UO_AddrOf:
    return addressTaken(e);
  case UO_Deref:
    return b_.lvalues.load(e);
  case UO_Extension:
    return value(sub);
  case UO_LNot:
    judge(sub);
    return None;
  case UO_Plus:
  case UO_Minus:
  case UO_Not:
    return b_.out.arithmetic({value(sub)}, e->getType(), e->getOperatorLoc());
  case UO_Real:
  case UO_Imag:
    return sub->isGLValue() ? b_.lvalues.load(sub) : value(sub);
  case UO_Coawait:
    break;
  }
  return valueOfOther(e, {});
}

Id ExpressionCollector::valueOfBinary(const BinaryOperator *e, QualType as) {
  SourceLocation at = e->getOperatorLoc();
  if (e->isAssignmentOp())
    return b_.lvalues.assign(e);
  if (e->getOpcode() == BO_Comma) {
    // NVM_ALLOC(type, call) is (nvm_place(type), call).
    const auto *place = dyn_cast<CallExpr>(e->getLHS()->IgnoreParenCasts());
    if (!place || calleeName(place) != "nvm_place")
      evaluate(e->getLHS());
    return value(e->getRHS(), as);
  }
  if (e->isLogicalOp()) {
    judge(e->getLHS());
    b_.statements.where(e->getLHS(), e->getOpcode() == BO_LAnd,
                        [&] { judge(e->getRHS()); });
    return None;
  }
  bool compares = e->isComparisonOp();
  Id left = compares ? judge(e->getLHS()) : value(e->getLHS());
  Id right = compares ? judge(e->getRHS()) : value(e->getRHS());
  if (compares)
    return None;
  if (e->isAdditiveOp() && e->getType()->isAnyPointerType())
    return e->getLHS()->getType()->isAnyPointerType()
               ? b_.out.indexed(left, right, e->getType(), at)
               : b_.out.indexed(right, left, e->getType(), at);
  return b_.out.arithmetic({left, right}, e->getType(), at);
}

Id ExpressionCollector::valueOfConditional(const AbstractConditionalOperator *e,
                                           QualType as) {
  Id left;
  if (const auto *binary = dyn_cast<BinaryConditionalOperator>(e)) {
    left = value(binary->getCommon(), as);
    opaque_[binary->getOpaqueValue()] = left;
    left = value(binary->getTrueExpr(), as);
  } else {
    judge(e->getCond());
    b_.statements.where(e->getCond(), true,
                        [&] { left = value(e->getTrueExpr(), as); });
  }
  Id right = None;
  b_.statements.where(e->getCond(), false,
                      [&] { right = value(e->getFalseExpr(), as); });
  if (left == None || right == None || left == right)
    return left == None ? right : left;
  QualType type = e->getType();
  if (type->isVoidType())
    return None;
  Id result = type->isRecordType()
                  ? b_.out.addressTemp(type, e->getQuestionLoc())
                  : b_.out.temp(type, e->getQuestionLoc());
  b_.out.copy(result, left, e->getQuestionLoc());
  b_.out.copy(result, right, e->getQuestionLoc());
  return result;
}

Id ExpressionCollector::valueOfStatementExpression(const StmtExpr *e,
                                                   QualType as) {
  const CompoundStmt *body = e->getSubStmt();
  const Stmt *result = body->getStmtExprResult();
  Id v = None;
  b_.definitions.inStatementExpression([&] {
    for (const Stmt *s : body->body()) {
      if (s != result) {
        b_.statements.child(s, true);
        continue;
      }
      while (const auto *l = dyn_cast<LabelStmt>(s)) {
        b_.definitions.forgetAll();
        s = l->getSubStmt();
      }
      if (const auto *a = dyn_cast<AttributedStmt>(s))
        s = a->getSubStmt();
      const auto *last = dyn_cast<Expr>(s);
      if (last && !e->getType()->isVoidType())
        v = value(last, as);
      else
        b_.statements.child(s, true);
    }
  });
  return v;
}

void ExpressionCollector::sizeofUse(const UnaryExprOrTypeTraitExpr *e) {
  if (e->getKind() != UETT_SizeOf)
    return;
  if (!e->isArgumentType() &&
      e->getArgumentExpr()->getType()->isVariablyModifiedType())
    evaluate(e->getArgumentExpr());
  else if (e->isArgumentType())
    b_.statements.variableSizes(e->getArgumentType());
  if (Id r = b_.out.entities().recordOf(e->getTypeOfArgument()); r != None)
    b_.out.facts().sizeofUses.push_back(
        {r, b_.out.function(), b_.out.map().loc(e->getBeginLoc())});
}
