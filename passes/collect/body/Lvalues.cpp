//===- Lvalues.cpp - Addresses, loads, and everything that writes ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionCollector.h"

using namespace clang;
using namespace nvmove;

//===-- Addresses ---------------------------------------------------------===//

Id DefinitionCollector::addressOfVariable(const VarDecl *v, SourceLocation at) {
  Id of = variable(v);
  auto [i, fresh] = addressOf_.try_emplace(of, None);
  if (fresh) {
    Id result = addressTemp(v->getType(), at);
    flow(Flow::AddressOf, result, of, at);
    addressOf_[of] = result;
    return result;
  }
  return i->second;
}

Id DefinitionCollector::addressOfMember(const MemberExpr *e) {
  Id base = e->isArrow() ? value(e->getBase()) : address(e->getBase());
  Id result = addressTemp(e->getType(), e->getMemberLoc());
  const auto *f = dyn_cast<FieldDecl>(e->getMemberDecl());
  // A member of the null pointer: an address that nothing else yields.
  if (base != None && f)
    flow(Flow::Member, result, base, e->getMemberLoc(), u_.entities.field(f));
  return result;
}

Id DefinitionCollector::addressOfTemporary(const Expr *e) {
  auto [at, fresh] = literals_.try_emplace(e, None);
  if (!fresh)
    return at->second;
  const auto *compound = dyn_cast<CompoundLiteralExpr>(e);
  bool automatic = compound && !constant_ && !compound->isFileScope();
  Id memory = addLocal(automatic ? NodeKind::Local : NodeKind::Literal, "",
                       e->getType(), e->getBeginLoc());
  Id result = addressTemp(e->getType(), e->getBeginLoc());
  flow(Flow::AddressOf, result, memory, e->getBeginLoc());
  literals_[e] = result;
  if (!compound) {
    node(memory).isConst = true;
    return result;
  }
  const Expr *init = compound->getInitializer();
  if (automatic)
    initialised(memory, e->getBeginLoc());
  if (e->getType()->isRecordType() || e->getType()->isArrayType())
    initialiseMemory([&] { return result; }, e->getType(), init);
  else
    copy(memory, value(init), e->getBeginLoc());
  return result;
}

Id DefinitionCollector::address(const Expr *e) {
  e = plainLvalue(e);
  Id result = None;
  if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl()))
      return addressOfVariable(v, e->getBeginLoc());
    if (const auto *f = dyn_cast<FunctionDecl>(ref->getDecl()))
      return functionAddress(f, e);
  } else if (const auto *m = dyn_cast<MemberExpr>(e)) {
    return addressOfMember(m);
  } else if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
    const Expr *base = s->getBase()->IgnoreParens();
    const auto *decay = dyn_cast<ImplicitCastExpr>(base);
    bool array = decay && decay->getCastKind() == CK_ArrayToPointerDecay;
    Id b = array                             ? address(decay->getSubExpr())
           : base->getType()->isVectorType() ? address(base)
                                             : value(base);
    Id index = value(s->getIdx());
    result = indexed(b, index, u_.ast.getPointerType(e->getType()),
                     s->getRBracketLoc());
  } else if (const auto *u = dyn_cast<UnaryOperator>(e);
             u && (u->getOpcode() == UO_Deref || u->getOpcode() == UO_Real ||
                   u->getOpcode() == UO_Imag)) {
    result = u->getOpcode() == UO_Deref ? value(u->getSubExpr())
                                        : address(u->getSubExpr());
  } else if (isa<CompoundLiteralExpr, StringLiteral, PredefinedExpr>(e)) {
    return addressOfTemporary(e);
  } else if (const auto *c = dyn_cast<CastExpr>(e);
             c && c->getSubExpr()->isGLValue()) {
    result = address(c->getSubExpr());
  } else if (const auto *v = dyn_cast<ExtVectorElementExpr>(e)) {
    result = v->isArrow() ? value(v->getBase()) : address(v->getBase());
  } else if (!e->isGLValue()) {
    result = value(
        e); // a record that an expression yields: its value is its address
  } else {
    result = valueOfOther(e, {});
  }
  return result == None ? addressTemp(e->getType(), e->getBeginLoc()) : result;
}

const VarDecl *DefinitionCollector::scalarVariable(const Expr *lvalue) const {
  const auto *ref = dyn_cast<DeclRefExpr>(plainLvalue(lvalue));
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return v && !v->getType()->isRecordType() && !v->getType()->isArrayType()
             ? v
             : nullptr;
}

Id DefinitionCollector::load(const Expr *lvalue) {
  const Expr *e = plainLvalue(lvalue);
  if (const VarDecl *v = scalarVariable(e))
    return current(v);
  // A member of a record that a call returned is no lvalue, but lies in memory;
  // so does the literal that Clang makes for an argument of transparent union.
  bool inMemory =
      isa<MemberExpr, ArraySubscriptExpr, ExtVectorElementExpr, DeclRefExpr,
          CompoundLiteralExpr, StringLiteral, PredefinedExpr>(e);
  if (!e->isGLValue() && !inMemory)
    return value(e);
  QualType type = lvalue->getType();
  Id a = address(e);
  if (type->isRecordType() || type->isArrayType() || type->isFunctionType() ||
      type->isVoidType())
    return a;
  Id result = temp(type, lvalue->getExprLoc());
  flow(Flow::Load, result, a, lvalue->getExprLoc());
  return result;
}

/// What no block shows; `value` null for anything.
void DefinitionCollector::writtenOtherwise(const ValueDecl *place,
                                           const Expr *value) {
  if (!place->getType()->isIntegralOrEnumerationType())
    return;
  auto [variable, field] = idOf(place);
  FlowWrite w{variable, field};
  if (auto known = value ? valueIn(u_.ast, place, value) : std::nullopt) {
    w.how = FlowWrite::Constant;
    w.value = *known;
  }
  addOtherWrite(w);
}

void DefinitionCollector::addOtherWrite(FlowWrite w) {
  size_t others = 0; // a table may have thousands
  for (const FlowWrite &other : d_.otherWrites)
    if (other.variable == w.variable && other.field == w.field) {
      if (other.how == FlowWrite::Anything ||
          (other.how == w.how && other.value == w.value))
        return;
      ++others;
    }
  if (others >= 32)
    w.how = FlowWrite::Anything;
  d_.otherWrites.push_back(w);
}

//===-- Places ------------------------------------------------------------===//

/// The array whose elements `pointer` reaches by decay, & or + alone, else
/// null. `pointer` is left without hooks and parentheses.
static const Expr *memoryBehind(const Expr *&pointer, bool &hooked) {
  for (;;) {
    pointer = pointer->IgnoreParens();
    if (Hook hook = findHook(pointer)) {
      hooked |= hook.kind == Hook::Store;
      pointer = hook.operand;
      continue;
    }
    if (const auto *decay = dyn_cast<ImplicitCastExpr>(pointer);
        decay && decay->getCastKind() == CK_ArrayToPointerDecay)
      return decay->getSubExpr();
    if (const auto *u = dyn_cast<UnaryOperator>(pointer);
        u && u->getOpcode() == UO_AddrOf)
      return u->getSubExpr();
    if (const auto *b = dyn_cast<BinaryOperator>(pointer);
        b && b->isAdditiveOp()) {
      const Expr *side = b->getLHS()->getType()->isAnyPointerType()
                             ? b->getLHS()
                             : b->getRHS();
      if (const Expr *array = memoryBehind(side, hooked))
        return array;
    }
    return nullptr;
  }
}

Place DefinitionCollector::place(const Expr *e) const {
  Place p;
  for (;;) {
    e = plainLvalue(e, &p.hooked);
    const Expr *pointer = nullptr;
    if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
      p.variable = dyn_cast<VarDecl>(ref->getDecl());
      p.root = p.variable ? Place::Root::Variable : Place::Root::Other;
      return p;
    }
    if (const auto *m = dyn_cast<MemberExpr>(e)) {
      if (const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl()))
        p.path.insert(p.path.begin(), f);
      if (!m->isArrow()) {
        e = m->getBase();
        continue;
      }
      pointer = m->getBase();
    } else if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
      if (s->getBase()->getType()->isVectorType()) {
        e = s->getBase();
        continue;
      }
      pointer = s->getBase();
    } else if (const auto *u = dyn_cast<UnaryOperator>(e)) {
      if (u->getOpcode() == UO_Real || u->getOpcode() == UO_Imag) {
        e = u->getSubExpr();
        continue;
      }
      if (u->getOpcode() != UO_Deref)
        return p;
      pointer = u->getSubExpr();
    } else if (const auto *c = dyn_cast<CastExpr>(e);
               c && c->getSubExpr()->isGLValue()) {
      e = c->getSubExpr();
      continue;
    } else {
      return p;
    }
    if (const Expr *memory = memoryBehind(pointer, p.hooked)) {
      e = memory;
      continue;
    }
    p.root = Place::Root::Pointer;
    p.pointer = pointer;
    return p;
  }
}

//===-- Writes ------------------------------------------------------------===//

void DefinitionCollector::write(const Expr *lvalue, Id target, Id what,
                                SourceLocation at, bool isNull) {
  if (const VarDecl *v = scalarVariable(lvalue))
    assigned(v, what, what != None || isNull, at);
  else if (what != None)
    store(target, what, lvalue->getType(), at);
  QualType type = lvalue->getType();
  bool isNumber =
      type->isIntegerType() && !type->isCharType() &&
      u_.ast.getTypeSize(type) < u_.ast.getTypeSize(u_.ast.VoidPtrTy);
  if (target != None && !isNumber)
    forgetShared();
}

Id DefinitionCollector::assign(const BinaryOperator *e) {
  const Expr *lhs = e->getLHS();
  SourceLocation at = e->getOperatorLoc();
  const VarDecl *v = scalarVariable(lhs);
  Id target = v ? None : address(lhs);
  if (e->getOpcode() == BO_Assign) {
    std::vector<Id> judged, *outer = std::exchange(judged_, &judged);
    Id what = value(e->getRHS());
    if (what != None) // on = n > 0 ? m : 0 is m
      judged.clear();
    write(lhs, target, what, at, isNullPointer(e->getRHS()));
    if (const VarDecl *local = answering(lhs))
      answer(e->getRHS(), what, e, local);
    writeSite(lhs, target, what, at, false, e);
    judged_ = outer;
    if (outer) // a = b = n > 0
      outer->insert(outer->end(), judged.begin(), judged.end());
    return lhs->getType()->isRecordType() ? target : what;
  }
  Id old = v ? current(v) : temp(lhs->getType(), at);
  if (!v)
    flow(Flow::Load, old, target, at);
  Id operand = value(e->getRHS());
  Id what = old;
  if (const VarDecl *local = answering(lhs))
    answer(e, None, e, local);
  // x op= constant leaves x depending on itself alone.
  if (operand != None) {
    what = lhs->getType()->isAnyPointerType()
               ? indexed(old, operand, lhs->getType(), at)
               : arithmetic({old, operand}, lhs->getType(), at);
    write(lhs, target, what, at);
  }
  writeSite(lhs, target, what, at, true, e);
  return what;
}

Id DefinitionCollector::increment(const UnaryOperator *e) {
  const Expr *lvalue = e->getSubExpr();
  SourceLocation at = e->getOperatorLoc();
  const VarDecl *v = scalarVariable(lvalue);
  Id target = v ? None : address(lvalue);
  Id old = v ? current(v) : temp(lvalue->getType(), at);
  if (!v)
    flow(Flow::Load, old, target, at);
  writeSite(lvalue, target, old, at, true, e);
  if (const VarDecl *local = answering(lvalue))
    answer(e, None, e, local);
  return old;
}

void DefinitionCollector::writeSite(const Expr *lvalue, Id target, Id what,
                                    SourceLocation op, bool readModifyWrite,
                                    const Expr *store) {
  Place p = place(lvalue);
  const auto *member = dyn_cast<MemberExpr>(plainLvalue(lvalue));
  if (p.root == Place::Root::Variable && op.isMacroID() && member &&
      member->refersToBitField()) {
    gap(Gap::Kind::BitFieldWrite, op, p.variable->getName().str());
    u_.facts.gaps.back().span =
        u_.map.spanAround(member->getBase()->getSourceRange(), op);
  }
  if (p.root == Place::Root::Pointer)
    storeSite(lvalue, p, target, op, readModifyWrite, store);
  else if (p.root == Place::Root::Variable && p.variable->hasGlobalStorage())
    u_.facts.staticWrites.push_back(writeTo(u_.entities.global(p.variable), p,
                                            lvalue, target, what, op,
                                            readModifyWrite, store));
  else if (p.root == Place::Root::Variable && !scalarVariable(lvalue))
    u_.facts.localWrites.push_back(writeTo(variable(p.variable), p, lvalue,
                                           target, what, op, readModifyWrite,
                                           store));
  if (p.root == Place::Root::Variable && !p.variable->hasGlobalStorage() &&
      op.isMacroID() && p.variable->getStorageClass() == SC_Register) {
    gap(Gap::Kind::RegisterWrite, op, p.variable->getName().str());
    u_.facts.gaps.back().span = u_.map.spanAround(lvalue->getSourceRange(), op);
  }
}

void DefinitionCollector::fillRecordAndField(const Place &p, StoreSite &s) {
  if (!p.path.empty()) {
    s.record = u_.entities.record(p.path.front()->getParent());
    s.field = u_.entities.field(p.path.front());
  } else {
    s.record = u_.entities.recordOf(p.pointer->getType()->getPointeeType());
  }
}

void DefinitionCollector::storeSite(const Expr *lvalue, const Place &p,
                                    Id target, SourceLocation op,
                                    bool readModifyWrite, const Expr *store) {
  StoreSite s;
  s.readModifyWrite = readModifyWrite;
  s.function = functionId_;
  s.loc = u_.map.loc(op);
  s.address = target;
  s.valueType = u_.entities.type(lvalue->getType());
  s.hooked = p.hooked && isInHook(u_.ast, lvalue);
  fillRecordAndField(p, s);
  surroundings(store, s);
  const Expr *text = lvalue;
  const Expr *plain = plainLvalue(lvalue);
  const auto *member = dyn_cast<MemberExpr>(plain);
  if (member && member->refersToBitField()) {
    s.form = StoreForm::BitField;
    s.baseIsPointer = member->isArrow();
    text = member->getBase();
  } else if (member && op.isMacroID()) {
    s.base = u_.map.spanAround(member->getBase()->getSourceRange(), op);
  } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(plain);
             element && element->getBase()->getType()->isVectorType()) {
    text = element->getBase(); // an element of a vector has no address
  }
  s.span = u_.map.spanAround(text->getSourceRange(), op);
  if (!s.span.valid())
    s.span = u_.map.spanInSystemMacro(text->getSourceRange(), op);
  if (!s.span.valid() && store && u_.map.isMadeText(op))
    announceBefore(store, lvalue, s);
  if (!s.span.valid())
    gap(Gap::Kind::UneditableStore, op,
        "the text of this store is not in one place of a file "
        "of the program, so it cannot be edited");
  s.nonNull.assign(nonNull_.begin(), nonNull_.end());
  if (judged_)
    s.judged = *judged_;
  if (store)
    storesOf_.try_emplace(store, u_.facts.stores.size());
  s.statics.assign(statics_.begin(), statics_.end());
  u_.facts.stores.push_back(std::move(s));
}

StaticWrite DefinitionCollector::writeTo(Id variable, const Place &p,
                                         const Expr *lvalue, Id target, Id what,
                                         SourceLocation at,
                                         bool readModifyWrite,
                                         const Expr *store) {
  StaticWrite w;
  w.variable = variable;
  for (const FieldDecl *f : p.path)
    w.path.push_back(u_.entities.field(f));
  w.function = functionId_;
  w.loc = u_.map.loc(at);
  w.address = target;
  w.value = what;
  w.readModifyWrite = readModifyWrite;
  w.isScalar = !lvalue->getType()->isRecordType();
  const auto *assignment = dyn_cast_or_null<BinaryOperator>(store);
  w.isZero = assignment && assignment->getOpcode() == BO_Assign &&
             (constant(assignment->getRHS()) == 0 ||
              (lvalue->getType()->isFunctionPointerType() &&
               isNullPointer(assignment->getRHS())));
  w.statement = statementSpan(nullptr);
  w.loop = loop_;
  w.nonNull.assign(nonNull_.begin(), nonNull_.end());
  if (judged_)
    w.judged = *judged_;
  w.statics.assign(statics_.begin(), statics_.end());
  return w;
}

/// All of a local record, or an array.
void DefinitionCollector::initialised(Id local, SourceLocation at) {
  StaticWrite &w = u_.facts.localWrites.emplace_back();
  w.variable = local;
  w.function = functionId_;
  w.loc = u_.map.loc(at);
}

void DefinitionCollector::addressUse(const Place &p, const Expr *spelled,
                                     Id result) {
  AddressUse use;
  use.variable = u_.entities.global(p.variable);
  use.function = functionId_;
  use.loc = u_.map.loc(spelled->getBeginLoc());
  if (!u_.map.isMadeText(spelled->getBeginLoc()))
    use.span =
        u_.map.spanAround(spelled->getSourceRange(), spelled->getBeginLoc());
  use.inConstantInitialiser = constant_;
  use.inHook = inHook_;
  const Expr *whole = spelled;
  if (const auto *u = dyn_cast<UnaryOperator>(spelled->IgnoreParens());
      u && u->getOpcode() == UO_AddrOf)
    whole = u->getSubExpr();
  use.interior = !isa<DeclRefExpr>(plainLvalue(whole));
  use.value = result;
  u_.facts.addressUses.push_back(std::move(use));
}

void DefinitionCollector::atomicSite(const Expr *pointer, Id target, Id what,
                                     bool readModifyWrite) {
  const Expr *text = pointer->IgnoreParenImpCasts();
  QualType pointee = pointer->IgnoreParenImpCasts()->getType();
  Place p;
  const Expr *to = pointer;
  // The built-ins take pointers to volatile or to an integer of the same size.
  for (;;) {
    const auto *cast = dyn_cast<CastExpr>(to->IgnoreParens());
    if (!cast || findHook(cast) ||
        cast->getCastKind() == CK_ArrayToPointerDecay ||
        cast->getCastKind() == CK_LValueToRValue)
      break;
    to = cast->getSubExpr();
  }
  const Expr *operand = to;
  const Expr *memory = memoryBehind(to, p.hooked);
  if (memory) {
    bool hooked = p.hooked;
    p = place(memory);
    p.hooked |= hooked;
    pointee = memory->getType();
  } else {
    p.root = Place::Root::Pointer;
    p.pointer = to;
    pointee = to->getType()->getPointeeType();
  }
  if (p.root == Place::Root::Variable && p.variable->hasGlobalStorage())
    return u_.facts.staticWrites.push_back(
        writeTo(u_.entities.global(p.variable), p, memory, None, what,
                pointer->getExprLoc(), readModifyWrite, nullptr));
  if (p.root != Place::Root::Pointer)
    return;
  StoreSite s;
  s.form = StoreForm::Atomic;
  s.readModifyWrite = readModifyWrite;
  s.function = functionId_;
  s.loc = u_.map.loc(pointer->getExprLoc());
  s.address = target;
  s.valueType = u_.entities.type(pointee);
  s.hooked = p.hooked && isPointerFromHook(u_.ast, operand);
  fillRecordAndField(p, s);
  s.span = u_.map.spanAround(text->getSourceRange(), text->getBeginLoc());
  // atomic_flag_clear(&o->busy), which is a store to (&o->busy)->_Value
  const auto *member =
      memory ? dyn_cast<MemberExpr>(memory->IgnoreParens()) : nullptr;
  if (!s.span.valid() && member && member->isArrow()) {
    text = member->getBase()->IgnoreParens();
    s.span = u_.map.spanAround(text->getSourceRange(), text->getBeginLoc());
  }
  if (!s.span.valid())
    gap(Gap::Kind::UneditableStore, pointer->getExprLoc(),
        "the text of this atomic store's address cannot be edited");
  s.nonNull.assign(nonNull_.begin(), nonNull_.end());
  u_.facts.stores.push_back(std::move(s));
}
