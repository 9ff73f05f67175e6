//===- ChildCode.cpp - What only one of two processes runs ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over the blocks of each function that may fork, forwards: which signs the
// answer may have had on the way, and whether the way lies in a child, or in
// the process that forked it.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/ChildCode.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Walk.h"
#include "passes/facts/Library.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace clang;
using namespace nvmove;

namespace {

bool mayFork(const CallExpr *call) {
  const FunctionDecl *f = calledFunction(call);
  if (!f || !f->getIdentifier())
    return false;
  if (const LibraryFunction *known = libraryEntry(f->getName()))
    return (known->traits & LibraryFunction::Forks) &&
           (known->traits & LibraryFunction::GivesProcess);
  const auto *named = f->getReturnType()->getAs<TypedefType>();
  return named && named->getDecl()->getName() == "pid_t";
}

/// What may hold the answer of a call that may fork.
class ForkAnswers {
public:
  ForkAnswers(ASTContext &ast, const Stmt *body) : ast_(ast) {
    walk(body, [&](const Stmt *s) {
      add(s);
      return true;
    });
  }

  /// The expression is such an answer, or holds one.
  bool isAnswer(const Expr *e) const {
    e = e->IgnoreParenCasts();
    if (const auto *b = dyn_cast<BinaryOperator>(e);
        b && b->getOpcode() == BO_Assign)
      return isAnswer(b->getRHS());
    if (const auto *c = dyn_cast<CallExpr>(e))
      return mayFork(c);
    const ValueDecl *place = placeOf(e);
    return place && answers_.contains(place) && !others_.contains(place);
  }

  std::vector<const CallExpr *> forks;

private:
  /// A variable, or a member whatever it is one of.
  static const ValueDecl *placeOf(const Expr *e) {
    e = e->IgnoreParenCasts();
    if (const auto *ref = dyn_cast<DeclRefExpr>(e))
      return ref->getDecl();
    const auto *m = dyn_cast<MemberExpr>(e);
    return m ? m->getMemberDecl() : nullptr;
  }
  void add(const Stmt *s) {
    if (const auto *c = dyn_cast<CallExpr>(s)) {
      if (mayFork(c))
        forks.push_back(c);
    } else if (const auto *d = dyn_cast<DeclStmt>(s)) {
      for (const Decl *declared : d->decls())
        if (const auto *v = dyn_cast<VarDecl>(declared);
            v && v->hasLocalStorage() && v->getInit())
          add(v, v->getInit());
    } else if (const auto *b = dyn_cast<BinaryOperator>(s)) {
      if (const ValueDecl *place =
              b->isAssignmentOp() ? placeOf(b->getLHS()) : nullptr)
        add(place, b->getOpcode() == BO_Assign ? b->getRHS() : nullptr);
    } else if (const auto *u = dyn_cast<UnaryOperator>(s)) {
      if (u->isIncrementDecrementOp() || u->getOpcode() == UO_AddrOf)
        if (const ValueDecl *place = placeOf(u->getSubExpr()))
          others_.insert(place);
    }
  }
  /// A constant that is not zero is no child's.
  void add(const ValueDecl *place, const Expr *value) {
    Expr::EvalResult n;
    const auto *b =
        value ? dyn_cast<BinaryOperator>(value->IgnoreParenCasts()) : nullptr;
    if (b && b->getOpcode() == BO_Assign)
      value = b->getRHS();
    const auto *call =
        value ? dyn_cast<CallExpr>(value->IgnoreParenCasts()) : nullptr;
    if (call && mayFork(call))
      answers_.insert(place);
    else if (!value || value->isValueDependent() ||
             !value->getType()->isIntegralOrEnumerationType() ||
             !value->EvaluateAsInt(n, ast_) || n.Val.getInt() == 0)
      others_.insert(place);
  }

  ASTContext &ast_;
  llvm::DenseSet<const ValueDecl *> answers_, others_;
};

enum AnswerSign : uint8_t { Negative = 1, Zero = 2, Positive = 4, Any = 7 };

struct ForkState {
  bool isReached = false;
  uint8_t signs = Any;
  /// Of the first call of the way that forked.
  bool isChild = false, isParent = false;

  bool join(const ForkState &other) {
    if (!isReached) {
      *this = other;
      return true;
    }
    ForkState old = *this;
    signs |= other.signs;
    isChild &= other.isChild;
    isParent &= other.isParent;
    return signs != old.signs || isChild != old.isChild ||
           isParent != old.isParent;
  }
};

class ChildFinder {
public:
  ChildFinder(ASTContext &ast, const ForkAnswers &answers, const CFG &cfg,
              llvm::ArrayRef<FlowBlock> blocks, bool isMain)
      : ast_(ast), answers_(answers), cfg_(cfg), blocks_(blocks),
        isMain_(isMain), at_(cfg.getNumBlockIDs()) {}

  void run(ChildCode &result) {
    follow();
    if (parentEnds_ && !parentGoesOn_)
      result.daemons.insert(answers_.forks.begin(), answers_.forks.end());
    auto note = [&](ChildCode::Calls &calls, const CallExpr *call) {
      calls[call].assign(answers_.forks.begin(), answers_.forks.end());
    };
    for (const CFGBlock *b : cfg_) {
      ForkState s = at_[b->getBlockID()];
      if (s.isReached)
        through(*b, s, [&](const CallExpr *call) {
          if (s.isChild && parentGoesOn_)
            note(result.children, call);
          else if (s.isParent)
            note(result.parents, call);
        });
    }
  }

private:
  void follow() {
    std::vector<const CFGBlock *> work{&cfg_.getEntry()};
    at_[cfg_.getEntry().getBlockID()].isReached = true;
    while (!work.empty()) {
      const CFGBlock &b = *work.back();
      work.pop_back();
      ForkState out = at_[b.getBlockID()];
      through(b, out, [](const CallExpr *) {});
      for (const CFGBlock *to : b.succs()) {
        // if (pid == 0) child(); where that ends the child
        if (!to || (isDead(b) && !isDead(*to)))
          continue;
        ForkState there = out;
        there.signs &= signsTowards(b, *to);
        there.isReached = true;
        there.isChild |= there.signs == Zero;
        // Where it is a parent's the function goes on; main not to its end.
        if ((there.signs & Positive) && !(there.signs & Zero)) {
          there.isParent = !there.isChild;
          const bool ends = isDead(*to) || (isMain_ && !leadsToLoop(*to));
          (ends ? parentEnds_ : parentGoesOn_) = true;
        }
        if (there.signs && at_[to->getBlockID()].join(there))
          work.push_back(to);
      }
    }
  }

  /// `made` is handed each call, while `s` says what holds of it.
  void through(const CFGBlock &b, ForkState &s,
               llvm::function_ref<void(const CallExpr *)> made) const {
    for (const CFGElement &e : b)
      if (auto stmt = e.getAs<CFGStmt>())
        if (const auto *call = dyn_cast<CallExpr>(stmt->getStmt())) {
          made(call);
          if (llvm::is_contained(answers_.forks, call))
            s.signs = Any;
        }
  }

  /// What the answer may be where control goes from one block to the other.
  uint8_t signsTowards(const CFGBlock &b, const CFGBlock &to) const {
    if (const auto *choice =
            dyn_cast_or_null<SwitchStmt>(b.getTerminatorStmt())) {
      if (!answers_.isAnswer(choice->getCond()))
        return Any;
      uint8_t others = Any;
      for (const SwitchCase *l = choice->getSwitchCaseList(); l;
           l = l->getNextSwitchCase())
        if (const auto *c = dyn_cast<CaseStmt>(l)) {
          auto n = constant(c->getLHS());
          if (!n || c->getRHS())
            return Any;
          if (to.getLabel() == c)
            return *n == 0 ? Zero : *n < 0 ? Negative : Positive;
          others &= *n == 0 ? ~Zero : *n == -1 ? ~Negative : Any;
        }
      return others;
    }
    if (b.succ_size() != 2 || !b.getLastCondition())
      return Any;
    const CFGBlock *then = *b.succ_begin(), *otherwise = *(b.succ_begin() + 1);
    if (then == otherwise)
      return Any;
    return signsIf(b.getLastCondition(), &to == then);
  }

  uint8_t signsIf(const Expr *e, bool holds) const {
    e = e->IgnoreParenImpCasts();
    if (const auto *u = dyn_cast<UnaryOperator>(e);
        u && u->getOpcode() == UO_LNot)
      return signsIf(u->getSubExpr(), !holds);
    if (answers_.isAnswer(e))
      return holds ? Negative | Positive : Zero;
    const auto *b = dyn_cast<BinaryOperator>(e);
    if (!b || !b->isComparisonOp())
      return Any;
    const Expr *answer = b->getLHS();
    BinaryOperatorKind op = b->getOpcode();
    auto n = constant(b->getRHS());
    if (!n) {
      n = constant(b->getLHS());
      answer = b->getRHS();
      op = BinaryOperator::reverseComparisonOp(op);
    }
    if (!n || !answers_.isAnswer(answer))
      return Any;
    if (!holds)
      op = BinaryOperator::negateComparisonOp(op);
    // Of those below zero there is but -1, and any above is a process.
    uint8_t signs = 0;
    for (auto [sign, value] :
         {std::pair(Negative, int64_t(-1)), std::pair(Zero, int64_t(0)),
          std::pair(Positive, int64_t(2))})
      if (op == BO_EQ   ? value == *n
          : op == BO_NE ? value != *n
          : op == BO_LT ? value < *n
          : op == BO_LE ? value <= *n
          : op == BO_GT ? value > *n
                        : value >= *n)
        signs |= sign;
    return signs;
  }

  std::optional<int64_t> constant(const Expr *e) const {
    Expr::EvalResult n;
    if (e->isValueDependent() || !e->EvaluateAsInt(n, ast_))
      return std::nullopt;
    return n.Val.getInt().getExtValue();
  }

  bool isDead(const CFGBlock &b) const { return blocks_[b.getBlockID()].dead; }

  bool leadsToLoop(const CFGBlock &from) const {
    llvm::DenseSet<const CFGBlock *> seen, open;
    return leadsToCycle(from, seen, open);
  }
  static bool leadsToCycle(const CFGBlock &b,
                           llvm::DenseSet<const CFGBlock *> &seen,
                           llvm::DenseSet<const CFGBlock *> &open) {
    if (open.contains(&b))
      return true;
    if (!seen.insert(&b).second)
      return false;
    open.insert(&b);
    for (const CFGBlock *to : b.succs())
      if (to && leadsToCycle(*to, seen, open))
        return true;
    open.erase(&b);
    return false;
  }

  ASTContext &ast_;
  const ForkAnswers &answers_;
  const CFG &cfg_;
  llvm::ArrayRef<FlowBlock> blocks_;
  const bool isMain_;
  bool parentGoesOn_ = false, parentEnds_ = false;
  std::vector<ForkState> at_; ///< where each block begins
};

} // namespace

ChildCode nvmove::findChildCode(ASTContext &ast,
                                const std::vector<FunctionDecl *> &definitions,
                                const DeadEnds &deadEnds) {
  ChildCode result;
  for (FunctionDecl *f : definitions) {
    ForkAnswers answers(ast, f->getBody());
    auto blocks = deadEnds.blocks.find(f->getCanonicalDecl());
    if (answers.forks.empty() || blocks == deadEnds.blocks.end())
      continue;
    const std::unique_ptr<CFG> cfg = makeFlowGraph(ast, f);
    ChildFinder(ast, answers, *cfg, blocks->second, f->isMain()).run(result);
  }
  return result;
}
