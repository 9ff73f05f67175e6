//===- OffsetUses.cpp - Offsets in the tables of a program ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/OffsetUses.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Hooks.h"

using namespace clang;
using namespace nvmove;

void nvmove::addOffsetUse(DefinitionFacts &out, const Expr *e) {
  if (!out.isStatic())
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
    if (!m || constantOf(out.ast(), m->getBase()->IgnoreParenCasts()) != 0)
      return;
  }
  for (const FieldDecl *f : within)
    out.facts().sizeofUses.push_back({out.entities().record(f->getParent()),
                                      out.function(),
                                      out.map().loc(e->getBeginLoc())});
}
