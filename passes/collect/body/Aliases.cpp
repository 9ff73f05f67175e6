//===- Aliases.cpp - Functions that are other functions ------------------===//
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

#include "passes/collect/body/DefinitionCollector.h"
#include "clang/AST/Attr.h"

using namespace clang;
using namespace nvmove;

Id DefinitionCollector::passOn(Id callee, Id target, std::vector<Id> args,
                               QualType result, SourceLocation at) {
  Call c;
  c.function = functionId_;
  c.callee = callee;
  c.target = target;
  c.loc = u_.map.loc(at);
  c.argSpans.resize(args.size());
  c.argIsZeroOrNull.resize(args.size());
  c.argIsHooked.resize(args.size());
  c.argIsReadOnly.resize(args.size());
  c.args = std::move(args);
  if (!result->isVoidType())
    c.result = temp(result, at);
  u_.facts.calls.push_back(c);
  return valueOfResult(c.result, result, at);
}

void DefinitionCollector::collectAlias(const FunctionDecl *f) {
  const auto *alias = f->getAttr<AliasAttr>();
  const auto *chosen = f->getAttr<IFuncAttr>();
  if (!alias && !chosen)
    return;
  const auto *other = declarationOf<FunctionDecl>(
      u_.ast, alias ? alias->getAliasee() : chosen->getResolver());
  if (!other || other->getCanonicalDecl() == f->getCanonicalDecl())
    return;
  beginFunction(f);
  SourceLocation at = f->getLocation();
  QualType type = f->getReturnType();
  if (f->isVariadic())
    d_.variadic = addLocal(NodeKind::Local, "...", u_.ast.VoidPtrTy, at);
  std::vector<Id> args = d_.params;
  if (d_.variadic != None)
    args.push_back(d_.variadic);
  Id callee = u_.entities.function(other), target = None;
  if (chosen) {
    target = passOn(callee, None, {}, other->getReturnType(), at);
    callee = None;
  }
  returned(passOn(callee, target, std::move(args), type, at), type, at);
  // The exit and what leads to it, so that callers learn it if `other` never
  // returns.
  d_.blocks.resize(2);
  d_.blocks[1].successors = {0};
  d_.blocks[1].calls = {Id(u_.facts.calls.size() - 1 - d_.calls.begin)};
  d_.isNoReturn =
      f->isNoReturn() ||
      (alias && u_.deadEnds.functions.contains(other->getCanonicalDecl()));
  d_.lines = 1;
  end();
}
