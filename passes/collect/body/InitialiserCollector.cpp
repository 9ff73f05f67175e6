//===- InitialiserCollector.cpp - What declarations put into memory -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/InitialiserCollector.h"
#include "passes/collect/body/Body.h"
#include "passes/collect/body/OtherWrites.h"
#include "passes/collect/syntax/Constants.h"

using namespace clang;
using namespace nvmove;

void InitialiserCollector::initialise(const VarDecl *v, const Expr *init) {
  QualType type = v->getType();
  if (type->isRecordType() || type->isArrayType()) {
    initialiseMemory([&] { return b_.out.addressOf(v, v->getLocation()); },
                     type, init);
    return;
  }
  Id what = b_.expressions.value(init);
  b_.definitions.assigned(v, what,
                          what != None || isNullPointer(b_.out.ast(), init),
                          v->getLocation());
}

void InitialiserCollector::initialiseMemory(llvm::function_ref<Id()> target,
                                            QualType type, const Expr *init) {
  init = init->IgnoreParens();
  if (const auto *full = dyn_cast<FullExpr>(init))
    init = full->getSubExpr()->IgnoreParens();
  if (isa<ImplicitValueInitExpr, NoInitExpr>(init))
    return;
  if (const auto *update = dyn_cast<DesignatedInitUpdateExpr>(init)) {
    initialiseMemory(target, type, update->getBase());
    init = update->getUpdater();
  }
  if (const auto *list = dyn_cast<InitListExpr>(init)) {
    if (const InitListExpr *semantic = list->getSemanticForm())
      list = semantic;
    if (const auto *r = type->getAs<RecordType>())
      return initialiseRecord(target, r->getDecl(), list);
    if (const ArrayType *array = b_.out.ast().getAsArrayType(type))
      if (!list->isStringLiteralInit())
        return initialiseArray(target, array->getElementType(), list);
    if (!type->isArrayType())
      if (Id v = b_.expressions.value(list); v != None)
        b_.out.flow(Flow::Store, target(), v, list->getBeginLoc());
    return;
  }
  if (type->isArrayType()) {
    // A string fills a character array: bytes, no pointers. A compound literal
    // may stand for an array in GNU C.
    const Expr *source = init->IgnoreParenImpCasts();
    if (isa<StringLiteral, PredefinedExpr>(source))
      return;
    if (const auto *literal = dyn_cast<CompoundLiteralExpr>(source))
      return initialiseMemory(target, type, literal->getInitializer());
  }
  Id v = b_.expressions.value(init);
  if (v == None)
    return;
  if (type->isArrayType())
    b_.out.flow(Flow::CopyMemory, target(), v, init->getBeginLoc());
  else
    b_.out.store(target(), v, type, init->getBeginLoc());
}

void InitialiserCollector::initialiseRecord(llvm::function_ref<Id()> target,
                                            const RecordDecl *r,
                                            const InitListExpr *list) {
  auto put = [&](const FieldDecl *f, const Expr *init) {
    Id member = None;
    auto makeMember = [&] {
      if (member == None) {
        Id whole = target();
        member = b_.out.addressTemp(f->getType(), init->getBeginLoc());
        b_.out.flow(Flow::Member, member, whole, init->getBeginLoc(),
                    b_.out.entities().field(f));
      }
      return member;
    };
    if (constantOf(b_.out.ast(), init) != 0)
      addOtherWrite(b_.out, f, init);
    addTextWrite(b_.out, f, init);
    initialiseMemory(makeMember, f->getType(), init);
  };
  if (r->isUnion()) {
    const FieldDecl *f = list->getInitializedFieldInUnion();
    if (f && list->getNumInits() > 0)
      put(f, list->getInit(0));
    return;
  }
  unsigned next = 0;
  // `struct s x = {y}` with y of the same type: the list is transparent.
  if (list->isTransparent() && list->getNumInits() == 1)
    return initialiseMemory(target, list->getType(), list->getInit(0));
  for (const FieldDecl *f : r->fields()) {
    if (f->isUnnamedBitField())
      continue;
    if (next >= list->getNumInits())
      break;
    put(f, list->getInit(next++));
  }
}

void InitialiserCollector::initialiseArray(llvm::function_ref<Id()> target,
                                           QualType element,
                                           const InitListExpr *list) {
  Id slot = None; // one for all elements: arrays are not told apart by index
  auto makeSlot = [&] {
    if (slot == None)
      slot =
          b_.out.indexed(target(), None, b_.out.ast().getPointerType(element),
                         list->getBeginLoc());
    return slot;
  };
  for (const Expr *init : list->inits())
    if (init)
      initialiseMemory(makeSlot, element, init);
  if (const Expr *filler = list->getArrayFiller())
    if (!isa<ImplicitValueInitExpr>(filler) &&
        !llvm::is_contained(list->inits(), filler))
      initialiseMemory(makeSlot, element, filler);
}
