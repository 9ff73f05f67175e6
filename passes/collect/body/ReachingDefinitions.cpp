//===- ReachingDefinitions.cpp - Which assignment a pointer was last given
//-----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts have no order, so a variable that serves two purposes in turn would
// hold the pointers of both. Where the syntax alone tells which assignment a
// read sees, the read is one of that assignment's own node (a version);
// everywhere else of the variable's node, which all assignments flow into. A
// loop that assigns a variable which is assigned elsewhere, too, has a node of
// its own for it, which what it enters with and all its assignments flow into:
// l in for (l = first; l; l = l->next). This is the part of SSA construction on
// syntax trees (Braun et al., CC 2013) that needs no other phi nodes.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionCollector.h"
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
         (ordered_ || !addressTaken_.contains(v));
}

/// At the end alone, and so behind all reads: text = copy(text),
/// item->text = text, add(text). C says of little else in which order calls and
/// reads of an expression come.
bool DefinitionCollector::isOrdered(const Expr *e) const {
  auto isPure = [&](const Expr *part) {
    while (Hook hook = findHook(part))
      part = hook.operand;
    return !part->HasSideEffects(u_.ast);
  };
  e = e->IgnoreParenCasts();
  if (Hook hook = findHook(e))
    return isOrdered(hook.operand);
  if (const auto *c = dyn_cast<CallExpr>(e))
    return isPure(c->getCallee()) && llvm::all_of(c->arguments(), isPure);
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (b && b->getOpcode() == BO_Comma) { // NVM_ALLOC()
    const auto *place = dyn_cast<CallExpr>(b->getLHS()->IgnoreParenCasts());
    return place && calleeName(place) == "nvm_place" && isOrdered(b->getRHS());
  }
  if (!b || b->getOpcode() != BO_Assign)
    return isPure(e);
  return scalarVariable(b->getLHS())
             ? isOrdered(b->getRHS())
             : isPure(plainLvalue(b->getLHS())) && isPure(b->getRHS());
}

/// Not malloc(), strlen(): the C library is handed nothing to write to.
bool DefinitionCollector::mayWriteShared(const CallExpr *e) const {
  const FunctionDecl *f = e->getDirectCallee();
  if (calleeName(e) == "nvm_place")
    return false;
  if (!f || f->isVariadic() || !f->getIdentifier() || f->hasBody() ||
      (!f->getBuiltinID() && !f->getName().starts_with("nvm_")))
    return true;
  return llvm::any_of(f->parameters(), [](const ParmVarDecl *p) {
    QualType to = p->getType()->getPointeeType();
    return !to.isNull() && !to.isConstQualified();
  });
}

/// What runs now may write each variable whose address was taken.
void DefinitionCollector::forgetShared() {
  for (const ValueDecl *v : addressTaken_)
    versions_.erase(dyn_cast_or_null<VarDecl>(v));
}

Id DefinitionCollector::current(const VarDecl *v) {
  bool isSeen = ordered_ || !addressTaken_.contains(v);
  if (auto at = versions_.find(v); isSeen && at != versions_.end())
    return at->second;
  auto loops = ofLoops_.find(v);
  return loops == ofLoops_.end() || loops->second.empty()
             ? variable(v)
             : loops->second.back();
}

/// `what` None: a null pointer.
void DefinitionCollector::assigned(const VarDecl *v, Id what, bool known,
                                   SourceLocation at) {
  copy(variable(v), what, at);
  if (!hasVersions(v)) {
    versions_.erase(v);
    return;
  }
  Id version = None;
  if (known) {
    version = addLocal(NodeKind::Temp, v->getName(), v->getType(), at);
    copy(version, what, at);
    versions_[v] = version;
  } else {
    versions_.erase(v);
  }
  if (auto loops = ofLoops_.find(v); loops != ofLoops_.end())
    for (Id inLoop : loops->second)
      copy(inLoop, known ? version : variable(v), at);
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

/// Calls `see` with what is assigned or declared in `s`, and whether it gets a
/// value there.
void DefinitionCollector::eachAssigned(
    const Stmt *s, llvm::function_ref<void(const VarDecl *, bool)> see) const {
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

/// Behind `s`, or at a place in it that control may come to from elsewhere in
/// it.
void DefinitionCollector::forgetAssignedIn(const Stmt *s) {
  forgetShared();
  if (!versions_.empty())
    eachAssigned(s, [&](const VarDecl *v, bool) { versions_.erase(v); });
}

/// Where control comes to from somewhere in `s`: with anything, if it may have
/// come there past its beginning.
void DefinitionCollector::forgetReachedFrom(const Stmt *s, bool inSwitch) {
  if (hasEntry(s, inSwitch))
    versions_.clear();
  else
    forgetAssignedIn(s);
}

DefinitionCollector::Assigned
DefinitionCollector::assignedIn(const Stmt *s) const {
  Assigned found;
  eachAssigned(s,
               [&](const VarDecl *v, bool hasValue) { found[v] += hasValue; });
  return found;
}

/// Where all but what the loop enters with is assigned in it, the variable's
/// own node says as much.
DefinitionCollector::LoopNodes DefinitionCollector::enterLoop(const Stmt *s) {
  LoopNodes nodes;
  if (versions_.empty() || hasEntry(s))
    return nodes;
  const auto *f = dyn_cast<ForStmt>(s);
  Assigned first = assignedIn(f ? f->getInit() : nullptr);
  for (auto [v, n] : assignedIn(s)) {
    auto at = versions_.find(v);
    unsigned before = first.lookup(v), outside = assignments_.lookup(v) - n;
    if (at == versions_.end() || n == before || outside <= !before ||
        addressTaken_.contains(v))
      continue;
    Id node =
        addLocal(NodeKind::Temp, v->getName(), v->getType(), s->getBeginLoc());
    copy(node, at->second, s->getBeginLoc());
    ofLoops_[v].push_back(node);
    nodes.push_back({v, node});
  }
  return nodes;
}

/// Behind it a read sees what it entered with, or what is assigned in it.
void DefinitionCollector::leaveLoop(const Stmt *s, const LoopNodes &nodes) {
  forgetReachedFrom(s);
  for (auto [v, node] : nodes) {
    ofLoops_[v].pop_back();
    versions_[v] = node;
  }
}
