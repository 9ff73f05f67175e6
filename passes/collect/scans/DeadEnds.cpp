//===- DeadEnds.cpp - Code from which no path returns ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/DeadEnds.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/facts/Library.h"
#include "clang/Analysis/CFG.h"
#include <cassert>

using namespace clang;
using namespace nvmove;

namespace {

struct Graph {
  const FunctionDecl *function;
  std::vector<FlowBlock> blocks;
};

const FunctionDecl *calleeOf(const CallExpr *call) {
  const FunctionDecl *f = calledFunction(call);
  return f ? f->getCanonicalDecl() : nullptr;
}

/// What was done before lives on.
bool isJump(const FunctionDecl *f) {
  return f && f->getIdentifier() &&
         (hasTrait(f->getName(), LibraryFunction::LongJump) ||
          hasTrait(f->getName(), LibraryFunction::EndsThread));
}

bool isExit(const FunctionDecl *f) {
  // By name too: an old program may call them without a declaration.
  return f && f->getIdentifier() &&
         hasTrait(f->getName(), LibraryFunction::EndsProcess);
}

/// A cast to a narrower integer may make a zero.
const Expr *withoutCasts(const Expr *e) {
  return e->getType()->isPointerType() ? e->IgnoreParenCasts()
                                       : e->IgnoreParenImpCasts();
}

/// A pointer or integer that is static, a pointer that is a parameter, or an
/// integer that is a member; announced or not.
const ValueDecl *trackedPlace(const Expr *e) {
  e = withoutCasts(plainLvalue(withoutCasts(e)));
  if (const auto *m = dyn_cast<MemberExpr>(e))
    return m->getType()->isIntegralOrEnumerationType()
               ? dyn_cast<FieldDecl>(m->getMemberDecl())
               : nullptr;
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (!v || !(v->hasGlobalStorage() || isa<ParmVarDecl>(v)))
    return nullptr;
  bool integer =
      v->hasGlobalStorage() && v->getType()->isIntegralOrEnumerationType();
  return integer || v->getType()->isPointerType() ? v : nullptr;
}

/// A null pointer or the integer 0.
bool isZero(ASTContext &ast, const Expr *e) {
  Expr::EvalResult n;
  return isNullPointer(ast, e) ||
         (e->getType()->isIntegralOrEnumerationType() &&
          e->EvaluateAsInt(n, ast) && n.Val.getInt() == 0);
}

/// *out = p: the parameter.
const ParmVarDecl *behindParameter(const Expr *written) {
  const auto *u = dyn_cast<UnaryOperator>(plainLvalue(written));
  if (!u || u->getOpcode() != UO_Deref || !u->getType()->isPointerType())
    return nullptr;
  const auto *ref =
      dyn_cast<DeclRefExpr>(u->getSubExpr()->IgnoreParenImpCasts());
  return ref ? dyn_cast<ParmVarDecl>(ref->getDecl()) : nullptr;
}

void addWrite(ASTContext &ast, const Stmt *s, FlowBlock &block) {
  const Expr *written = nullptr, *value = nullptr;
  FlowWrite::How how = FlowWrite::Anything;
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isAssignmentOp()) {
    written = b->getLHS();
    value = b->getRHS();
    how = b->getOpcode() == BO_Assign      ? FlowWrite::Constant
          : b->getOpcode() == BO_OrAssign  ? FlowWrite::SetsBits
          : b->getOpcode() == BO_AndAssign ? FlowWrite::ClearsBits
                                           : FlowWrite::Anything;
    // a = b = 0
    while (const auto *inner =
               dyn_cast<BinaryOperator>(value->IgnoreParenImpCasts())) {
      if (inner->getOpcode() != BO_Assign || how != FlowWrite::Constant)
        break;
      value = inner->getRHS();
    }
  } else if (const auto *u = dyn_cast<UnaryOperator>(s);
             u && u->isIncrementDecrementOp()) {
    written = u->getSubExpr();
  }
  if (written)
    block.stores.push_back({cast<Expr>(s), unsigned(block.calls.size())});
  if (how == FlowWrite::Constant)
    if (const ParmVarDecl *p = behindParameter(written))
      block.writes.push_back({p, FlowWrite::Through, !isNullPointer(ast, value),
                              unsigned(block.calls.size())});
  const ValueDecl *v = written ? trackedPlace(written) : nullptr;
  if (!v)
    return;
  std::optional<uint64_t> constant;
  if (how == FlowWrite::Constant || how == FlowWrite::SetsBits)
    constant = valueIn(ast, v, value);
  if (!constant && how != FlowWrite::ClearsBits)
    how = FlowWrite::Anything;
  block.writes.push_back(
      {v, how, constant.value_or(0), unsigned(block.calls.size())});
}

/// if (p), if (!p), p == NULL, while ((next = p)).
void addTest(ASTContext &ast, const CFGBlock &b, FlowBlock &block) {
  const Expr *e = b.succ_size() == 2 ? b.getLastCondition() : nullptr;
  if (!e || isa_and_nonnull<SwitchStmt>(b.getTerminatorStmt()))
    return;
  bool zeroIfTrue = false, isAssigned = false;
  for (;;) {
    e = withoutCasts(e);
    if (const auto *u = dyn_cast<UnaryOperator>(e);
        u && u->getOpcode() == UO_LNot) {
      zeroIfTrue = !zeroIfTrue;
      e = u->getSubExpr();
    } else if (const auto *c = dyn_cast<BinaryOperator>(e);
               c && c->isEqualityOp() &&
               (isZero(ast, c->getRHS()) || isZero(ast, c->getLHS()))) {
      zeroIfTrue ^= c->getOpcode() == BO_EQ;
      e = isZero(ast, c->getRHS()) ? c->getLHS() : c->getRHS();
    } else if (c && c->getOpcode() == BO_Assign) {
      e = trackedPlace(c->getLHS()) ? c->getLHS() : c->getRHS();
      isAssigned = true;
    } else {
      break;
    }
  }
  const ValueDecl *v = trackedPlace(e);
  // What is assigned may be cut short.
  const auto *call = isAssigned ? nullptr : dyn_cast<CallExpr>(e);
  const CFGBlock *to = *(b.succ_begin() + !zeroIfTrue),
                 *other = *(b.succ_begin() + zeroIfTrue);
  if (!(v || call) || !to || to == other)
    return;
  block.tested = v;
  block.testedCall = call;
  block.whenZero = to->getBlockID();
}

bool makeGraph(ASTContext &ast, FunctionDecl *f, Graph &graph) {
  std::unique_ptr<CFG> cfg = makeFlowGraph(ast, f);
  if (!cfg)
    return false;
  graph.function = f->getCanonicalDecl();
  graph.blocks.resize(cfg->getNumBlockIDs());
  assert(cfg->getEntry().getBlockID() + 1 == graph.blocks.size());
  for (const CFGBlock *b : *cfg) {
    FlowBlock &block = graph.blocks[b->getBlockID()];
    for (const CFGElement &e : *b)
      if (auto s = e.getAs<CFGStmt>()) {
        if (const auto *call = dyn_cast<CallExpr>(s->getStmt()))
          block.calls.push_back(call);
        else if (const auto *r = dyn_cast<ReturnStmt>(s->getStmt()))
          block.returned = r->getRetValue();
        else
          addWrite(ast, s->getStmt(), block);
      }
    addTest(ast, *b, block);
    // Clang ends a block at a call that does not return and links it to the
    // exit.
    block.cannotReturn =
        b->hasNoReturnElement() &&
        !(block.calls.size() && isJump(calleeOf(block.calls.back())));
    for (const CFGBlock::AdjacentBlock &s : b->succs())
      if (const CFGBlock *to = s.getReachableBlock())
        block.successors.push_back(to->getBlockID());
  }
  return true;
}

/// Least fixpoint within one function. True when something new died.
bool spread(Graph &graph,
            const llvm::DenseSet<const FunctionDecl *> &noReturn) {
  bool any = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (FlowBlock &b : graph.blocks) {
      if (b.dead)
        continue;
      bool dead = b.cannotReturn;
      for (const CallExpr *c : b.calls)
        dead |= isExit(calleeOf(c)) || noReturn.contains(calleeOf(c));
      bool all = !b.successors.empty();
      for (unsigned s : b.successors)
        all &= graph.blocks[s].dead;
      if (dead || all)
        b.dead = changed = any = true;
    }
  }
  return any;
}

} // namespace

std::unique_ptr<CFG> nvmove::makeFlowGraph(ASTContext &ast, FunctionDecl *f) {
  CFG::BuildOptions options;
  options.setAlwaysAdd(Stmt::CallExprClass);
  options.setAlwaysAdd(Stmt::BinaryOperatorClass);
  options.setAlwaysAdd(Stmt::UnaryOperatorClass);
  options.setAlwaysAdd(Stmt::MemberExprClass);
  options.setAlwaysAdd(Stmt::ArraySubscriptExprClass);
  return CFG::buildCFG(f, f->getBody(), &ast, options);
}

DeadEnds nvmove::findDeadEnds(ASTContext &ast,
                              const std::vector<FunctionDecl *> &definitions) {
  DeadEnds result;
  std::vector<Graph> graphs;
  for (FunctionDecl *f : definitions)
    if (Graph g; makeGraph(ast, f, g))
      graphs.push_back(std::move(g));
  for (bool changed = true; changed;) {
    changed = false;
    for (Graph &g : graphs)
      if (spread(g, result.functions) && g.blocks.back().dead)
        changed |= result.functions.insert(g.function).second;
  }
  for (Graph &g : graphs) {
    for (const FlowBlock &b : g.blocks)
      if (b.dead)
        result.calls.insert(b.calls.begin(), b.calls.end());
    result.blocks[g.function] = std::move(g.blocks);
  }
  return result;
}
