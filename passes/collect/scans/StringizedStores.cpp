//===- StringizedStores.cpp - Stores in text that becomes a string --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// assert(p->n++ > 0) prints its words, so nothing can be put between them. What
// is stored to is announced before the statement where it is the same there.
//
// Tested by: test/lit/collect/entities/SourceMap-made_text.c
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/Announcements.h"
#include "passes/collect/syntax/Bytes.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Walk.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace nvmove;

namespace {

bool mayLeave(const Stmt *s) {
  bool result = false;
  walk(s, [&](const Stmt *part) {
    const auto *call = dyn_cast<CallExpr>(part);
    const FunctionDecl *callee = call ? calledFunction(call) : nullptr;
    result |= isa<ReturnStmt>(part) || (callee && callee->isNoReturn());
    return !isa<UnaryExprOrTypeTraitExpr>(part);
  });
  return result;
}

/// Whenever `s` is evaluated, `store` in it is.
bool alwaysComesTo(const Stmt *s, const Expr *store) {
  if (s == store)
    return true;
  if (!s || isa<UnaryExprOrTypeTraitExpr>(s))
    return false;
  if (const auto *c = dyn_cast<AbstractConditionalOperator>(s))
    return alwaysComesTo(c->getCond(), store);
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isLogicalOp())
    return alwaysComesTo(b->getLHS(), store);
  if (const auto *i = dyn_cast<IfStmt>(s))
    return alwaysComesTo(i->getCond(), store);
  if (const auto *w = dyn_cast<SwitchStmt>(s))
    return alwaysComesTo(w->getCond(), store);
  if (isa<ForStmt, WhileStmt>(s))
    return false;
  for (const Stmt *child : s->children())
    if (alwaysComesTo(child, store))
      return true;
    else if (mayLeave(child))
      return false;
  return false;
}

/// It lies in a record within a packed one, and so anywhere.
bool isInPacked(const Expr *record) {
  const auto *m = dyn_cast<MemberExpr>(plainLvalue(record));
  const auto *f = m ? dyn_cast<FieldDecl>(m->getMemberDecl()) : nullptr;
  return f && (f->getParent()->hasAttr<PackedAttr>() ||
               (!m->isArrow() && isInPacked(m->getBase())));
}

/// What an if or a switch decides by, where `store` is in that.
const Stmt *partWith(const Stmt *s, const Expr *store) {
  const Expr *condition = nullptr;
  if (const auto *i = dyn_cast<IfStmt>(s))
    condition = i->getCond();
  else if (const auto *w = dyn_cast<SwitchStmt>(s))
    condition = w->getCond();
  bool found = false;
  walk(condition, [&](const Stmt *part) { return !(found |= part == store); });
  return found ? condition : s;
}

/// Nothing in `s` but `store` may change the value of the pointer, and nothing
/// leaves it or begins it anew.
bool keeps(const Stmt *s, const Expr *store, const PointerValue &pointer) {
  const bool loads = pointer.memory || !pointer.fields.empty();
  bool result = true;
  auto write = [&](const Expr *lvalue) {
    const Expr *e = plainLvalue(lvalue);
    const auto *ref = dyn_cast<DeclRefExpr>(e);
    result &=
        ref ? !pointer.variables.contains(dyn_cast<VarDecl>(ref->getDecl())) &&
                  !pointer.memory
            : !loads;
  };
  walk(s, [&](const Stmt *part) {
    if (isa<UnaryExprOrTypeTraitExpr>(part))
      return false;
    if (const auto *d = dyn_cast<DeclStmt>(part)) {
      for (const Decl *declared : d->decls())
        result &= !pointer.variables.contains(dyn_cast<VarDecl>(declared));
    } else if (const auto *c = dyn_cast<CallExpr>(part)) {
      const FunctionDecl *callee = calledFunction(c);
      result &= !loads || (callee && callee->isNoReturn());
    } else if (const auto *b = dyn_cast<BinaryOperator>(part);
               b && b->isAssignmentOp() && b != store) {
      write(b->getLHS());
    } else if (const auto *u = dyn_cast<UnaryOperator>(part);
               u && u->isIncrementDecrementOp() && u != store) {
      write(u->getSubExpr());
    }
    const auto *once = dyn_cast<DoStmt>(part);
    result &=
        !isa<AsmStmt, AtomicExpr, ForStmt, WhileStmt, LabelStmt, SwitchCase,
             GotoStmt, IndirectGotoStmt, BreakStmt, ContinueStmt>(part) &&
        (!once || isa<IntegerLiteral>(once->getCond()));
    return true;
  });
  return result;
}

} // namespace

std::string Announcements::pointerBefore(const Stmt *statement,
                                         const Expr *store,
                                         const Expr *lvalue) const {
  std::optional<Bytes> bytes =
      ByteFinder(ast_, shared_).ofLvalue(lvalue, /*widest=*/false);
  const Stmt *part = partWith(statement, store);
  if (returnsTwice_ || !bytes || !keeps(part, store, bytes->pointer))
    return "";
  bool loads = false, calls = false;
  walk(lvalue, [&](const Stmt *s) {
    const auto *cast = dyn_cast<ImplicitCastExpr>(s);
    loads |= cast && cast->getCastKind() == CK_LValueToRValue &&
             !isa<DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
    calls |= isa<CallExpr, StmtExpr>(s);
    return true;
  });
  // if (CHECK(p && p->next->n++)): p may be null.
  if (calls || (loads && !alwaysComesTo(part, store)))
    return "";
  // A member that has no address of its own, or not that of its type.
  const auto *member = dyn_cast<MemberExpr>(plainLvalue(lvalue));
  const auto *field =
      member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  if (member && !member->isArrow() && isInPacked(member->getBase()))
    return "";
  const bool isPart = field && (field->isBitField() ||
                                field->getParent()->hasAttr<PackedAttr>());
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!isPart || !member->isArrow())
    out << '&';
  (isPart ? member->getBase()->IgnoreImpCasts() : lvalue)
      ->printPretty(out, nullptr, PrintingPolicy(ast_.getLangOpts()));
  return text;
}
