//===- VariableUses.cpp - How a body uses its variables -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/VariableUses.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Places.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace nvmove;

VariableUses VariableUses::of(const ASTContext &ast, const Stmt *s) {
  VariableUses uses;
  uses.add(ast, s);
  return uses;
}

void VariableUses::add(const ASTContext &ast, const Stmt *s) {
  if (!s)
    return;
  // NVM(p) = NULL takes no more of p's address than p = NULL.
  if (const auto *u = dyn_cast<UnaryOperator>(s);
      u && u->getOpcode() == UO_Deref && plainLvalue(u) != u)
    return add(ast, plainLvalue(u));
  auto variable = [&](const Expr *lvalue) -> const ValueDecl * {
    const auto *ref =
        dyn_cast<DeclRefExpr>(plainLvalue(lvalue)->IgnoreParenCasts());
    return ref ? ref->getDecl() : nullptr;
  };
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
    changed.insert(variable(b->getLHS()));
    if ((b->getOpcode() != BO_Assign && b->getOpcode() != BO_AddAssign) ||
        !isNaturalConstant(ast, b->getRHS()))
      uncounted.insert(variable(b->getLHS()));
  } else if (const auto *u = dyn_cast<UnaryOperator>(s)) {
    if (u->isIncrementDecrementOp() || u->getOpcode() == UO_AddrOf)
      changed.insert(variable(u->getSubExpr()));
    if (u->getOpcode() == UO_AddrOf)
      addressTaken.insert(variable(u->getSubExpr()));
    if (u->isDecrementOp() || u->getOpcode() == UO_AddrOf)
      uncounted.insert(variable(u->getSubExpr()));
  } else if (const auto *r = dyn_cast<ReturnStmt>(s); r && r->getRetValue()) {
    if (const auto *v = dyn_cast_or_null<VarDecl>(variable(r->getRetValue()));
        v && v->hasLocalStorage() && !isa<ParmVarDecl>(v) &&
        v->getType()->isIntegralOrEnumerationType())
      returned.insert(v);
  } else if (const auto *d = dyn_cast<DeclStmt>(s)) {
    for (const Decl *declared : d->decls())
      if (const auto *v = dyn_cast<VarDecl>(declared);
          v && v->getInit() && !isNaturalConstant(ast, v->getInit()))
        uncounted.insert(v);
  } else if (const auto *a = dyn_cast<GCCAsmStmt>(s)) {
    for (unsigned i = 0; i < a->getNumOutputs(); ++i)
      for (auto *set : {&changed, &uncounted})
        set->insert(variable(a->getOutputExpr(i)));
  } else if (isa<OMPExecutableDirective>(s)) {
    parallel = true;
  }
  for (const Stmt *child : s->children())
    add(ast, child);
}

const ParmVarDecl *VariableUses::unchangedParameter(const Expr *e) const {
  const auto *ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  const auto *p = ref ? dyn_cast<ParmVarDecl>(ref->getDecl()) : nullptr;
  return p && p->getType()->isIntegralOrEnumerationType() &&
                 !changed.contains(p)
             ? p
             : nullptr;
}

const VarDecl *VariableUses::returnedLocal(const Expr *e) const {
  const auto *ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return v && returned.contains(v) && !addressTaken.contains(v) ? v : nullptr;
}

bool VariableUses::isNatural(const ASTContext &ast, const Expr *e) const {
  if (isNaturalConstant(ast, e))
    return true;
  e = e->IgnoreParenImpCasts();
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return e->getType()->isUnsignedIntegerType() ||
         (v && v->hasLocalStorage() && !isa<ParmVarDecl>(v) &&
          v->getType()->isIntegerType() && !uncounted.contains(v));
}

void nvmove::eachAssigned(const Stmt *s,
                          llvm::function_ref<void(const VarDecl *, bool)> see) {
  if (!s)
    return;
  auto lvalue = [&](const Expr *e) {
    if (const VarDecl *v = scalarVariable(e))
      see(v, true);
  };
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
    lvalue(b->getLHS());
  } else if (const auto *d = dyn_cast<DeclStmt>(s)) {
    for (const Decl *one : d->decls())
      if (const auto *v = dyn_cast<VarDecl>(one))
        see(v, v->hasInit());
  } else if (const auto *a = dyn_cast<GCCAsmStmt>(s)) {
    for (unsigned i = 0; i < a->getNumOutputs(); ++i)
      lvalue(a->getOutputExpr(i));
  }
  for (const Stmt *child : s->children())
    eachAssigned(child, see);
}

Assigned nvmove::assignedIn(const Stmt *s) {
  Assigned found;
  eachAssigned(s,
               [&](const VarDecl *v, bool hasValue) { found[v] += hasValue; });
  return found;
}
