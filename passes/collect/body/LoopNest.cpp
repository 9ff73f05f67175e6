//===- LoopNest.cpp - The loops around what is walked ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/LoopNest.h"
#include "passes/collect/body/EnclosingStatements.h"
#include "passes/collect/scans/ControlTransfer.h"

using namespace clang;
using namespace nvmove;

void LoopNest::push(Loop loop) {
  loop.function = out_.function();
  loop.parent = innermost_;
  innermost_ = out_.facts().loops.size();
  out_.facts().loops.push_back(std::move(loop));
}

void LoopNest::addBody(const Stmt *body, Loop &loop) const {
  const auto *block = dyn_cast<CompoundStmt>(body);
  loop.isEntered = hasEntry(body);
  loop.isCompound = block;
  if (!block)
    loop.body.push_back(statementText(out_.map(), body));
  else
    for (const Stmt *s : block->body())
      loop.body.push_back(statementText(out_.map(), s));
  if (!llvm::all_of(loop.body, [](Span s) { return s.valid(); }))
    loop.body.clear();
}

void LoopNest::enter(const Stmt *s, const Stmt *body) {
  Loop loop;
  loop.loc = out_.map().loc(s->getBeginLoc());
  addBody(body, loop);
  push(std::move(loop));
}

void LoopNest::leave() { innermost_ = out_.facts().loops[innermost_].parent; }

// No part of it is a section as it stands: the label is in the way.
void LoopNest::enterGotoLoop(const CompoundStmt *block, size_t statement) {
  for (const GotoLoop &g : gotoLoops_.lookup(block)) {
    if (g.first != statement)
      continue;
    Loop loop;
    loop.loc = out_.map().loc(block->body_begin()[statement]->getBeginLoc());
    loop.isEntered = true;
    push(std::move(loop));
  }
}

void LoopNest::leaveGotoLoop(const CompoundStmt *block, size_t statement) {
  for (const GotoLoop &g : gotoLoops_.lookup(block))
    if (g.last == statement)
      leave();
}
