//===- PathConditions.h - What holds where a call is made -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts have no control flow. Two things about it are kept for each call,
// because they tell what a phase of the program never does: which pointers were
// tested on the way, and in which arms of if statements the call stands.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_PATHCONDITIONS_H
#define NVMOVE_PASSES_COLLECT_BODY_PATHCONDITIONS_H

#include "passes/collect/body/DefinitionFacts.h"
#include "passes/collect/scans/VariableUses.h"
#include "llvm/ADT/SmallVector.h"

namespace nvmove {

class PathConditions {
public:
  PathConditions(DefinitionFacts &out, const VariableUses &uses)
      : out_(out), uses_(uses) {}

  /// All that is known at one point.
  struct Mark {
    size_t nonNull, different, zero, flags, statics, tests, arms;
  };
  Mark mark() const {
    return {nonNull_.size(), different_.size(), zero_.size(), flags_.size(),
            statics_.size(), tests_.size(),     arms_.size()};
  }
  /// What has become known since does not hold any longer.
  void forget(Mark since);

  /// `condition` evaluates to `holds`.
  void assume(const clang::Expr *condition, bool holds);
  /// One arm of an if statement, counted from 0 in the function, is entered.
  void enterArm(uint32_t ifStatement, bool holds) {
    arms_.push_back(ifStatement * 2 + !holds);
  }
  /// What a label of the switch says, if the statement has one: a case, or the
  /// default, behind which no other one stands.
  void assumeCase(const clang::SwitchStmt *choice, const clang::Stmt *s);
  /// What holds behind a statement: if (!p) return; or one of the many forms
  /// of assert(p).
  void assumeBehind(const clang::Stmt *s);

  /// The pointer was evaluated to the node.
  void evaluated(const clang::Expr *pointer, Id node) {
    evaluated_[pointer] = node;
  }
  /// The two pointers, none of them null, or nothing.
  PointerPair compared(const clang::BinaryOperator *comparison) const;

  void describe(Call &call) const;
  /// Pointers that are not null here.
  std::vector<Id> nonNull() const { return {nonNull_.begin(), nonNull_.end()}; }
  /// What was asked of statics on the way.
  std::vector<StaticTest> statics() const {
    return {statics_.begin(), statics_.end()};
  }
  llvm::ArrayRef<uint32_t> arms() const { return arms_; }

private:
  using Expr = clang::Expr;

  Id testedPointer(const Expr *pointer) const;
  void assumeZero(const Expr *e);
  void assumeNonNull(const Expr *pointer);
  void assumeFlag(const Expr *e, FlagTest test);
  void assumeStatic(const Expr *e, bool isZero);
  void assumeNonZero(const Expr *e) {
    assumeFlag(e, {None, None, ~uint64_t(0), 0, false});
  }
  void assumeOrder(const clang::BinaryOperator *e, bool holds);
  void assumeInteger(const Expr *e, const Expr *value, bool equal);
  bool keepsTruth(const Expr *e, clang::QualType type) const;

  DefinitionFacts &out_;
  const VariableUses &uses_;
  llvm::SmallVector<Id, 8> nonNull_;
  llvm::SmallVector<PointerPair, 2> different_;
  llvm::SmallVector<Id, 2> zero_;
  llvm::SmallVector<FlagTest, 4> flags_;
  llvm::SmallVector<StaticTest, 4> statics_;
  llvm::SmallVector<ParamTest, 4> tests_;
  llvm::SmallVector<uint32_t, 8> arms_;
  llvm::DenseMap<const Expr *, Id> evaluated_; ///< pointers
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_PATHCONDITIONS_H
