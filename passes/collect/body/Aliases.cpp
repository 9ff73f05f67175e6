//===- Aliases.cpp - Functions that are other functions -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// __attribute__((alias("f"))) makes a name a second name of f;
// __attribute__((ifunc("r"))) makes it one of what r() gives back. To callers
// they are functions that pass all on, so that is what they are said to be:
// other files know nothing of the attribute.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionFacts.h"
#include "passes/collect/body/Definitions.h"
#include "clang/AST/Attr.h"

using namespace clang;
using namespace nvmove;

static Id passOn(DefinitionFacts &out, Id callee, Id target,
                 std::vector<Id> args, QualType result, SourceLocation at) {
  Call c;
  c.function = out.function();
  c.callee = callee;
  c.target = target;
  c.loc = out.map().loc(at);
  c.argSpans.resize(args.size());
  c.argIsZeroOrNull.resize(args.size());
  c.argIsHooked.resize(args.size());
  c.argIsReadOnly.resize(args.size());
  c.args = std::move(args);
  if (!result->isVoidType())
    c.result = out.temp(result, at);
  out.facts().calls.push_back(c);
  return out.valueOfResult(c.result, result, at);
}

void nvmove::collectAlias(UnitState &unit, const FunctionDecl *f) {
  const auto *alias = f->getAttr<AliasAttr>();
  const auto *chosen = f->getAttr<IFuncAttr>();
  if (!alias && !chosen)
    return;
  const auto *other = declarationOf<FunctionDecl>(
      unit.ast, alias ? alias->getAliasee() : chosen->getResolver());
  if (!other || other->getCanonicalDecl() == f->getCanonicalDecl())
    return;
  DefinitionFacts out(unit);
  out.beginFunction(f);
  Definition &d = out.definition();
  SourceLocation at = f->getLocation();
  QualType type = f->getReturnType();
  if (f->isVariadic())
    d.variadic = out.addLocal(NodeKind::Local, "...", out.ast().VoidPtrTy, at);
  std::vector<Id> args = d.params;
  if (d.variadic != None)
    args.push_back(d.variadic);
  Id callee = out.entities().function(other), target = None;
  if (chosen) {
    target = passOn(out, callee, None, {}, other->getReturnType(), at);
    callee = None;
  }
  out.returned(passOn(out, callee, target, std::move(args), type, at), type,
               at);
  // The exit and what leads to it, so that callers learn it if `other` never
  // returns.
  d.blocks.resize(2);
  d.blocks[1].successors = {0};
  d.blocks[1].calls = {Id(out.facts().calls.size() - 1 - d.calls.begin)};
  d.isNoReturn =
      f->isNoReturn() ||
      (alias && unit.deadEnds.functions.contains(other->getCanonicalDecl()));
  d.lines = 1;
  out.end();
}
