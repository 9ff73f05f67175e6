//===- FunctionText.cpp - Where a function stands in its file -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/FunctionText.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Walk.h"

using namespace clang;
using namespace nvmove;

namespace {

bool containsCall(const Stmt *s) {
  if (!s)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(s);
      call && !isRegistration(calleeName(call)))
    return true;
  return llvm::any_of(s->children(), containsCall);
}

/// A declaration that may stand before whatever is put first into main.
bool isPlainDeclaration(const Stmt *s) {
  const auto *declaration = dyn_cast<DeclStmt>(s);
  return declaration && llvm::none_of(declaration->decls(), [](const Decl *d) {
           const auto *v = dyn_cast<VarDecl>(d);
           return v && !v->hasGlobalStorage() && v->getInit() &&
                  containsCall(v->getInit());
         });
}

Span bodyStart(SourceMap &map, const CompoundStmt *body) {
  Span behind = map.behind(body->getLBracLoc());
  for (const Stmt *s : body->body()) {
    // MARK; where the macro is nothing here, but may be something elsewhere.
    const auto *nothing = dyn_cast<NullStmt>(s);
    if (!isPlainDeclaration(s) &&
        !(nothing && nothing->hasLeadingEmptyMacro())) {
      Span before = map.before(s->getBeginLoc());
      return before.file == None ? behind : before;
    }
    if (Span next = map.behind(s->getEndLoc()); next.file != None)
      behind = next;
  }
  return behind;
}

void addHeads(SourceMap &map, const Stmt *function, Definition &d) {
  walk(function, [&](const Stmt *s) {
    const auto *block = dyn_cast<CompoundStmt>(s);
    if (!block)
      return true;
    Definition::Head head;
    head.block = map.span(block->getSourceRange(),
                          map.fileLevelOf(block->getBeginLoc()));
    head.statement = head.block.end;
    bool declares = true;
    for (const Stmt *inner : block->body()) {
      bool isDeclaration = isa<DeclStmt>(inner);
      d.mixesCode |= isDeclaration && !declares;
      uint32_t begin = map.before(inner->getBeginLoc()).begin;
      if (declares)
        (isDeclaration ? head.last : head.statement) = begin;
      declares &= isDeclaration;
    }
    if (head.block.valid())
      d.heads.push_back(head);
    return true;
  });
}

/// As it stands in a file; a function that a macro defines has no text.
void addSpans(SourceMap &map, const FunctionDecl *f, Definition &d) {
  FileID level = map.fileLevelOf(f->getBeginLoc());
  auto inFile = [&](SourceLocation l) { return l.isFileID(); };
  SourceRange body = f->getBody()->getSourceRange();
  if (!inFile(f->getBeginLoc()) || !inFile(body.getBegin()) ||
      !inFile(body.getEnd()))
    return;
  d.text = map.span(f->getSourceRange(), level);
  d.body = map.span(body, level);
}

} // namespace

void nvmove::describeText(SourceMap &map, const FunctionDecl *f,
                          Definition &d) {
  Loc first = map.loc(f->getBeginLoc()), last = map.loc(f->getEndLoc());
  d.lines = last.line >= first.line ? last.line - first.line + 1 : 1;
  if (f->isMain())
    d.bodyStart = bodyStart(map, cast<CompoundStmt>(f->getBody()));
  addSpans(map, f, d);
  addHeads(map, f->getBody(), d);
}
