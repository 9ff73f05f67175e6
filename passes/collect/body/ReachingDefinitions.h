//===- ReachingDefinitions.h - Which assignment a read sees -----*- C++ -*-===//
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

#ifndef NVMOVE_PASSES_COLLECT_BODY_REACHINGDEFINITIONS_H
#define NVMOVE_PASSES_COLLECT_BODY_REACHINGDEFINITIONS_H

#include "passes/collect/body/DefinitionFacts.h"
#include "passes/collect/scans/VariableUses.h"

namespace nvmove {

class ReachingDefinitions {
public:
  /// The nodes of the assignments that reads of pointers see.
  using Versions = llvm::DenseMap<const clang::VarDecl *, Id>;

  ReachingDefinitions(DefinitionFacts &out, const VariableUses &uses)
      : out_(out), uses_(uses) {}

  void beginFunction(const clang::FunctionDecl *f);

  /// What a read of the variable sees now.
  Id current(const clang::VarDecl *v);
  /// `what` is put into the variable. `known`: if it is None, that is a null
  /// pointer.
  void assigned(const clang::VarDecl *v, Id what, bool known,
                clang::SourceLocation at);
  /// A call was made, which may write variables through their addresses.
  void called(const clang::CallExpr *e);

  //===-- Paths -----------------------------------------------------------===//

  const Versions &versions() const { return versions_; }
  /// Goes on from where these were seen.
  void continueFrom(Versions versions) { versions_ = std::move(versions); }
  /// Two paths meet here, this one and one on which these are seen.
  void meet(const Versions &other);
  /// Walks what may or may not run.
  void perhaps(llvm::function_ref<void()> walk);
  /// Control comes here from anywhere.
  void forgetAll() { versions_.clear(); }
  /// Behind `s`, or at a place in it that control may come to from elsewhere in
  /// it.
  void forgetAssignedIn(const clang::Stmt *s);
  /// Where control comes to from somewhere in `s`: with anything, if it may
  /// have come there past its beginning.
  void forgetReachedFrom(const clang::Stmt *s, bool inSwitch = false);
  /// What runs now may write each variable whose address was taken.
  void forgetShared();

  /// Walks a loop, of which `walk` has all that repeats.
  void loop(const clang::Stmt *s, llvm::function_ref<void()> walk);

  //===-- Order in expressions --------------------------------------------===//

  /// Walks `e`, a statement. What it does through the addresses of variables
  /// counts from its end, if it does it only there.
  void inOrder(const clang::Expr *e, llvm::function_ref<void()> walk);
  /// Walks the statements of a statement expression.
  void inStatementExpression(llvm::function_ref<void()> walk);

private:
  using LoopNodes = llvm::SmallVector<std::pair<const clang::VarDecl *, Id>, 2>;
  bool hasVersions(const clang::VarDecl *v) const;
  LoopNodes enterLoop(const clang::Stmt *s);
  void leaveLoop(const clang::Stmt *s, const LoopNodes &nodes);

  DefinitionFacts &out_;
  const VariableUses &uses_;
  Versions versions_;
  Assigned assignments_; ///< in the function
  /// What is walked does nothing that may write a variable through its address
  /// but in the end.
  bool ordered_ = false;
  unsigned inStatementExpression_ = 0;
  /// Of loops that are walked, innermost last: what a read sees where it has no
  /// version.
  llvm::DenseMap<const clang::VarDecl *, llvm::SmallVector<Id, 2>> ofLoops_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_REACHINGDEFINITIONS_H
