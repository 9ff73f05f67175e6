//===- EnclosingStatements.cpp - What is around an expression -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/EnclosingStatements.h"
#include "passes/collect/scans/ControlTransfer.h"

using namespace clang;
using namespace nvmove;

namespace {

/// The statement that `s` ends with in the text.
const Stmt *lastPart(const Stmt *s) {
  for (;;) {
    const Stmt *next = nullptr;
    if (const auto *i = dyn_cast<IfStmt>(s))
      next = i->getElse() ? i->getElse() : i->getThen();
    else if (const auto *f = dyn_cast<ForStmt>(s))
      next = f->getBody();
    else if (const auto *w = dyn_cast<WhileStmt>(s))
      next = w->getBody();
    else if (const auto *w = dyn_cast<SwitchStmt>(s))
      next = w->getBody();
    else if (const auto *l = dyn_cast<LabelStmt>(s))
      next = l->getSubStmt();
    else if (const auto *c = dyn_cast<SwitchCase>(s))
      next = c->getSubStmt();
    else if (const auto *a = dyn_cast<AttributedStmt>(s))
      next = a->getSubStmt();
    if (!next)
      return s;
    s = next;
  }
}

bool endsWithoutSemicolon(const Stmt *s) {
  // Clang's range of a declaration or of an empty statement holds the
  // semicolon.
  return isa<CompoundStmt, DeclStmt, NullStmt>(lastPart(s));
}

} // namespace

Span nvmove::statementText(SourceMap &map, const Stmt *s) {
  FileID level = map.fileLevelOf(s->getBeginLoc());
  return endsWithoutSemicolon(s)
             ? map.span(s->getSourceRange(), level)
             : map.spanWithSemicolon(s->getSourceRange(), level);
}

void EnclosingStatements::within(const Stmt *s, bool inCompound,
                                 llvm::function_ref<void()> walk) {
  enclosing_.push_back({s, inCompound});
  walk();
  enclosing_.pop_back();
}

void EnclosingStatements::unbracketed(llvm::function_ref<void()> walk) {
  within(nullptr, false, walk);
}

StatementSpan EnclosingStatements::span(const Expr *e, const Stmt **found) {
  if (enclosing_.empty() || !enclosing_.back().stmt)
    return {};
  const SourceManager &sm = map_.sources();
  SourceLocation use =
      sm.getExpansionLoc(enclosing_.back().stmt->getBeginLoc());
  for (const Enclosing &candidate : llvm::reverse(enclosing_)) {
    const Stmt *s = candidate.stmt;
    // A statement inside a macro may be bracketed where the macro is used, if
    // that use is a statement by itself.
    if (!s || sm.getExpansionLoc(s->getBeginLoc()) != use)
      break;
    auto [at, fresh] = spans_.try_emplace(s);
    StatementSpan &span = at->second;
    if (fresh) {
      span.span = statementText(map_, s);
      span.isDeclaration = isa<DeclStmt>(s);
      span.inCompound = candidate.inCompound;
      span.mayLeave = mayLeaveEarly(s);
    }
    if (!span.span.valid())
      continue;
    if (found)
      *found = s;
    StatementSpan result = span;
    const auto *whole = dyn_cast<Expr>(s);
    result.isWholeExpression = whole && whole->IgnoreParenCasts() == e;
    return result;
  }
  return {};
}
