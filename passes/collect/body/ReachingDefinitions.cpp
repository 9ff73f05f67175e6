//===- ReachingDefinitions.cpp - Which assignment a read sees -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/ReachingDefinitions.h"
#include "passes/collect/scans/ControlTransfer.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Places.h"
#include "clang/AST/Attr.h"

using namespace clang;
using namespace nvmove;

void ReachingDefinitions::beginFunction(const FunctionDecl *f) {
  assignments_ = assignedIn(f->getBody());
  for (const ParmVarDecl *p : f->parameters())
    ++assignments_[p];
}

bool ReachingDefinitions::hasVersions(const VarDecl *v) const {
  return !out_.isStatic() && !uses_.parallel && v->hasLocalStorage() &&
         v->getType()->isAnyPointerType() &&
         !v->getType().isVolatileQualified() && !v->hasAttr<CleanupAttr>() &&
         (ordered_ || !uses_.addressTaken.contains(v));
}

Id ReachingDefinitions::current(const VarDecl *v) {
  bool isSeen = ordered_ || !uses_.addressTaken.contains(v);
  if (auto at = versions_.find(v); isSeen && at != versions_.end())
    return at->second;
  auto loops = ofLoops_.find(v);
  return loops == ofLoops_.end() || loops->second.empty()
             ? out_.variable(v)
             : loops->second.back();
}

void ReachingDefinitions::assigned(const VarDecl *v, Id what, bool known,
                                   SourceLocation at) {
  out_.copy(out_.variable(v), what, at);
  if (!hasVersions(v)) {
    versions_.erase(v);
    return;
  }
  Id version = None;
  if (known) {
    version = out_.addLocal(NodeKind::Temp, v->getName(), v->getType(), at);
    out_.copy(version, what, at);
    versions_[v] = version;
  } else {
    versions_.erase(v);
  }
  if (auto loops = ofLoops_.find(v); loops != ofLoops_.end())
    for (Id inLoop : loops->second)
      out_.copy(inLoop, known ? version : out_.variable(v), at);
}

/// Not malloc(), strlen(): the C library is handed nothing to write to.
static bool mayWriteShared(const CallExpr *e) {
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

void ReachingDefinitions::called(const CallExpr *e) {
  if (mayWriteShared(e))
    forgetShared();
}

//===-- Paths -------------------------------------------------------------===//

void ReachingDefinitions::perhaps(llvm::function_ref<void()> walk) {
  Versions before = versions_;
  walk();
  meet(before);
}

void ReachingDefinitions::meet(const Versions &other) {
  llvm::SmallVector<const VarDecl *, 8> gone;
  for (auto [v, version] : versions_)
    if (auto at = other.find(v); at == other.end() || at->second != version)
      gone.push_back(v);
  for (const VarDecl *v : gone)
    versions_.erase(v);
}

void ReachingDefinitions::forgetShared() {
  for (const ValueDecl *v : uses_.addressTaken)
    versions_.erase(dyn_cast_or_null<VarDecl>(v));
}

void ReachingDefinitions::forgetAssignedIn(const Stmt *s) {
  forgetShared();
  if (!versions_.empty())
    eachAssigned(s, [&](const VarDecl *v, bool) { versions_.erase(v); });
}

void ReachingDefinitions::forgetReachedFrom(const Stmt *s, bool inSwitch) {
  if (hasEntry(s, inSwitch))
    versions_.clear();
  else
    forgetAssignedIn(s);
}

void ReachingDefinitions::loop(const Stmt *s, llvm::function_ref<void()> walk) {
  const LoopNodes nodes = enterLoop(s);
  forgetReachedFrom(s);
  walk();
  leaveLoop(s, nodes);
}

/// Where all but what the loop enters with is assigned in it, the variable's
/// own node says as much.
ReachingDefinitions::LoopNodes ReachingDefinitions::enterLoop(const Stmt *s) {
  LoopNodes nodes;
  if (versions_.empty() || hasEntry(s))
    return nodes;
  const auto *f = dyn_cast<ForStmt>(s);
  Assigned first = assignedIn(f ? f->getInit() : nullptr);
  for (auto [v, n] : assignedIn(s)) {
    auto at = versions_.find(v);
    unsigned before = first.lookup(v), outside = assignments_.lookup(v) - n;
    if (at == versions_.end() || n == before || outside <= !before ||
        uses_.addressTaken.contains(v))
      continue;
    Id node = out_.addLocal(NodeKind::Temp, v->getName(), v->getType(),
                            s->getBeginLoc());
    out_.copy(node, at->second, s->getBeginLoc());
    ofLoops_[v].push_back(node);
    nodes.push_back({v, node});
  }
  return nodes;
}

/// Behind it a read sees what it entered with, or what is assigned in it.
void ReachingDefinitions::leaveLoop(const Stmt *s, const LoopNodes &nodes) {
  forgetReachedFrom(s);
  for (auto [v, node] : nodes) {
    ofLoops_[v].pop_back();
    versions_[v] = node;
  }
}

//===-- Order in expressions ----------------------------------------------===//

/// At the end alone, and so behind all reads: text = copy(text),
/// item->text = text, add(text). C says of little else in which order calls and
/// reads of an expression come.
static bool isOrdered(const ASTContext &ast, const Expr *e) {
  auto isPure = [&](const Expr *part) {
    while (Hook hook = findHook(part))
      part = hook.operand;
    return !part->HasSideEffects(ast);
  };
  e = e->IgnoreParenCasts();
  if (Hook hook = findHook(e))
    return isOrdered(ast, hook.operand);
  if (const auto *c = dyn_cast<CallExpr>(e))
    return isPure(c->getCallee()) && llvm::all_of(c->arguments(), isPure);
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (b && b->getOpcode() == BO_Comma) { // NVM_ALLOC()
    const auto *place = dyn_cast<CallExpr>(b->getLHS()->IgnoreParenCasts());
    return place && calleeName(place) == "nvm_place" &&
           isOrdered(ast, b->getRHS());
  }
  if (!b || b->getOpcode() != BO_Assign)
    return isPure(e);
  return scalarVariable(b->getLHS())
             ? isOrdered(ast, b->getRHS())
             : isPure(plainLvalue(b->getLHS())) && isPure(b->getRHS());
}

void ReachingDefinitions::inOrder(const Expr *e,
                                  llvm::function_ref<void()> walk) {
  ordered_ = !inStatementExpression_ && isOrdered(out_.ast(), e);
  walk();
  ordered_ = false;
}

void ReachingDefinitions::inStatementExpression(
    llvm::function_ref<void()> walk) {
  const bool outer = std::exchange(ordered_, false);
  ++inStatementExpression_;
  walk();
  --inStatementExpression_;
  ordered_ = outer;
}
