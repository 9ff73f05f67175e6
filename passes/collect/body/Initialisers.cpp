//===- Initialisers.cpp - What declarations put into memory ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionCollector.h"

using namespace clang;
using namespace nvmove;

void DefinitionCollector::initialise(const VarDecl *v, const Expr *init) {
  QualType type = v->getType();
  if (type->isRecordType() || type->isArrayType()) {
    initialiseMemory([&] { return addressOfVariable(v, v->getLocation()); },
                     type, init);
    return;
  }
  Id what = value(init);
  assigned(v, what, what != None || isNullPointer(init), v->getLocation());
}

/// It begins with a zero.
static bool isEmptyText(const Expr *init) {
  init = init->IgnoreParenImpCasts();
  if (isa<ImplicitValueInitExpr>(init))
    return true;
  if (const auto *literal = dyn_cast<StringLiteral>(init))
    return literal->getLength() == 0 || literal->getCodeUnit(0) == 0;
  if (const auto *character = dyn_cast<CharacterLiteral>(init))
    return character->getValue() == 0;
  if (const auto *number = dyn_cast<IntegerLiteral>(init))
    return number->getValue() == 0;
  const auto *list = dyn_cast<InitListExpr>(init);
  if (list && list->getSemanticForm())
    list = list->getSemanticForm();
  return list && (list->getNumInits() == 0 || isEmptyText(list->getInit(0)));
}

/// What an array of characters is initialised with.
void DefinitionCollector::textOtherThanEmpty(const ValueDecl *place,
                                             const Expr *text) {
  if (!isText(place->getType()) || isEmptyText(text))
    return;
  auto [variable, field] = idOf(place);
  addOtherWrite({variable, field});
}

/// `target` makes the address when something has to be put there: large tables
/// of constants cost nothing.
void DefinitionCollector::initialiseMemory(llvm::function_ref<Id()> target,
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
    if (const ArrayType *array = u_.ast.getAsArrayType(type))
      if (!list->isStringLiteralInit())
        return initialiseArray(target, array->getElementType(), list);
    if (!type->isArrayType())
      if (Id v = value(list); v != None)
        flow(Flow::Store, target(), v, list->getBeginLoc());
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
  Id v = value(init);
  if (v == None)
    return;
  if (type->isArrayType())
    flow(Flow::CopyMemory, target(), v, init->getBeginLoc());
  else
    store(target(), v, type, init->getBeginLoc());
}

void DefinitionCollector::initialiseRecord(llvm::function_ref<Id()> target,
                                           const RecordDecl *r,
                                           const InitListExpr *list) {
  auto put = [&](const FieldDecl *f, const Expr *init) {
    Id member = None;
    auto makeMember = [&] {
      if (member == None) {
        Id whole = target();
        member = addressTemp(f->getType(), init->getBeginLoc());
        flow(Flow::Member, member, whole, init->getBeginLoc(),
             u_.entities.field(f));
      }
      return member;
    };
    if (constant(init) != 0)
      writtenOtherwise(f, init);
    textOtherThanEmpty(f, init);
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

void DefinitionCollector::initialiseArray(llvm::function_ref<Id()> target,
                                          QualType element,
                                          const InitListExpr *list) {
  Id slot = None; // one for all elements: arrays are not told apart by index
  auto makeSlot = [&] {
    if (slot == None)
      slot = indexed(target(), None, u_.ast.getPointerType(element),
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
