//===- Expressions.cpp - Expressions to the nodes that hold their values --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionCollector.h"

using namespace clang;
using namespace nvmove;

void DefinitionCollector::evaluateChildren(const Stmt *s) {
  for (const Stmt *c : s->children())
    statement(c);
}

Id DefinitionCollector::value(const Expr *e, QualType as) {
  Id v = valueOf(e, as);
  if (e && e->getType()->isAnyPointerType())
    tested_[e->IgnoreParenImpCasts()] = v;
  return v;
}

Id DefinitionCollector::judge(const Expr *e) {
  Id v = value(e);
  // Whether a pointer is null says nothing of the text behind it; a call may.
  if (judged_ && v != None &&
      (e->getType()->isArithmeticType() ||
       isa<CallExpr>(e->IgnoreParenCasts())))
    judged_->push_back(v);
  return v;
}

Id DefinitionCollector::valueOf(const Expr *e, QualType as) {
  if (!e)
    return None;
  // The outermost comes first: (struct s *)((make)()).
  if (isa<ParenExpr, CastExpr>(e))
    if (const auto *c = dyn_cast<CallExpr>(e->IgnoreParenCasts()))
      whole_.try_emplace(c, e);
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
  case Stmt::CallExprClass: {
    // What its arguments look at is not what it gives.
    std::vector<Id> *judged = std::exchange(judged_, nullptr);
    Id result = call(cast<CallExpr>(e), as);
    judged_ = judged;
    if (!findHook(e) && mayWriteShared(cast<CallExpr>(e)))
      forgetShared();
    return result;
  }
  case Stmt::DeclRefExprClass:
    if (isa<EnumConstantDecl>(cast<DeclRefExpr>(e)->getDecl()))
      return None;
    return load(e);
  case Stmt::MemberExprClass:
  case Stmt::ArraySubscriptExprClass:
  case Stmt::CompoundLiteralExprClass:
  case Stmt::StringLiteralClass:
  case Stmt::PredefinedExprClass:
  case Stmt::ExtVectorElementExprClass:
    return load(e);
  case Stmt::OpaqueValueExprClass:
    return opaque_.contains(e) ? opaque_[e] : None;
  default:
    return valueOfOther(e, as);
  }
}

Id DefinitionCollector::valueOfOther(const Expr *e, QualType as) {
  switch (e->getStmtClass()) {
  case Stmt::IntegerLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::ImaginaryLiteralClass:
  case Stmt::FixedPointLiteralClass:
  case Stmt::GNUNullExprClass:
  case Stmt::CXXNullPtrLiteralExprClass: // C23 has it, too
  case Stmt::TypeTraitExprClass:
  case Stmt::AddrLabelExprClass:
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::NoInitExprClass:
  case Stmt::SourceLocExprClass:
    return None;
  case Stmt::UnaryExprOrTypeTraitExprClass:
    sizeofUse(cast<UnaryExprOrTypeTraitExpr>(e));
    return None;
  case Stmt::OffsetOfExprClass:
    evaluateChildren(e);
    offsetUse(cast<OffsetOfExpr>(e));
    return None;
  case Stmt::InitListExprClass: {
    // A scalar in braces.
    const auto *list = cast<InitListExpr>(e);
    return list->getNumInits() == 1 ? value(list->getInit(0), as) : None;
  }
  case Stmt::VAArgExprClass:
    return variableArgument(cast<VAArgExpr>(e));
  case Stmt::AtomicExprClass:
    forgetShared();
    return atomic(cast<AtomicExpr>(e));
  case Stmt::ShuffleVectorExprClass:
  case Stmt::ConvertVectorExprClass: {
    Id result = None;
    for (const Stmt *c : e->children())
      if (Id v = value(cast<Expr>(c)); v != None) {
        if (result == None)
          result = temp(e->getType(), e->getBeginLoc());
        flow(Flow::Arith, result, v, e->getBeginLoc());
      }
    return result;
  }
  default:
    gap(Gap::Kind::Unfollowed, e->getBeginLoc(),
        std::string("expression of kind ") + e->getStmtClassName() +
            ": its parts are followed, its value is not");
    evaluateChildren(e);
    return None;
  }
}

//===-- Casts -------------------------------------------------------------===//

static bool isObjectPointer(QualType t) {
  return t->isAnyPointerType() && !t->getPointeeType()->isVoidType();
}

Id DefinitionCollector::throughHook(const Hook &hook, QualType as) {
  bool replaces = hook.kind != Hook::Store;
  inHook_ += replaces;
  Id v = value(hook.operand, as);
  inHook_ -= replaces;
  return v;
}

Id DefinitionCollector::explicitCast(const CastExpr *e, QualType as) {
  if (Hook hook = findHook(e))
    return throughHook(hook, as);
  QualType to = e->getType(), from = e->getSubExpr()->getType();
  CastKind kind = e->getCastKind();
  if (kind == CK_ToUnion) {
    Id whole = addLocal(NodeKind::Local, "", to, e->getBeginLoc());
    Id target = addressTemp(to, e->getBeginLoc());
    flow(Flow::AddressOf, target, whole, e->getBeginLoc());
    Id v = value(e->getSubExpr());
    const FieldDecl *f = e->getTargetUnionField();
    Id member = addressTemp(f->getType(), e->getBeginLoc());
    flow(Flow::Member, member, target, e->getBeginLoc(), u_.entities.field(f));
    if (v != None)
      store(member, v, f->getType(), e->getBeginLoc());
    return target;
  }
  bool pointers = to->isAnyPointerType() || from->isAnyPointerType();
  bool same = u_.entities.type(to) == u_.entities.type(from);
  if (!pointers || same || to->isVoidType() || to->isBooleanType() ||
      kind == CK_NullToPointer || kind == CK_ArrayToPointerDecay ||
      kind == CK_FunctionToPointerDecay)
    return valueOfCast(e, as);
  Id v = value(e->getSubExpr(), isObjectPointer(to) ? to : as);
  // (void *)1 is not null, whatever it is.
  if (v == None && kind == CK_IntegralToPointer && !isNullPointer(e))
    v = temp(from, e->getBeginLoc());
  if (v == None)
    return None;
  Id result = temp(to, e->getBeginLoc());
  flow(Flow::Cast, result, v, e->getBeginLoc());
  return result;
}

Id DefinitionCollector::valueOfCast(const CastExpr *e, QualType as) {
  const Expr *sub = e->getSubExpr();
  switch (e->getCastKind()) {
  case CK_LValueToRValue:
    return load(sub);
  case CK_ArrayToPointerDecay:
    return decayed(sub);
  case CK_FunctionToPointerDecay:
    if (const auto *ref = dyn_cast<DeclRefExpr>(plainLvalue(sub)))
      if (const auto *f = dyn_cast<FunctionDecl>(ref->getDecl()))
        return functionAddress(f, sub);
    return address(sub);
  case CK_NullToPointer:
  case CK_ToVoid:
  case CK_PointerToBoolean:
    evaluate(sub);
    return None;
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
    return arithmetic({value(sub)}, e->getType(), e->getBeginLoc());
  default:
    // Other conversions keep the value, as far as flow is concerned.
    return value(sub, e->getType()->isAnyPointerType() &&
                              isObjectPointer(e->getType())
                          ? e->getType()
                          : as);
  }
}

Id DefinitionCollector::decayed(const Expr *array) {
  Place p = place(array);
  Id result = address(array);
  if (p.root == Place::Root::Variable && p.variable->hasGlobalStorage())
    addressUse(p, array, result);
  return result;
}

Id DefinitionCollector::functionAddress(const FunctionDecl *f,
                                        const Expr *spelled) {
  Id result = addressTemp(f->getType(), spelled->getBeginLoc());
  flow(Flow::AddressOf, result, u_.entities.functionNode(f),
       spelled->getBeginLoc());
  AddressUse use;
  use.variable = u_.entities.functionNode(f);
  use.function = functionId_;
  use.loc = u_.map.loc(spelled->getBeginLoc());
  SourceRange text = spelled->getSourceRange();
  if (text.getBegin() == text.getEnd())
    text = u_.map.named(text.getBegin());
  if (!u_.map.isMadeText(spelled->getBeginLoc()))
    use.span = u_.map.spanAround(text, text.getBegin());
  use.inConstantInitialiser = constant_;
  use.inHook = inHook_;
  use.value = result;
  u_.facts.addressUses.push_back(use);
  return result;
}

//===-- Operators ---------------------------------------------------------===//

Id DefinitionCollector::arithmetic(std::initializer_list<Id> operands,
                                   QualType type, SourceLocation at) {
  Id result = None;
  for (Id v : operands) {
    if (v == None)
      continue;
    if (result == None)
      result = temp(type, at);
    flow(Flow::Arith, result, v, at);
  }
  return result;
}

Id DefinitionCollector::indexed(Id pointer, Id index, QualType type,
                                SourceLocation at) {
  if (pointer == None)
    return arithmetic({index}, type, at);
  Id result = temp(type, at);
  flow(Flow::Index, result, pointer, at, index);
  return result;
}

Id DefinitionCollector::valueOfUnary(const UnaryOperator *e) {
  const Expr *sub = e->getSubExpr();
  switch (e->getOpcode()) {
  case UO_PostInc:
  case UO_PostDec:
  case UO_PreInc:
  case UO_PreDec:
    return increment(e);
  case UO_AddrOf: {
    const Expr *target = plainLvalue(sub);
    if (const auto *ref = dyn_cast<DeclRefExpr>(target))
      if (const auto *f = dyn_cast<FunctionDecl>(ref->getDecl()))
        return functionAddress(f, e);
    if (const auto *m = dyn_cast<MemberExpr>(target))
      writtenOtherwise(m->getMemberDecl(), nullptr);
    Place p = place(target);
    offsetUse(target);
    Id result = address(target);
    if (p.root == Place::Root::Variable && p.variable->hasGlobalStorage())
      addressUse(p, e, result);
    return result;
  }
  case UO_Deref:
    return load(e);
  case UO_Extension:
    return value(sub);
  case UO_LNot:
    judge(sub);
    return None;
  case UO_Plus:
  case UO_Minus:
  case UO_Not:
    return arithmetic({value(sub)}, e->getType(), e->getOperatorLoc());
  case UO_Real:
  case UO_Imag:
    return sub->isGLValue() ? load(sub) : value(sub);
  case UO_Coawait:
    break;
  }
  return valueOfOther(e, {});
}

Id DefinitionCollector::valueOfBinary(const BinaryOperator *e, QualType as) {
  SourceLocation at = e->getOperatorLoc();
  if (e->isAssignmentOp())
    return assign(e);
  if (e->getOpcode() == BO_Comma) {
    // NVM_ALLOC(type, call) is (nvm_place(type), call).
    const auto *place = dyn_cast<CallExpr>(e->getLHS()->IgnoreParenCasts());
    if (!place || calleeName(place) != "nvm_place")
      evaluate(e->getLHS());
    return value(e->getRHS(), as);
  }
  if (e->isLogicalOp()) {
    judge(e->getLHS());
    where(e->getLHS(), e->getOpcode() == BO_LAnd, [&] { judge(e->getRHS()); });
    return None;
  }
  bool compares = e->isComparisonOp();
  Id left = compares ? judge(e->getLHS()) : value(e->getLHS());
  Id right = compares ? judge(e->getRHS()) : value(e->getRHS());
  if (compares)
    return None;
  if (e->isAdditiveOp() && e->getType()->isAnyPointerType())
    return e->getLHS()->getType()->isAnyPointerType()
               ? indexed(left, right, e->getType(), at)
               : indexed(right, left, e->getType(), at);
  return arithmetic({left, right}, e->getType(), at);
}

Id DefinitionCollector::valueOfConditional(const AbstractConditionalOperator *e,
                                           QualType as) {
  Id left;
  if (const auto *binary = dyn_cast<BinaryConditionalOperator>(e)) {
    left = value(binary->getCommon(), as);
    opaque_[binary->getOpaqueValue()] = left;
    left = value(binary->getTrueExpr(), as);
  } else {
    judge(e->getCond());
    where(e->getCond(), true, [&] { left = value(e->getTrueExpr(), as); });
  }
  Id right = None;
  where(e->getCond(), false, [&] { right = value(e->getFalseExpr(), as); });
  if (left == None || right == None || left == right)
    return left == None ? right : left;
  QualType type = e->getType();
  if (type->isVoidType())
    return None;
  Id result = type->isRecordType() ? addressTemp(type, e->getQuestionLoc())
                                   : temp(type, e->getQuestionLoc());
  copy(result, left, e->getQuestionLoc());
  copy(result, right, e->getQuestionLoc());
  return result;
}

Id DefinitionCollector::valueOfStatementExpression(const StmtExpr *e,
                                                   QualType as) {
  const CompoundStmt *body = e->getSubStmt();
  const Stmt *result = body->getStmtExprResult();
  Id v = None;
  const bool outer = std::exchange(ordered_, false);
  ++inStatementExpression_;
  for (const Stmt *s : body->body()) {
    if (s != result) {
      child(s, true);
      continue;
    }
    while (const auto *l = dyn_cast<LabelStmt>(s)) {
      versions_.clear();
      s = l->getSubStmt();
    }
    if (const auto *a = dyn_cast<AttributedStmt>(s))
      s = a->getSubStmt();
    const auto *last = dyn_cast<Expr>(s);
    if (last && !e->getType()->isVoidType())
      v = value(last, as);
    else
      child(s, true);
  }
  --inStatementExpression_;
  ordered_ = outer;
  return v;
}

/// In a table that says where things are to be put, offsetof(struct net,
/// eap.cert.ca) or &((struct net *)0)->eap.cert.ca: the records in between.
void DefinitionCollector::offsetUse(const Expr *e) {
  if (!constant_)
    return;
  llvm::SmallVector<const FieldDecl *, 4> within;
  if (const auto *offset = dyn_cast<OffsetOfExpr>(e)) {
    for (unsigned i = 1; i < offset->getNumComponents(); ++i)
      if (const OffsetOfNode &n = offset->getComponent(i);
          n.getKind() == OffsetOfNode::Field)
        within.push_back(n.getField());
  } else {
    const auto *m = dyn_cast<MemberExpr>(e);
    for (; m && !m->isArrow();
         m = dyn_cast<MemberExpr>(plainLvalue(m->getBase())))
      if (const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl()))
        within.push_back(f);
    if (!m || constant(m->getBase()->IgnoreParenCasts()) != 0)
      return;
  }
  for (const FieldDecl *f : within)
    u_.facts.sizeofUses.push_back({u_.entities.record(f->getParent()),
                                   functionId_, u_.map.loc(e->getBeginLoc())});
}

void DefinitionCollector::sizeofUse(const UnaryExprOrTypeTraitExpr *e) {
  if (e->getKind() != UETT_SizeOf)
    return;
  if (!e->isArgumentType() &&
      e->getArgumentExpr()->getType()->isVariablyModifiedType())
    evaluate(e->getArgumentExpr());
  else if (e->isArgumentType())
    variableSizes(e->getArgumentType());
  if (Id r = u_.entities.recordOf(e->getTypeOfArgument()); r != None)
    u_.facts.sizeofUses.push_back(
        {r, functionId_, u_.map.loc(e->getBeginLoc())});
}
