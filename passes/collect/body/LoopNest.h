//===- LoopNest.h - The loops around what is walked -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_LOOPNEST_H
#define NVMOVE_PASSES_COLLECT_BODY_LOOPNEST_H

#include "passes/collect/body/DefinitionFacts.h"
#include "passes/collect/scans/GotoLoops.h"

namespace nvmove {

/// Adds the loops of a function to its facts, and knows the innermost one.
class LoopNest {
public:
  explicit LoopNest(DefinitionFacts &out) : out_(out) {}

  void beginFunction(const clang::Stmt *body) {
    gotoLoops_ = findGotoLoops(body);
  }

  /// None outside of all loops.
  Id innermost() const { return innermost_; }

  /// `s` is a loop with this body.
  void enter(const clang::Stmt *s, const clang::Stmt *body);
  void leave();
  /// Enters or leaves those loops by goto that begin before, or end behind, a
  /// statement of the block, counted from 0.
  void enterGotoLoop(const clang::CompoundStmt *block, size_t statement);
  void leaveGotoLoop(const clang::CompoundStmt *block, size_t statement);

private:
  void push(Loop loop);
  void addBody(const clang::Stmt *body, Loop &loop) const;

  DefinitionFacts &out_;
  GotoLoops gotoLoops_;
  Id innermost_ = None;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_LOOPNEST_H
