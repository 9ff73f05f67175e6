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

namespace {
/// Of a set of flags that is put together, four flags.
constexpr size_t MostChoices = 16;
} // namespace

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
  auto change = [&](const Expr *lvalue) {
    const ValueDecl *v = variable(lvalue);
    changed.insert(v);
    given_[v].otherwise = true;
  };
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
    const ValueDecl *v = variable(b->getLHS());
    changed.insert(v);
    if (b->getOpcode() == BO_Assign)
      given_[v].values.push_back(b->getRHS());
    else if (b->getOpcode() == BO_OrAssign)
      given_[v].bits.push_back(b->getRHS());
    else
      given_[v].otherwise = true;
    if ((b->getOpcode() != BO_Assign && b->getOpcode() != BO_AddAssign) ||
        !isNaturalConstant(ast, b->getRHS()))
      uncounted.insert(variable(b->getLHS()));
  } else if (const auto *u = dyn_cast<UnaryOperator>(s)) {
    if (u->isIncrementDecrementOp() || u->getOpcode() == UO_AddrOf)
      change(u->getSubExpr());
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
      if (const auto *v = dyn_cast<VarDecl>(declared); v && v->getInit()) {
        given_[v].values.push_back(v->getInit());
        if (!isNaturalConstant(ast, v->getInit()))
          uncounted.insert(v);
      }
  } else if (const auto *a = dyn_cast<GCCAsmStmt>(s)) {
    for (unsigned i = 0; i < a->getNumOutputs(); ++i) {
      change(a->getOutputExpr(i));
      uncounted.insert(variable(a->getOutputExpr(i)));
    }
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

static uint64_t converted(const ASTContext &ast, uint64_t value,
                          QualType type) {
  if (type->isBooleanType())
    return value != 0;
  llvm::APSInt n(llvm::APInt(64, value).trunc(ast.getIntWidth(type)),
                 type->isUnsignedIntegerOrEnumerationType());
  return n.extend(64).getZExtValue();
}

bool VariableUses::addChoices(const ASTContext &ast, const Expr *e,
                              Set64 &result, Set &open) const {
  e = e->IgnoreParens();
  const QualType type = e->getType();
  if (!type->isIntegralOrEnumerationType() || ast.getIntWidth(type) > 64)
    return false;
  Set64 found;
  if (auto n = constantOf(ast, e)) {
    found.insert(*n);
  } else if (const auto *c = dyn_cast<ConditionalOperator>(e)) {
    if (!addChoices(ast, c->getTrueExpr(), found, open) ||
        !addChoices(ast, c->getFalseExpr(), found, open))
      return false;
  } else if (const auto *c = dyn_cast<CastExpr>(e)) {
    if (!addChoices(ast, c->getSubExpr(), found, open))
      return false;
  } else if (const auto *b = dyn_cast<BinaryOperator>(e);
             b && b->getOpcode() == BO_Or) {
    Set64 left, right;
    if (!addChoices(ast, b->getLHS(), left, open) ||
        !addChoices(ast, b->getRHS(), right, open))
      return false;
    for (uint64_t l : left)
      for (uint64_t r : right)
        found.insert(l | r);
  } else if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    if (!v || !addChoicesOf(ast, v, found, open))
      return false;
  } else {
    return false;
  }
  for (uint64_t n : found)
    result.insert(converted(ast, n, type));
  return result.size() <= MostChoices;
}

bool VariableUses::addChoicesOf(const ASTContext &ast, const VarDecl *v,
                                Set64 &result, Set &open) const {
  auto at = given_.find(v);
  if (!v->hasLocalStorage() || isa<ParmVarDecl>(v) ||
      v->getType().isVolatileQualified() || at == given_.end() ||
      at->second.otherwise || !open.insert(v).second)
    return false;
  auto all = [&](llvm::ArrayRef<const Expr *> given, Set64 &to) {
    return llvm::all_of(
        given, [&](const Expr *e) { return addChoices(ast, e, to, open); });
  };
  Set64 bits;
  if (!all(at->second.values, result) || !all(at->second.bits, bits))
    return false;
  open.erase(v);
  for (size_t before = 0; before != result.size();) {
    before = result.size();
    for (uint64_t n : Set64(result))
      for (uint64_t b : bits)
        result.insert(converted(ast, n | b, v->getType()));
    if (result.size() > MostChoices)
      return false;
  }
  return true;
}

llvm::SmallVector<uint64_t, 4> VariableUses::choices(const ASTContext &ast,
                                                     const Expr *e) const {
  Set64 result;
  Set open; // variables whose own values are being looked for
  if (!addChoices(ast, e, result, open))
    return {};
  return {result.begin(), result.end()};
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
