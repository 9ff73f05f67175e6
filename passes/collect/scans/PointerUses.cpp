//===- PointerUses.cpp - Pointers that may be null where they are used ----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forwards over the blocks of one function: which places are settled, that is
// found not to be null, or written, on every path; and what locals may hold.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/PointerUses.h"
#include "passes/collect/scans/SpelledPlaces.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Walk.h"
#include "passes/facts/Library.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace clang;
using namespace nvmove;

namespace {

/// Where a pointer comes from.
struct PointerSource {
  const ValueDecl *place = nullptr;
  const CallExpr *call = nullptr;
  bool isTested = false;
  auto key() const { return std::make_tuple(place, call, isTested); }
  bool operator<(const PointerSource &o) const { return key() < o.key(); }
  bool operator==(const PointerSource &o) const { return key() == o.key(); }
};
using PointerSources = std::set<PointerSource>;

struct PointerState {
  bool isReached = false;
  llvm::BitVector settled; ///< places
  llvm::BitVector null;    ///< places that were found to be so
  std::map<const VarDecl *, PointerSources> holds;

  bool isSettled(unsigned place) const {
    return place < settled.size() && settled.test(place);
  }
  static void set(llvm::BitVector &places, unsigned place) {
    if (place >= places.size())
      places.resize(place + 1);
    places.set(place);
  }
  void settle(unsigned place) { set(settled, place); }
  void forget(unsigned place) {
    for (llvm::BitVector *places : {&settled, &null})
      if (place < places->size())
        places->reset(place);
  }
  /// Something is done about what was found to be null: it is set, or the
  /// program ends, by a function of another file.
  void settleNulls() {
    if (settled.size() < null.size())
      settled.resize(null.size());
    settled |= null;
    null.reset();
  }
  /// Whether that changed it.
  bool join(const PointerState &other) {
    if (!isReached) {
      *this = other;
      return true;
    }
    bool changed = settled.test(other.settled) || null.test(other.null);
    settled &= other.settled;
    null &= other.null;
    for (const auto &[v, sources] : other.holds)
      for (const PointerSource &s : sources)
        changed |= holds[v].insert(s).second;
    return changed;
  }
};

class PointerUseFinder {
public:
  PointerUseFinder(ASTContext &ast, FunctionDecl *f, const DeadEnds &deadEnds)
      : ast_(ast), f_(f), places_(ast) {
    auto at = deadEnds.blocks.find(f->getCanonicalDecl());
    if (at != deadEnds.blocks.end() &&
        !deadEnds.functions.contains(f->getCanonicalDecl()))
      blocks_ = at->second;
  }

  std::vector<FoundPointerUse> run() {
    std::unique_ptr<CFG> cfg = makeFlowGraph(ast_, f_);
    if (!cfg)
      return {};
    walk(f_->getBody(), [&](const Stmt *s) {
      const auto *u = dyn_cast<UnaryOperator>(s);
      if (u && u->getOpcode() == UO_AddrOf && plainLvalue(u) == u)
        if (const auto *v = variableAt(u->getSubExpr()))
          shared_.insert(v);
      return true;
    });
    std::vector<PointerState> states(cfg->getNumBlockIDs());
    PointerState &entry = states[cfg->getEntry().getBlockID()];
    entry.isReached = true;
    for (const ParmVarDecl *p : f_->parameters())
      if (isTracked(p))
        entry.holds[p].insert({p, nullptr, false});
    settleAll(*cfg, states);
    isRecording_ = true;
    for (const CFGBlock *b : *cfg)
      if (PointerState s = states[b->getBlockID()]; s.isReached && !isDead(*b))
        runBlock(*b, s);
    return std::move(found_);
  }

private:
  bool isDead(const CFGBlock &b) const {
    return b.getBlockID() < blocks_.size() && blocks_[b.getBlockID()].dead;
  }

  void settleAll(const CFG &cfg, std::vector<PointerState> &states) {
    std::set<unsigned, std::greater<>> work{cfg.getEntry().getBlockID()};
    std::vector<const CFGBlock *> byId(cfg.getNumBlockIDs());
    for (const CFGBlock *b : cfg)
      byId[b->getBlockID()] = b;
    while (!work.empty()) {
      const CFGBlock &b = *byId[*work.begin()];
      work.erase(work.begin());
      PointerState out = states[b.getBlockID()];
      runBlock(b, out);
      const Expr *condition =
          b.succ_size() == 2 &&
                  !isa_and_nonnull<SwitchStmt>(b.getTerminatorStmt())
              ? b.getLastCondition()
              : nullptr;
      bool holds = true;
      for (const CFGBlock::AdjacentBlock &s : b.succs()) {
        if (const CFGBlock *to = s.getReachableBlock()) {
          PointerState there = out;
          if (condition)
            assume(condition, holds, there);
          if (states[to->getBlockID()].join(there))
            work.insert(to->getBlockID());
        }
        holds = false;
      }
    }
  }

  void runBlock(const CFGBlock &b, PointerState &state) {
    for (const CFGElement &e : b)
      if (auto s = e.getAs<CFGStmt>())
        step(s->getStmt(), state);
  }

  const VarDecl *variableAt(const Expr *e) const {
    const auto *ref = dyn_cast<DeclRefExpr>(spelled(e));
    const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    return v && v->hasLocalStorage() ? v : nullptr;
  }
  bool isTracked(const VarDecl *v) const {
    return v && v->getType()->isPointerType() && !shared_.contains(v) &&
           !v->getType().isVolatileQualified();
  }

  /// No part of an object that lasts.
  bool isOfLocal(const MemberExpr *m) const {
    const Expr *base = spelled(m->getBase());
    if (m->isArrow())
      return false;
    if (const auto *outer = dyn_cast<MemberExpr>(base))
      return isOfLocal(outer);
    return variableAt(base);
  }

  //===-- Values ----------------------------------------------------------===//

  PointerSources sourcesOf(const Expr *e, PointerState &state) {
    PointerSources sources;
    addSources(e, state, sources);
    return sources;
  }
  void addSources(const Expr *e, PointerState &state, PointerSources &to) {
    e = spelled(e);
    auto place = places_.find(e);
    bool isTested = place && state.isSettled(*place);
    const auto *m = dyn_cast<MemberExpr>(e);
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(e)) {
      const Expr *array = spelled(element->getBase());
      m = array->getType()->isArrayType() ? dyn_cast<MemberExpr>(array)
                                          : nullptr;
    }
    if (m) {
      const auto *field = dyn_cast<FieldDecl>(m->getMemberDecl());
      if (field && e->getType()->isPointerType() && !isOfLocal(m))
        to.insert({field, nullptr, isTested});
    } else if (const auto *v = variableAt(e); isTracked(v)) {
      for (PointerSource s : state.holds[v]) {
        s.isTested |= isTested;
        to.insert(s);
      }
    } else if (const auto *b = dyn_cast<BinaryOperator>(e)) {
      if (b->getOpcode() == BO_Assign || b->getOpcode() == BO_Comma)
        addSources(b->getRHS(), state, to);
      else if (b->isAdditiveOp() && b->getType()->isPointerType())
        addSources(b->getLHS()->getType()->isPointerType() ? b->getLHS()
                                                           : b->getRHS(),
                   state, to);
    } else if (const auto *u = dyn_cast<UnaryOperator>(e)) {
      if (u->isIncrementDecrementOp())
        addSources(u->getSubExpr(), state, to);
    } else if (const auto *c = dyn_cast<ConditionalOperator>(e)) {
      PointerState then = state, otherwise = state;
      assume(c->getCond(), true, then);
      assume(c->getCond(), false, otherwise);
      addSources(c->getTrueExpr(), then, to);
      addSources(c->getFalseExpr(), otherwise, to);
    } else if (const auto *c = dyn_cast<BinaryConditionalOperator>(e)) {
      addSources(c->getFalseExpr(), state, to);
    } else if (const auto *c = dyn_cast<CallExpr>(e)) {
      if (c->getType()->isPointerType())
        to.insert({nullptr, c, isTested});
    }
  }

  void use(const Expr *e, PointerUse::How how, SourceLocation at,
           PointerState &state, const CallExpr *call = nullptr,
           unsigned arg = 0) {
    if (!isRecording_ || !e->getType()->isPointerType())
      return;
    for (const PointerSource &s : sourcesOf(e, state))
      if (seen_.insert({s, how, at.getRawEncoding(), call, arg}).second)
        found_.push_back({s.place, s.call, how, s.isTested, call, arg, at});
  }

  //===-- What is known ---------------------------------------------------===//

  void assume(const Expr *e, bool holds, PointerState &state) {
    e = e->IgnoreParenImpCasts();
    if (e->getType()->isPointerType()) {
      found(e, !holds, state);
      return;
    }
    if (const auto *c = dyn_cast<CallExpr>(e)) {
      if (calleeName(c) == "__builtin_expect")
        assume(c->getArg(0), holds, state);
      return;
    }
    if (const auto *u = dyn_cast<UnaryOperator>(e)) {
      if (u->getOpcode() == UO_LNot)
        assume(u->getSubExpr(), !holds, state);
      return;
    }
    const auto *b = dyn_cast<BinaryOperator>(e);
    if (!b)
      return;
    if (b->getOpcode() == BO_Comma)
      return assume(b->getRHS(), holds, state);
    if (b->isLogicalOp()) {
      if ((b->getOpcode() == BO_LAnd) == holds) {
        assume(b->getLHS(), holds, state);
        assume(b->getRHS(), holds, state);
      }
      return;
    }
    if (!b->isEqualityOp())
      return;
    bool equal = (b->getOpcode() == BO_EQ) == holds;
    for (auto [tested, other] : {std::pair(b->getLHS(), b->getRHS()),
                                 std::pair(b->getRHS(), b->getLHS())}) {
      if (isNullPointer(ast_, other)) {
        found(tested, equal, state);
      } else if (Expr::EvalResult n;
                 other->getType()->isIntegralOrEnumerationType() &&
                 other->EvaluateAsInt(n, ast_)) {
        // (p != NULL) == 1
        if (n.Val.getInt() == 0 || n.Val.getInt() == 1)
          assume(tested, equal == (n.Val.getInt() == 1), state);
      } else if (equal && tested->getType()->isPointerType() &&
                 isOwn(sourcesOf(other, state))) {
        settle(tested, state);
      }
    }
  }

  void found(const Expr *e, bool isNull, PointerState &state) {
    if (!isNull)
      settle(e, state);
    else if (auto place = places_.find(e))
      state.set(state.null, *place);
  }
  /// It does not come from where a restart may have left a null.
  static bool isOwn(const PointerSources &sources) {
    return llvm::none_of(sources, [](const PointerSource &s) {
      return isa_and_nonnull<FieldDecl>(s.place) && !s.isTested;
    });
  }

  void settle(const Expr *e, PointerState &state) {
    e = spelled(e);
    if (const auto *b = dyn_cast<BinaryOperator>(e);
        b && b->getOpcode() == BO_Assign)
      settle(b->getRHS(), state);
    if (auto place = places_.find(e))
      state.settle(*place);
  }

  /// A place gets a value, null for one that is computed from its own.
  void assigned(const Expr *lvalue, const Expr *value, PointerState &state) {
    PointerSources sources;
    if (value)
      addSources(value, state, sources);
    const auto *ref = dyn_cast<DeclRefExpr>(spelled(lvalue));
    if (const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr)
      return given(v, value ? &sources : nullptr, state);
    auto place = places_.find(lvalue);
    if (!place)
      return;
    for (unsigned inner : places_.within(*place))
      state.forget(inner);
    if (!value)
      return;
    state.forget(*place);
    if (isOwn(sources))
      state.settle(*place);
  }
  void given(const VarDecl *v, const PointerSources *sources,
             PointerState &state) {
    unsigned own = places_.of(v);
    for (unsigned place : places_.thatName(v))
      if (sources || place != own)
        state.forget(place);
    if (isTracked(v) && sources)
      state.holds[v] = *sources;
  }

  void step(const Stmt *s, PointerState &state) {
    if (const auto *m = dyn_cast<MemberExpr>(s)) {
      if (m->isArrow())
        use(m->getBase(), PointerUse::Followed, m->getMemberLoc(), state);
    } else if (const auto *e = dyn_cast<ArraySubscriptExpr>(s)) {
      use(e->getBase(), PointerUse::Followed, e->getExprLoc(), state);
    } else if (const auto *u = dyn_cast<UnaryOperator>(s)) {
      if (u->getOpcode() == UO_Deref)
        use(u->getSubExpr(), PointerUse::Followed, u->getOperatorLoc(), state);
      else if (u->isIncrementDecrementOp())
        assigned(u->getSubExpr(), nullptr, state);
    } else if (const auto *b = dyn_cast<BinaryOperator>(s)) {
      if (b->isAssignmentOp())
        assigned(b->getLHS(),
                 b->getOpcode() == BO_Assign ? b->getRHS() : nullptr, state);
      else if (b->isComparisonOp() && !isNullPointer(ast_, b->getLHS()) &&
               !isNullPointer(ast_, b->getRHS()))
        for (const Expr *side : {b->getLHS(), b->getRHS()})
          use(side, PointerUse::Compared, b->getOperatorLoc(), state);
    } else if (const auto *c = dyn_cast<CallExpr>(s)) {
      if (!findHook(c))
        for (unsigned i = 0; i < c->getNumArgs(); ++i)
          use(c->getArg(i), PointerUse::Handed, c->getExprLoc(), state, c, i);
      use(c->getCallee(), PointerUse::Followed, c->getExprLoc(), state);
      if (!libraryEntry(calleeName(c)) && !c->getBuiltinCallee())
        state.settleNulls();
    } else if (const auto *r = dyn_cast<ReturnStmt>(s)) {
      if (r->getRetValue())
        use(r->getRetValue(), PointerUse::Returned, r->getReturnLoc(), state);
    } else if (const auto *d = dyn_cast<DeclStmt>(s)) {
      for (const Decl *one : d->decls())
        if (const auto *v = dyn_cast<VarDecl>(one); v && v->hasLocalStorage()) {
          const PointerSources sources =
              v->getInit() ? sourcesOf(v->getInit(), state) : PointerSources();
          given(v, &sources, state);
        }
    }
  }

  ASTContext &ast_;
  FunctionDecl *f_;
  SpelledPlaces places_;
  std::vector<FlowBlock> blocks_; ///< none of a function that never returns
  llvm::DenseSet<const VarDecl *> shared_; ///< their addresses are taken
  bool isRecording_ = false;
  std::vector<FoundPointerUse> found_;
  std::set<std::tuple<PointerSource, PointerUse::How, unsigned,
                      const CallExpr *, unsigned>>
      seen_;
};

} // namespace

std::vector<FoundPointerUse> nvmove::findPointerUses(ASTContext &ast,
                                                     FunctionDecl *function,
                                                     const DeadEnds &deadEnds) {
  return PointerUseFinder(ast, function, deadEnds).run();
}
