//===- LibraryCalls.cpp - What library functions do to values -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/LibraryCalls.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/facts/Library.h"

using namespace clang;
using namespace nvmove;

/// insque(element, before) and remque(element) link by the first two members of
/// records, of any type.
static void link(DefinitionFacts &out, const CallExpr *e, const Call &c,
                 bool inserts) {
  SourceLocation at = e->getBeginLoc();
  const RecordDecl *record = nullptr;
  for (const Expr *a : e->arguments())
    if (QualType to = a->IgnoreParenCasts()->getType()->getPointeeType();
        !to.isNull() && to->isRecordType() && !to->isIncompleteType())
      record = record ? record : to->getAsRecordDecl()->getDefinition();
  if (!record || c.args.empty() || c.args[0] == None ||
      std::distance(record->field_begin(), record->field_end()) < 2)
    return;
  const FieldDecl *next = *record->field_begin(),
                  *before = *std::next(record->field_begin());
  auto member = [&](Id base, const FieldDecl *f) {
    Id m = out.addressTemp(f->getType(), at);
    out.flow(Flow::Member, m, base, at, out.entities().field(f));
    return m;
  };
  auto load = [&](Id base, const FieldDecl *f) {
    Id value = out.temp(f->getType(), at);
    out.flow(Flow::Load, value, member(base, f), at);
    return value;
  };
  auto store = [&](Id base, const FieldDecl *f, Id value) {
    if (base != None && value != None)
      out.flow(Flow::Store, member(base, f), value, at);
  };
  Id element = c.args[0];
  if (!inserts) {
    Id after = load(element, next), head = load(element, before);
    store(after, before, head);
    store(head, next, after);
    return;
  }
  Id head = c.args.size() > 1 ? c.args[1] : None,
     after = head == None ? None : load(head, next);
  store(element, next, after);
  store(element, before, head);
  store(after, before, element);
  store(head, next, element);
}

void nvmove::addLibraryFlow(DefinitionFacts &out, llvm::StringRef name,
                            const CallExpr *e, const Call &c) {
  const LibraryFlow f = libraryFact(name, &LibraryFunction::flow);
  SourceLocation at = e->getBeginLoc();
  auto arg = [&](int i) {
    return i >= 0 && size_t(i) < c.args.size() ? c.args[i] : None;
  };
  Id dst = f.to == LibraryFlow::Result ? c.result : arg(f.to),
     src = arg(f.from);
  if (dst != None && src != None)
    out.flow(Flow::CopyMemory, dst, src, at);
  out.copy(c.result, arg(f.result), at);
  Id cell = arg(f.cell), stored = arg(f.storedInCell);
  if (cell != None && stored != None)
    out.flow(Flow::Store, cell, stored, at);
  if (cell != None && f.resultFromCell && c.result != None)
    out.flow(Flow::Load, c.result, cell, at);
  if (Id number = arg(f.counts); number != None) {
    QualType type = e->getArg(f.counts)->getType()->getPointeeType();
    Id before = out.temp(type, at);
    out.flow(Flow::Load, before, number, at);
    out.flow(Flow::Store, number, out.arithmetic({before}, type, at), at);
  }
  if (auto links = libraryFact(name, &LibraryFunction::links))
    link(out, e, c, links == LibraryFunction::LinksIn);
}

void nvmove::handOverBlocks(DefinitionFacts &out, llvm::StringRef name,
                            const CallExpr *e, Call &c) {
  llvm::SmallVector<unsigned, 2> places;
  const LibraryFlow f = libraryFact(name, &LibraryFunction::flow);
  if (f.block >= 0 && unsigned(f.block) < c.args.size())
    places.push_back(f.block);
  for (const ScannedArg &s : c.scanned)
    if (s.extent == ScannedArg::Block)
      places.push_back(s.arg);
  if (places.empty())
    return;
  SourceLocation at = e->getBeginLoc();
  Id status = c.result;
  c.result = None;
  for (unsigned i : places) {
    // (void **)&p is the address of a p, and so is NVM_OUT(&p).
    const Expr *place = e->getArg(i);
    if (Hook hook = findHook(place))
      place = hook.operand;
    place = place->IgnoreParenCasts();
    QualType type = place->getType()->isPointerType()
                        ? place->getType()->getPointeeType()
                        : QualType();
    if (c.args[i] == None || type.isNull() || !type->isAnyPointerType())
      continue;
    if (c.result == None)
      c.result = out.temp(type, at);
    if (!type->getPointeeType()->isVoidType()) {
      c.resultType = out.entities().type(type);
      c.resultRecord = out.entities().recordOf(type->getPointeeType());
    }
    out.flow(Flow::Store, c.args[i], c.result, at);
    if (const auto *u = dyn_cast<UnaryOperator>(place);
        u && u->getOpcode() == UO_AddrOf)
      if (const auto *ref =
              dyn_cast<DeclRefExpr>(u->getSubExpr()->IgnoreParens()))
        if (const auto *v = dyn_cast<VarDecl>(ref->getDecl());
            v && v->hasLocalStorage())
          out.copy(out.variable(v), c.result, at);
  }
  if (c.result == None) {
    c.result = status;
  } else if (e->getType()->isPointerType()) {
    out.flow(Flow::Copy, status, c.result, at); // a stream that fills the block
  } else if (status != None &&
             !hasTrait(name, LibraryFunction::ResultIsError)) {
    Id byte = out.temp(out.ast().CharTy, at);
    out.flow(Flow::Load, byte, c.result, at);
    out.flow(Flow::Arith, status, byte, at);
  }
}
