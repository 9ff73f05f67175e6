//===- Definitions.cpp - From a definition to its facts -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/Definitions.h"
#include "passes/collect/body/Body.h"
#include "passes/collect/body/FlowBlocks.h"
#include "passes/collect/body/OtherWrites.h"
#include "passes/collect/scans/FunctionText.h"

using namespace clang;
using namespace nvmove;

void nvmove::collectFunction(UnitState &unit, FunctionDecl *f) {
  Body b(unit);
  b.out.beginFunction(f);
  b.contexts.beginFunction(f);
  b.uses = VariableUses::of(unit.ast, f->getBody());
  b.definitions.beginFunction(f);
  for (const ParmVarDecl *p : f->parameters())
    b.out.node(b.out.variable(p)).isUnchanged =
        p->getType()->isIntegralOrEnumerationType() &&
        !b.uses.changed.contains(p);
  b.loops.beginFunction(f->getBody());
  b.statements.statement(f->getBody());
  Definition &d = b.out.definition();
  d.isNoReturn = f->isNoReturn() ||
                 unit.deadEnds.functions.contains(f->getCanonicalDecl());
  addFlowBlocks(b.out, f);
  addPointerUses(b.out, f);
  describeText(unit.map, f, d);
  b.contexts.end();
  b.out.end();
}

void nvmove::collectStatic(UnitState &unit, const VarDecl *v) {
  Body b(unit);
  b.out.beginStatic(v);
  b.initialisers.initialise(v, v->getInit());
  if (v->getType()->isIntegralOrEnumerationType())
    addOtherWrite(b.out, v, v->getInit());
  addTextWrite(b.out, v, v->getInit());
  b.out.end();
}
