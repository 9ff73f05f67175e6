//===- Statements.cpp - Statements, loops, what can be bracketed ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionCollector.h"
#include "passes/collect/syntax/Assembly.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace nvmove;

namespace {

/// True when control may leave `s` other than at its end. `inLoop`, `inSwitch`:
/// break and continue that stay within `s`.
bool mayLeave(const Stmt *s, bool inLoop, bool inSwitch) {
  if (!s)
    return false;
  if (isa<ReturnStmt, GotoStmt, IndirectGotoStmt>(s))
    return true;
  if (isa<BreakStmt>(s))
    return !inLoop && !inSwitch;
  if (isa<ContinueStmt>(s))
    return !inLoop;
  if (const auto *assembly = dyn_cast<GCCAsmStmt>(s);
      assembly && assembly->isAsmGoto())
    return true;
  bool loop = isa<ForStmt, WhileStmt, DoStmt>(s);
  for (const Stmt *c : s->children())
    if (mayLeave(c, inLoop || loop, inSwitch || isa<SwitchStmt>(s)))
      return true;
  return false;
}

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

void DefinitionCollector::child(const Stmt *s, bool inCompound) {
  if (!s)
    return;
  // A label stands outside what is bracketed: `again: { begin; f(); end; }`.
  while (isa<LabelStmt, SwitchCase, AttributedStmt>(s)) {
    inCompound = false;
    if (const auto *l = dyn_cast<LabelStmt>(s)) {
      versions_.clear();
      s = l->getSubStmt();
    } else if (const auto *a = dyn_cast<AttributedStmt>(s)) {
      s = a->getSubStmt();
    } else {
      forgetAssignedIn(switch_->getBody());
      if (const auto *c = dyn_cast<CaseStmt>(s)) {
        evaluate(c->getLHS());
        if (c->getRHS())
          evaluate(c->getRHS());
      }
      s = cast<SwitchCase>(s)->getSubStmt();
    }
  }
  if (isa<CompoundStmt>(s)) {
    statement(s);
    return;
  }
  SourceLocation block = block_;
  if (!inCompound)
    block_ = s->getBeginLoc();
  enclosing_.push_back({s, inCompound});
  statement(s);
  enclosing_.pop_back();
  block_ = block;
}

void DefinitionCollector::unbracketed(llvm::function_ref<void()> walk) {
  enclosing_.push_back({});
  walk();
  enclosing_.pop_back();
}

/// With its semicolon.
Span DefinitionCollector::textOf(const Stmt *s) {
  FileID level = u_.map.fileLevelOf(s->getBeginLoc());
  return endsWithoutSemicolon(s)
             ? u_.map.span(s->getSourceRange(), level)
             : u_.map.spanWithSemicolon(s->getSourceRange(), level);
}

void DefinitionCollector::loopBody(const Stmt *body, Loop &loop) {
  const auto *block = dyn_cast<CompoundStmt>(body);
  loop.isEntered = hasEntry(body);
  loop.isCompound = block;
  if (!block)
    loop.body.push_back(textOf(body));
  else
    for (const Stmt *s : block->body())
      loop.body.push_back(textOf(s));
  if (!llvm::all_of(loop.body, [](Span s) { return s.valid(); }))
    loop.body.clear();
}

void DefinitionCollector::loop(const Stmt *s, const Stmt *body,
                               llvm::function_ref<void()> walk) {
  Id outer = loop_;
  loop_ = u_.facts.loops.size();
  Loop l;
  l.function = functionId_;
  l.parent = outer;
  l.loc = u_.map.loc(s->getBeginLoc());
  loopBody(body, l);
  u_.facts.loops.push_back(std::move(l));
  const LoopNodes nodes = enterLoop(s);
  forgetReachedFrom(s);
  unbracketed(walk);
  leaveLoop(s, nodes);
  loop_ = outer;
}

// No part of it is a section as it stands: the label is in the way.
void DefinitionCollector::enterGotoLoop(const CompoundStmt *block,
                                        size_t statement) {
  for (const GotoLoop &g : gotoLoops_.lookup(block)) {
    if (g.first != statement)
      continue;
    Loop l;
    l.function = functionId_;
    l.parent = loop_;
    l.loc = u_.map.loc(block->body_begin()[statement]->getBeginLoc());
    l.isEntered = true;
    loop_ = u_.facts.loops.size();
    u_.facts.loops.push_back(std::move(l));
  }
}

void DefinitionCollector::leaveGotoLoop(const CompoundStmt *block,
                                        size_t statement) {
  for (const GotoLoop &g : gotoLoops_.lookup(block))
    if (g.last == statement)
      loop_ = u_.facts.loops[loop_].parent;
}

void DefinitionCollector::ifStatement(const IfStmt *s) {
  uint32_t number = conditions_++;
  evaluate(s->getCond());
  Versions versions = versions_;
  auto arm = [&](const Stmt *body, bool holds) {
    versions_ = versions;
    Known before = known();
    if (!hasEntry(body)) {
      arms_.push_back(number * 2 + !holds);
      assume(s->getCond(), holds);
    }
    child(body, false);
    forget(before);
  };
  arm(s->getThen(), true);
  Versions afterThen = std::move(versions_);
  arm(s->getElse(), false);
  if (neverFallsThrough(s->getElse()))
    versions_ = std::move(afterThen);
  else if (!neverFallsThrough(s->getThen()))
    keepCommon(afterThen);
}

void DefinitionCollector::doStatement(const DoStmt *s) {
  // do { .. } while (0) is how macros make one statement: it does not repeat.
  Expr::EvalResult condition;
  if (s->getCond()->EvaluateAsInt(condition, u_.ast) &&
      condition.Val.getInt() == 0) {
    child(s->getBody(), false);
    if (mayLeave(s->getBody(), false, false)) // by break, to here
      forgetReachedFrom(s->getBody());
    return;
  }
  loop(s, s->getBody(), [&] {
    child(s->getBody(), false);
    forgetAssignedIn(s->getBody()); // by continue, to here
    evaluate(s->getCond());
  });
}

void DefinitionCollector::statement(const Stmt *s) {
  if (!s)
    return;
  if (const auto *e = dyn_cast<Expr>(s)) {
    ordered_ = !inStatementExpression_ && isOrdered(e);
    evaluate(e);
    ordered_ = false;
    return;
  }
  switch (s->getStmtClass()) {
  case Stmt::CompoundStmtClass:
    return compound(cast<CompoundStmt>(s));
  case Stmt::DeclStmtClass:
    for (const Decl *d : cast<DeclStmt>(s)->decls())
      if (const auto *v = dyn_cast<VarDecl>(d); !v || !isEndOfRoots(*v))
        declaration(d, s);
    return;
  case Stmt::IfStmtClass:
    return ifStatement(cast<IfStmt>(s));
  case Stmt::ForStmtClass: {
    const auto *f = cast<ForStmt>(s);
    unbracketed([&] { statement(f->getInit()); });
    return loop(s, f->getBody(), [&] {
      statement(f->getCond());
      bool entered = hasEntry(f->getBody());
      where(entered ? nullptr : f->getCond(), true, [&] {
        child(f->getBody(), false);
        forgetAssignedIn(f->getBody());
        statement(f->getInc());
      });
    });
  }
  case Stmt::WhileStmtClass:
    return loop(s, cast<WhileStmt>(s)->getBody(), [&] {
      const auto *w = cast<WhileStmt>(s);
      evaluate(w->getCond());
      where(hasEntry(w->getBody()) ? nullptr : w->getCond(), true,
            [&] { child(w->getBody(), false); });
    });
  case Stmt::DoStmtClass:
    return doStatement(cast<DoStmt>(s));
  case Stmt::SwitchStmtClass:
    unbracketed([&] {
      const auto *choice = cast<SwitchStmt>(s);
      const Stmt *body = choice->getBody();
      const SwitchStmt *outer = switch_;
      evaluate(choice->getCond());
      switch_ = choice;
      child(body, false);
      forgetReachedFrom(body, /*inSwitch=*/true);
      switch_ = outer;
    });
    return;
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
  case Stmt::LabelStmtClass:
  case Stmt::AttributedStmtClass:
    return child(s, false);
  case Stmt::ReturnStmtClass:
    return returnStatement(cast<ReturnStmt>(s));
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return assembly(cast<AsmStmt>(s));
  case Stmt::IndirectGotoStmtClass:
    return evaluate(cast<IndirectGotoStmt>(s)->getTarget());
  case Stmt::NullStmtClass:
  case Stmt::GotoStmtClass:
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass:
    return;
  default:
    return otherStatement(s);
  }
}

void DefinitionCollector::otherStatement(const Stmt *s) {
  if (const auto *captured = dyn_cast<CapturedStmt>(s))
    return child(captured->getCapturedStmt(), false);
  // Flow has no order, so a parallel region is followed like a serial one.
  if (const auto *omp = dyn_cast<OMPExecutableDirective>(s)) {
    unbracketed([&] {
      for (const OMPClause *c : omp->clauses())
        for (const Stmt *part : c->children())
          if (part)
            statement(part);
      if (omp->hasAssociatedStmt())
        child(omp->getRawStmt(), false);
    });
    return;
  }
  gap(Gap::Kind::Unfollowed, s->getBeginLoc(),
      std::string("statement of kind ") + s->getStmtClassName() +
          ": its parts are followed");
  for (const Stmt *c : s->children())
    child(c, false);
}

void DefinitionCollector::declaration(const Decl *d, const Stmt *s) {
  if (const auto *t = dyn_cast<TypedefNameDecl>(d)) {
    variableSizes(t->getUnderlyingType());
    return;
  }
  const auto *v = dyn_cast<VarDecl>(d);
  if (!v)
    return;
  variableSizes(v->getType());
  if (!v->hasGlobalStorage()) {
    variable(v);
    if (v->getInit()) {
      initialise(v, v->getInit());
      // struct world w = {0}; not: = other;
      if (isa<clang::InitListExpr>(v->getInit()->IgnoreParenImpCasts()) &&
          (v->getType()->isRecordType() || v->getType()->isArrayType()))
        initialised(variable(v), v->getLocation());
      if (answers_.contains(v) && !addressTaken_.contains(v))
        answer(v->getInit(), None, s, v);
    }
    return;
  }
  u_.entities.global(v);
  if (v->isStaticLocal() && v->getInit())
    u_.pendingStatics.push_back(v);
}

/// Expressions in array bounds run when the declaration is reached.
void DefinitionCollector::variableSizes(QualType t) {
  while (!t.isNull()) {
    t = t.getDesugaredType(u_.ast);
    if (const auto *array = dyn_cast<clang::ArrayType>(t.getTypePtr())) {
      if (const auto *sized = dyn_cast<VariableArrayType>(array);
          sized && sized->getSizeExpr())
        evaluate(sized->getSizeExpr());
      t = array->getElementType();
    } else if (const auto *p = dyn_cast<clang::PointerType>(t.getTypePtr());
               p && p->getPointeeType()->isVariablyModifiedType()) {
      t = p->getPointeeType();
    } else {
      return;
    }
  }
}

void DefinitionCollector::returnStatement(const ReturnStmt *s) {
  const Expr *e = s->getRetValue();
  if (!e)
    return;
  Id v = value(e);
  answer(e, v, s);
  returned(v, e->getType(), s->getBeginLoc());
}

/// A local integer that some statement returns.
const VarDecl *DefinitionCollector::answering(const Expr *lvalue) const {
  const auto *ref = dyn_cast<DeclRefExpr>(lvalue->IgnoreParenImpCasts());
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return v && answers_.contains(v) && !addressTaken_.contains(v) ? v : nullptr;
}

/// `e` is returned by `at`, or put into a local that is.
void DefinitionCollector::answer(const Expr *e, Id value, const Stmt *at,
                                 const VarDecl *local) {
  if (constant_ || !e->getType()->isIntegralOrEnumerationType())
    return;
  ReturnedValue a;
  a.at = u_.map.loc(at->getEndLoc());
  a.from = u_.map.loc(block_.isValid() ? block_ : at->getBeginLoc());
  a.arms.assign(arms_.begin(), arms_.end());
  if (local)
    a.local = variable(local);
  a.isInitial = isa<DeclStmt>(at);
  const auto *step = dyn_cast<UnaryOperator>(e);
  a.counts = step && step->isIncrementOp();
  auto known = constant(e);
  a.isConstant = known.has_value();
  if (known)
    a.constant = int64_t(*known);
  else if (const VarDecl *v = answering(e))
    a.value = variable(v);
  else
    a.value = value;
  if (const auto *b = dyn_cast<BinaryOperator>(e->IgnoreParenImpCasts());
      b && b->getOpcode() == BO_EQ)
    a.equal = compared(b);
  d_.answers.push_back(std::move(a));
}

void DefinitionCollector::returned(Id what, QualType type, SourceLocation at) {
  if (what == None || d_.result == None)
    return;
  if (!type->isRecordType())
    return copy(d_.result, what, at);
  store(valueOfResult(d_.result, type, at), what, type, at);
}

/// Each output is taken to depend on each input.
void DefinitionCollector::assembly(const AsmStmt *s) {
  forgetShared();
  if (mayStoreUnseen(s))
    gap(Gap::Kind::InlineAsm, s->getAsmLoc(),
        "inline assembly: only its operands are known");
  if (mayStoreUnseen(s) || isOpaque(s))
    u_.facts.functions[functionId_].hasInlineAsm = true;
  const auto *a = dyn_cast<GCCAsmStmt>(s);
  if (!a)
    return;
  Id inputs = None;
  auto add = [&](Id v, SourceLocation at) {
    if (v == None)
      return;
    if (inputs == None)
      inputs = temp(u_.ast.LongTy, at);
    flow(Flow::Arith, inputs, v, at);
  };
  for (unsigned i = 0; i < a->getNumInputs(); ++i)
    add(value(a->getInputExpr(i)), a->getInputExpr(i)->getBeginLoc());
  for (unsigned i = 0; i < a->getNumOutputs(); ++i)
    if (a->isOutputPlusConstraint(i))
      add(load(a->getOutputExpr(i)), a->getOutputExpr(i)->getBeginLoc());
  for (unsigned i = 0; i < a->getNumOutputs(); ++i) {
    const Expr *output = a->getOutputExpr(i);
    if (const auto *m = dyn_cast<MemberExpr>(output->IgnoreParens()))
      writtenOtherwise(m->getMemberDecl(), nullptr);
    Id target = scalarVariable(output) ? None : address(output);
    write(output, target, inputs, output->getBeginLoc());
    writeSite(output, target, inputs, output->getBeginLoc(),
              a->isOutputPlusConstraint(i));
  }
}

StatementSpan DefinitionCollector::statementSpan(const Expr *e,
                                                 const Stmt **found) {
  if (enclosing_.empty() || !enclosing_.back().stmt)
    return {};
  const SourceManager &sm = u_.map.sources();
  SourceLocation use =
      sm.getExpansionLoc(enclosing_.back().stmt->getBeginLoc());
  for (const Enclosing &candidate : llvm::reverse(enclosing_)) {
    const Stmt *s = candidate.stmt;
    // A statement inside a macro may be bracketed where the macro is used, if
    // that use is a statement by itself.
    if (!s || sm.getExpansionLoc(s->getBeginLoc()) != use)
      break;
    auto [at, fresh] = statementSpans_.try_emplace(s);
    StatementSpan &span = at->second;
    if (fresh) {
      span.span = textOf(s);
      span.isDeclaration = isa<DeclStmt>(s);
      span.inCompound = candidate.inCompound;
      span.mayLeave = mayLeave(s, false, false);
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
