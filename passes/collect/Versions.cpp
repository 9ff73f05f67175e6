//===- Versions.cpp - Which assignment a pointer was last given -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts have no order, so a variable that serves two purposes in turn would
// hold the pointers of both. Where the syntax alone tells which assignment a
// read sees, the read is one of that assignment's own node (a version);
// everywhere else of the variable's node, which all assignments flow into. This
// is the part of SSA construction on syntax trees (Braun et al., CC 2013) that
// needs no phi nodes.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/DefinitionCollector.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace nvmove;

/// What is assigned anywhere in the body, and what has its address taken.
void DefinitionCollector::findChanges(const Stmt *s) {
  if (!s)
    return;
  // NVM(p) = NULL takes no more of p's address than p = NULL.
  if (const auto *u = dyn_cast<UnaryOperator>(s);
      u && u->getOpcode() == UO_Deref && plainLvalue(u) != u)
    return findChanges(plainLvalue(u));
  auto variable = [&](const Expr *lvalue) -> const ValueDecl * {
    const auto *ref =
        dyn_cast<DeclRefExpr>(plainLvalue(lvalue)->IgnoreParenCasts());
    return ref ? ref->getDecl() : nullptr;
  };
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
    changed_.insert(variable(b->getLHS()));
    if ((b->getOpcode() != BO_Assign && b->getOpcode() != BO_AddAssign) ||
        !isNaturalConstant(b->getRHS()))
      uncounted_.insert(variable(b->getLHS()));
  } else if (const auto *u = dyn_cast<UnaryOperator>(s)) {
    if (u->isIncrementDecrementOp() || u->getOpcode() == UO_AddrOf)
      changed_.insert(variable(u->getSubExpr()));
    if (u->getOpcode() == UO_AddrOf)
      addressTaken_.insert(variable(u->getSubExpr()));
    if (u->isDecrementOp() || u->getOpcode() == UO_AddrOf)
      uncounted_.insert(variable(u->getSubExpr()));
  } else if (const auto *r = dyn_cast<ReturnStmt>(s); r && r->getRetValue()) {
    if (const auto *v = dyn_cast_or_null<VarDecl>(variable(r->getRetValue()));
        v && v->hasLocalStorage() && !isa<ParmVarDecl>(v) &&
        v->getType()->isIntegralOrEnumerationType())
      answers_.insert(v);
  } else if (const auto *d = dyn_cast<DeclStmt>(s)) {
    for (const Decl *declared : d->decls())
      if (const auto *v = dyn_cast<VarDecl>(declared);
          v && v->getInit() && !isNaturalConstant(v->getInit()))
        uncounted_.insert(v);
  } else if (const auto *a = dyn_cast<GCCAsmStmt>(s)) {
    for (unsigned i = 0; i < a->getNumOutputs(); ++i)
      for (auto *set : {&changed_, &uncounted_})
        set->insert(variable(a->getOutputExpr(i)));
  } else if (isa<OMPExecutableDirective>(s)) {
    parallel_ = true;
  }
  for (const Stmt *child : s->children())
    findChanges(child);
}

bool DefinitionCollector::hasVersions(const VarDecl *v) const {
  return !constant_ && !parallel_ && v->hasLocalStorage() &&
         v->getType()->isAnyPointerType() &&
         !v->getType().isVolatileQualified() && !v->hasAttr<CleanupAttr>() &&
         !addressTaken_.contains(v);
}

Id DefinitionCollector::current(const VarDecl *v) {
  auto at = versions_.find(v);
  return at == versions_.end() ? variable(v) : at->second;
}

/// `what` None: a null pointer.
void DefinitionCollector::assigned(const VarDecl *v, Id what, bool known,
                                   SourceLocation at) {
  copy(variable(v), what, at);
  if (!hasVersions(v))
    return;
  if (!known) {
    versions_.erase(v);
    return;
  }
  Id version = addLocal(NodeKind::Temp, v->getName(), v->getType(), at);
  copy(version, what, at);
  versions_[v] = version;
}

/// Walks what may or may not run.
void DefinitionCollector::perhaps(llvm::function_ref<void()> walk) {
  Versions before = versions_;
  walk();
  keepCommon(before);
}

void DefinitionCollector::keepCommon(const Versions &other) {
  llvm::SmallVector<const VarDecl *, 8> gone;
  for (auto [v, version] : versions_)
    if (auto at = other.find(v); at == other.end() || at->second != version)
      gone.push_back(v);
  for (const VarDecl *v : gone)
    versions_.erase(v);
}

/// Behind `s`, or at a place in it that control may come to from elsewhere in
/// it.
void DefinitionCollector::forgetAssignedIn(const Stmt *s) {
  if (!s || versions_.empty())
    return;
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
    if (const VarDecl *v = scalarVariable(b->getLHS()))
      versions_.erase(v);
  } else if (const auto *d = dyn_cast<DeclStmt>(s)) {
    for (const Decl *one : d->decls())
      if (const auto *v = dyn_cast<VarDecl>(one))
        versions_.erase(v);
  } else if (const auto *a = dyn_cast<GCCAsmStmt>(s)) {
    for (unsigned i = 0; i < a->getNumOutputs(); ++i)
      if (const VarDecl *v = scalarVariable(a->getOutputExpr(i)))
        versions_.erase(v);
  }
  for (const Stmt *child : s->children())
    forgetAssignedIn(child);
}

/// Where control comes to from somewhere in `s`: with anything, if it may have
/// come there past its beginning.
void DefinitionCollector::forgetReachedFrom(const Stmt *s, bool inSwitch) {
  if (hasEntry(s, inSwitch))
    versions_.clear();
  else
    forgetAssignedIn(s);
}
