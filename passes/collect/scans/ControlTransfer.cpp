//===- ControlTransfer.cpp - Entries and exits of statements --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/ControlTransfer.h"

using namespace clang;
using namespace nvmove;

namespace {

/// `inLoop`, `inSwitch`: break and continue that stay within `s`.
bool leaves(const Stmt *s, bool inLoop, bool inSwitch) {
  if (!s)
    return false;
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(s))
    return true;
  if (isa<BreakStmt>(s))
    return !inLoop && !inSwitch;
  if (isa<ContinueStmt>(s))
    return !inLoop;
  if (const auto *assembly = dyn_cast<GCCAsmStmt>(s);
      assembly && assembly->isAsmGoto())
    return true;
  bool loop = isa<ForStmt, WhileStmt, DoStmt>(s);
  for (const Stmt *c : s->children())
    if (leaves(c, inLoop || loop, inSwitch || isa<SwitchStmt>(s)))
      return true;
  return false;
}

/// Out of the loop that it is the body of.
bool mayBreak(const Stmt *s) {
  return s && !isa<ForStmt, WhileStmt, DoStmt, SwitchStmt>(s) &&
         (isa<BreakStmt>(s) || llvm::any_of(s->children(), mayBreak));
}

bool isEndless(const Expr *condition, const Stmt *body, const ASTContext &ast) {
  Expr::EvalResult always;
  bool ends = condition && !(condition->EvaluateAsInt(always, ast) &&
                             always.Val.getInt() != 0);
  return !ends && !mayBreak(body);
}

} // namespace

bool nvmove::hasEntry(const Stmt *s, bool inSwitch) {
  if (!s)
    return false;
  if (isa<LabelStmt>(s) || (isa<SwitchCase>(s) && !inSwitch))
    return true;
  for (const Stmt *c : s->children())
    if (hasEntry(c, inSwitch || isa<SwitchStmt>(s)))
      return true;
  return false;
}

bool nvmove::mayLeaveEarly(const Stmt *s) { return leaves(s, false, false); }

bool nvmove::neverFallsThrough(const ASTContext &ast, const DeadEnds &deadEnds,
                               const Stmt *s) {
  while (const auto *label = dyn_cast_or_null<SwitchCase>(s))
    s = label->getSubStmt();
  if (!s)
    return false;
  if (const auto *e = dyn_cast<Expr>(s))
    s = e->IgnoreParenCasts();
  if (const auto *b = dyn_cast<BinaryOperator>(s);
      b && b->getOpcode() == BO_Comma)
    return neverFallsThrough(ast, deadEnds, b->getLHS()) ||
           neverFallsThrough(ast, deadEnds, b->getRHS());
  if (isa<ReturnStmt, GotoStmt, BreakStmt, ContinueStmt>(s))
    return true;
  if (const auto *c = dyn_cast<CompoundStmt>(s))
    return !c->body_empty() && neverFallsThrough(ast, deadEnds, c->body_back());
  if (const auto *i = dyn_cast<IfStmt>(s))
    return neverFallsThrough(ast, deadEnds, i->getThen()) &&
           neverFallsThrough(ast, deadEnds, i->getElse());
  if (const auto *f = dyn_cast<ForStmt>(s))
    return isEndless(f->getCond(), f->getBody(), ast);
  if (const auto *w = dyn_cast<WhileStmt>(s))
    return isEndless(w->getCond(), w->getBody(), ast);
  const auto *call = dyn_cast<CallExpr>(s);
  return call && deadEnds.calls.contains(call);
}
