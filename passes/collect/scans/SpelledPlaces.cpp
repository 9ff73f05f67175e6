//===- SpelledPlaces.cpp - Places of memory, by their spelling ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/SpelledPlaces.h"
#include "passes/collect/syntax/Hooks.h"

using namespace clang;
using namespace nvmove;

const Expr *nvmove::spelled(const Expr *e) {
  for (;;) {
    const Expr *inner = plainLvalue(e->IgnoreParenCasts());
    if (Hook hook = findHook(inner))
      inner = hook.operand;
    if (inner == e)
      return e;
    e = inner;
  }
}

namespace {

/// What is applied to what was named. A constant follows its Number.
enum : uint64_t {
  Behind,
  Element,
  Number,
  Unary = 64,
  Binary = 128,
  Result = 256
};

} // namespace

std::optional<unsigned> SpelledPlaces::find(const Expr *e) {
  Text text;
  if (!spell(e, text))
    return std::nullopt;
  return number(std::move(text));
}

llvm::ArrayRef<unsigned> SpelledPlaces::thatName(const ValueDecl *d) const {
  auto at = mentions_.find(cast<ValueDecl>(d->getCanonicalDecl()));
  return at == mentions_.end() ? llvm::ArrayRef<unsigned>()
                               : llvm::ArrayRef<unsigned>(at->second);
}

std::vector<unsigned> SpelledPlaces::within(unsigned place) const {
  std::vector<unsigned> result;
  const Text &whole = texts_[place]->first;
  for (auto n = std::next(texts_[place]);
       n != numbers_.end() && n->first.size() > whole.size() &&
       std::equal(whole.begin(), whole.end(), n->first.begin());
       ++n)
    result.push_back(n->second);
  return result;
}

unsigned SpelledPlaces::number(Text text) {
  auto [at, fresh] = numbers_.try_emplace(std::move(text), numbers_.size());
  if (fresh) {
    texts_.push_back(at);
    for (const Word &word : at->first)
      if (word.named)
        mentions_[word.named].push_back(at->second);
  }
  return at->second;
}

bool SpelledPlaces::spell(const Expr *e, Text &text) const {
  e = spelled(e);
  if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    text.push_back({cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())});
    return true;
  }
  Expr::EvalResult n;
  if (e->getType()->isIntegralOrEnumerationType() &&
      e->EvaluateAsInt(n, ast_)) {
    put(text, Number);
    put(text, n.Val.getInt().getLimitedValue());
    return true;
  }
  if (const auto *m = dyn_cast<MemberExpr>(e)) {
    if (!spell(m->getBase(), text))
      return false;
    if (m->isArrow())
      put(text, Behind);
    text.push_back({cast<ValueDecl>(m->getMemberDecl()->getCanonicalDecl())});
    return true;
  }
  if (const auto *u = dyn_cast<UnaryOperator>(e)) {
    if (u->isIncrementDecrementOp() || !spell(u->getSubExpr(), text))
      return false;
    put(text,
        u->getOpcode() == UO_Deref ? Behind : Unary + uint64_t(u->getOpcode()));
    return true;
  }
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
    if (!spell(s->getBase(), text) || !spell(s->getIdx(), text))
      return false;
    put(text, Element);
    return true;
  }
  if (const auto *b = dyn_cast<BinaryOperator>(e)) {
    if (b->isAssignmentOp()) // afterwards it is there
      return spell(b->getLHS(), text);
    if (b->getOpcode() == BO_Comma)
      return spell(b->getRHS(), text);
    if (!spell(b->getLHS(), text) || !spell(b->getRHS(), text))
      return false;
    put(text, Binary + uint64_t(b->getOpcode()));
    return true;
  }
  const auto *c = dyn_cast<CallExpr>(e); // an accessor
  if (!c || !spell(c->getCallee(), text) ||
      !llvm::all_of(c->arguments(),
                    [&](const Expr *a) { return spell(a, text); }))
    return false;
  put(text, Result + c->getNumArgs());
  return true;
}
