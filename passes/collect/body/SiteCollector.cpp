//===- SiteCollector.cpp - Stores, and uses of addresses ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/SiteCollector.h"
#include "passes/collect/scans/Announcements.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Hooks.h"

using namespace clang;
using namespace nvmove;

void SiteCollector::writeSite(const Expr *lvalue, Id target, Id what,
                              SourceLocation op, bool readModifyWrite,
                              const Expr *store) {
  Place p = placeOf(lvalue);
  const auto *member = dyn_cast<MemberExpr>(plainLvalue(lvalue));
  if (p.root == Place::Root::Variable && op.isMacroID() && member &&
      member->refersToBitField()) {
    out_.gap(Gap::Kind::BitFieldWrite, op, p.variable->getName().str());
    out_.facts().gaps.back().span =
        out_.map().spanAround(member->getBase()->getSourceRange(), op);
  }
  if (p.root == Place::Root::Pointer)
    storeSite(lvalue, p, target, op, readModifyWrite, store);
  else if (p.root == Place::Root::Variable && p.variable->hasGlobalStorage())
    out_.addStaticWrite(store,
                        writeTo(out_.entities().global(p.variable), p, lvalue,
                                target, what, op, readModifyWrite, store));
  else if (p.root == Place::Root::Variable && !scalarVariable(lvalue))
    out_.facts().localWrites.push_back(writeTo(out_.variable(p.variable), p,
                                               lvalue, target, what, op,
                                               readModifyWrite, store));
  if (p.root == Place::Root::Variable && !p.variable->hasGlobalStorage() &&
      op.isMacroID() && p.variable->getStorageClass() == SC_Register) {
    out_.gap(Gap::Kind::RegisterWrite, op, p.variable->getName().str());
    out_.facts().gaps.back().span =
        out_.map().spanAround(lvalue->getSourceRange(), op);
  }
}

void SiteCollector::fillRecordAndField(const Place &p, StoreSite &s) {
  if (!p.path.empty()) {
    s.record = out_.entities().record(p.path.front()->getParent());
    s.field = out_.entities().field(p.path.front());
  } else {
    s.record = out_.entities().recordOf(p.pointer->getType()->getPointeeType());
  }
}

void SiteCollector::storeSite(const Expr *lvalue, const Place &p, Id target,
                              SourceLocation op, bool readModifyWrite,
                              const Expr *store) {
  StoreSite s;
  s.readModifyWrite = readModifyWrite;
  s.function = out_.function();
  s.loc = out_.map().loc(op);
  s.address = target;
  s.valueType = out_.entities().type(lvalue->getType());
  s.hooked = p.hooked && isInHook(out_.ast(), lvalue);
  fillRecordAndField(p, s);
  contexts_.describe(store, s);
  const Expr *text = lvalue;
  const Expr *plain = plainLvalue(lvalue);
  const auto *member = dyn_cast<MemberExpr>(plain);
  if (member && member->refersToBitField()) {
    s.form = StoreForm::BitField;
    s.baseIsPointer = member->isArrow();
    text = member->getBase();
  } else if (member && op.isMacroID()) {
    s.base = out_.map().spanAround(member->getBase()->getSourceRange(), op);
  } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(plain);
             element && element->getBase()->getType()->isVectorType()) {
    text = element->getBase(); // an element of a vector has no address
  }
  s.span = out_.map().spanAround(text->getSourceRange(), op);
  if (!s.span.valid())
    s.span = out_.map().spanInSystemMacro(text->getSourceRange(), op);
  if (!s.span.valid() && store && out_.map().isMadeText(op))
    contexts_.announceBefore(store, lvalue, s);
  if (!s.span.valid())
    out_.gap(Gap::Kind::UneditableStore, op,
             "the text of this store is not in one place of a file "
             "of the program, so it cannot be edited");
  s.nonNull = path_.nonNull();
  if (judged_)
    s.judged = *judged_;
  s.statics = path_.statics();
  out_.addStore(store, std::move(s));
}

StaticWrite SiteCollector::writeTo(Id variable, const Place &p,
                                   const Expr *lvalue, Id target, Id what,
                                   SourceLocation at, bool readModifyWrite,
                                   const Expr *store) {
  StaticWrite w;
  w.variable = variable;
  for (const FieldDecl *f : p.path)
    w.path.push_back(out_.entities().field(f));
  w.function = out_.function();
  w.loc = out_.map().loc(at);
  w.address = target;
  w.value = what;
  w.readModifyWrite = readModifyWrite;
  w.isScalar = !lvalue->getType()->isRecordType();
  const auto *assignment = dyn_cast_or_null<BinaryOperator>(store);
  w.isZero = assignment && assignment->getOpcode() == BO_Assign &&
             (constantOf(out_.ast(), assignment->getRHS()) == 0 ||
              (lvalue->getType()->isFunctionPointerType() &&
               isNullPointer(out_.ast(), assignment->getRHS())));
  w.statement = enclosing_.span(nullptr);
  w.loop = loops_.innermost();
  w.nonNull = path_.nonNull();
  if (judged_)
    w.judged = *judged_;
  w.statics = path_.statics();
  return w;
}

void SiteCollector::initialised(Id local, SourceLocation at) {
  StaticWrite &w = out_.facts().localWrites.emplace_back();
  w.variable = local;
  w.function = out_.function();
  w.loc = out_.map().loc(at);
}

void SiteCollector::addressUse(const Place &p, const Expr *spelled, Id result) {
  AddressUse use;
  use.variable = out_.entities().global(p.variable);
  use.function = out_.function();
  use.loc = out_.map().loc(spelled->getBeginLoc());
  if (!out_.map().isMadeText(spelled->getBeginLoc()))
    use.span = out_.map().spanAround(spelled->getSourceRange(),
                                     spelled->getBeginLoc());
  use.inConstantInitialiser = out_.isStatic();
  use.inHook = inHook();
  const Expr *whole = spelled;
  if (const auto *u = dyn_cast<UnaryOperator>(spelled->IgnoreParens());
      u && u->getOpcode() == UO_AddrOf)
    whole = u->getSubExpr();
  use.interior = !isa<DeclRefExpr>(plainLvalue(whole));
  use.value = result;
  out_.facts().addressUses.push_back(std::move(use));
}

void SiteCollector::functionUse(const FunctionDecl *f, const Expr *spelled,
                                Id result) {
  AddressUse use;
  use.variable = out_.entities().functionNode(f);
  use.function = out_.function();
  use.loc = out_.map().loc(spelled->getBeginLoc());
  SourceRange text = spelled->getSourceRange();
  if (text.getBegin() == text.getEnd())
    text = out_.map().named(text.getBegin());
  if (!out_.map().isMadeText(spelled->getBeginLoc()))
    use.span = out_.map().spanAround(text, text.getBegin());
  use.inConstantInitialiser = out_.isStatic();
  use.inHook = inHook();
  use.value = result;
  out_.facts().addressUses.push_back(use);
}

void SiteCollector::atomicSite(const Expr *pointer, Id target, Id what,
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
  const Expr *memory = arrayBehind(to, p.hooked);
  if (memory) {
    bool hooked = p.hooked;
    p = placeOf(memory);
    p.hooked |= hooked;
    pointee = memory->getType();
  } else {
    p.root = Place::Root::Pointer;
    p.pointer = to;
    pointee = to->getType()->getPointeeType();
  }
  if (p.root == Place::Root::Variable && p.variable->hasGlobalStorage())
    return out_.facts().staticWrites.push_back(
        writeTo(out_.entities().global(p.variable), p, memory, None, what,
                pointer->getExprLoc(), readModifyWrite, nullptr));
  if (p.root != Place::Root::Pointer)
    return;
  StoreSite s;
  s.form = StoreForm::Atomic;
  s.readModifyWrite = readModifyWrite;
  s.function = out_.function();
  s.loc = out_.map().loc(pointer->getExprLoc());
  s.address = target;
  s.valueType = out_.entities().type(pointee);
  s.hooked = p.hooked && isPointerFromHook(out_.ast(), operand);
  fillRecordAndField(p, s);
  s.span = out_.map().spanAround(text->getSourceRange(), text->getBeginLoc());
  // atomic_flag_clear(&o->busy), which is a store to (&o->busy)->_Value
  const auto *member =
      memory ? dyn_cast<MemberExpr>(memory->IgnoreParens()) : nullptr;
  if (!s.span.valid() && member && member->isArrow()) {
    text = member->getBase()->IgnoreParens();
    s.span = out_.map().spanAround(text->getSourceRange(), text->getBeginLoc());
  }
  if (!s.span.valid())
    out_.gap(Gap::Kind::UneditableStore, pointer->getExprLoc(),
             "the text of this atomic store's address cannot be edited");
  s.nonNull = path_.nonNull();
  out_.addStore(nullptr, std::move(s));
}

void SiteCollector::walkHook(llvm::function_ref<void()> walk) {
  ++inHook_;
  walk();
  --inHook_;
}
