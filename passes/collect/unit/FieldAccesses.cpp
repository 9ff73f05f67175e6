//===- FieldAccesses.cpp - Where fields of some records are used ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/FieldAccesses.h"
#include "passes/collect/entities/Entities.h"
#include "passes/collect/syntax/Walk.h"
#include "passes/collect/unit/Frontend.h"
#include "llvm/ADT/StringMap.h"

using namespace clang;

namespace nvmove {

namespace {

class FieldAccessFinder {
public:
  FieldAccessFinder(ASTContext &ast, const std::set<std::string> &records)
      : map(ast.getSourceManager(), ast.getLangOpts(), facts),
        entities(ast, map, facts), records(records) {}

  void run(const TranslationUnitDecl &unit) {
    for (const Decl *d : unit.decls())
      if (const auto *f = dyn_cast<FunctionDecl>(d);
          f && f->isThisDeclarationADefinition() && !f->hasSkippedBody() &&
          !map.isForeign(f->getLocation()))
        walk(f->getBody(), [&](const Stmt *s) { return enter(*s); });
  }

  Facts facts; ///< of this unit alone: the files, and records that were met
  std::set<Access> found;
  std::set<Span> lvalues; ///< used as neither
  uint32_t unreachable = 0;

private:
  SourceMap map;
  Entities entities;
  const std::set<std::string> &records;
  std::set<const Expr *> read; ///< lvalues that are

  /// a.f, p->f, p->t[i], p->a.f: one of the records on the way.
  bool isPersistent(const Expr *e) {
    e = e->IgnoreParens();
    if (const auto *cast = dyn_cast<ImplicitCastExpr>(e);
        cast && cast->getCastKind() == CK_ArrayToPointerDecay)
      return isPersistent(cast->getSubExpr());
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(e))
      return isPersistent(element->getBase());
    const auto *member = dyn_cast<MemberExpr>(e);
    if (!member)
      return false;
    const Expr *base = member->getBase()->IgnoreParens();
    const auto *variable = dyn_cast<DeclRefExpr>(base);
    if (!member->isArrow() && variable)
      if (const auto *v = dyn_cast<VarDecl>(variable->getDecl());
          v && v->hasLocalStorage())
        return false;
    const auto *field = cast<FieldDecl>(member->getMemberDecl());
    Id record = entities.record(field->getParent());
    if (record != None && records.count(facts.records[record].key))
      return true;
    return !member->isArrow() && isPersistent(base);
  }

  /// A macro that stands for the field alone is left as it is, and its use
  /// taken: others may assign to it.
  Span spanOf(const Expr &e, SourceLocation anchor) {
    SourceRange tokens = e.getSourceRange();
    Span use = map.spanOfUse(tokens, tokens, anchor);
    return use.valid() ? use : map.spanAround(tokens, anchor);
  }

  void add(Span span, Access::Kind kind) {
    if (span.valid() && map.isEditable(span.file))
      found.insert({span, kind});
    else
      ++unreachable;
  }

  bool enter(const Stmt &s) {
    if (isa<UnaryExprOrTypeTraitExpr, GenericSelectionExpr>(s))
      return false;
    if (const auto *d = dyn_cast<DeclStmt>(&s))
      for (const Decl *each : d->decls())
        if (const auto *v = dyn_cast<VarDecl>(each); v && v->isStaticLocal())
          return false;
    if (const auto *b = dyn_cast<BinaryOperator>(&s);
        b && b->isAssignmentOp() && isPersistent(b->getLHS())) {
      add(map.spanAround(b->getSourceRange(), b->getOperatorLoc()),
          b->isCompoundAssignmentOp() ? Access::Kind::Change
                                      : Access::Kind::Write);
    } else if (const auto *u = dyn_cast<UnaryOperator>(&s);
               u && u->isIncrementDecrementOp() &&
               isPersistent(u->getSubExpr())) {
      add(map.spanAround(u->getSourceRange(), u->getOperatorLoc()),
          Access::Kind::Change);
    } else if (const auto *c = dyn_cast<ImplicitCastExpr>(&s);
               c && c->getCastKind() == CK_LValueToRValue &&
               isPersistent(c->getSubExpr())) {
      const Expr *lvalue = c->getSubExpr()->IgnoreParens();
      read.insert(lvalue);
      add(spanOf(*c, lvalue->getExprLoc()), Access::Kind::Read);
    } else if (const auto *e = dyn_cast<Expr>(&s);
               e && isa<MemberExpr, ArraySubscriptExpr>(e) && !read.count(e) &&
               isPersistent(e)) {
      lvalues.insert(spanOf(*e, e->getExprLoc()));
    }
    return true;
  }
};

} // namespace

bool collectFieldAccesses(const CompileJob &job, const Facts &program,
                          const std::set<std::string> &records,
                          Accesses &accesses) {
  ParseOutcome outcome =
      parse(job, nullptr, [&](ASTContext &ast, const Branches &) {
        FieldAccessFinder finder(ast, records);
        finder.run(*ast.getTranslationUnitDecl());
        llvm::StringMap<Id> fileAt;
        for (Id i = 0; i < program.files.size(); ++i)
          fileAt[program.files[i].path] = i;
        auto inProgram = [&](Span span) {
          auto it = fileAt.find(finder.facts.files[span.file].path);
          return it == fileAt.end() ? Span()
                                    : Span{it->second, span.begin, span.end};
        };
        for (Span span : finder.lvalues)
          if (span.valid())
            accesses.lvalues.insert(inProgram(span));
        for (const Access &access : finder.found)
          if (Span span = inProgram(access.span);
              span.valid() && program.files[span.file].editable)
            accesses.found.insert({span, access.kind});
        accesses.unreachable += finder.unreachable;
      });
  return outcome.parsed;
}

} // namespace nvmove
