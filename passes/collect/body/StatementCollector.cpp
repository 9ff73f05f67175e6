//===- StatementCollector.cpp - Statements, in their order ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/StatementCollector.h"
#include "passes/collect/body/Body.h"
#include "passes/collect/body/OtherWrites.h"
#include "passes/collect/scans/ControlTransfer.h"
#include "passes/collect/syntax/Assembly.h"
#include "passes/collect/syntax/AssemblyOperands.h"
#include "passes/collect/syntax/Hooks.h"
#include "passes/collect/syntax/Places.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;
using namespace nvmove;

void StatementCollector::statement(const Stmt *s) {
  if (!s)
    return;
  if (const auto *e = dyn_cast<Expr>(s))
    return b_.definitions.inOrder(e, [&] { b_.expressions.evaluate(e); });
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
  case Stmt::ForStmtClass:
    return forStatement(cast<ForStmt>(s));
  case Stmt::WhileStmtClass:
    return whileStatement(cast<WhileStmt>(s));
  case Stmt::DoStmtClass:
    return doStatement(cast<DoStmt>(s));
  case Stmt::SwitchStmtClass:
    return switchStatement(cast<SwitchStmt>(s));
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
    return b_.expressions.evaluate(cast<IndirectGotoStmt>(s)->getTarget());
  case Stmt::NullStmtClass:
  case Stmt::GotoStmtClass:
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass:
    return;
  default:
    return otherStatement(s);
  }
}

void StatementCollector::otherStatement(const Stmt *s) {
  if (const auto *captured = dyn_cast<CapturedStmt>(s))
    return child(captured->getCapturedStmt(), false);
  // Flow has no order, so a parallel region is followed like a serial one.
  if (const auto *omp = dyn_cast<OMPExecutableDirective>(s)) {
    b_.enclosing.unbracketed([&] {
      for (const OMPClause *c : omp->clauses())
        for (const Stmt *part : c->children())
          if (part)
            statement(part);
      if (omp->hasAssociatedStmt())
        child(omp->getRawStmt(), false);
    });
    return;
  }
  b_.out.gap(Gap::Kind::Unfollowed, s->getBeginLoc(),
             std::string("statement of kind ") + s->getStmtClassName() +
                 ": its parts are followed");
  for (const Stmt *c : s->children())
    child(c, false);
}

//===-- Control -----------------------------------------------------------===//

void StatementCollector::child(const Stmt *s, bool inCompound) {
  if (!s)
    return;
  // A label stands outside what is bracketed: `again: { begin; f(); end; }`.
  while (isa<LabelStmt, SwitchCase, AttributedStmt>(s)) {
    inCompound = false;
    if (const auto *l = dyn_cast<LabelStmt>(s)) {
      b_.definitions.forgetAll();
      s = l->getSubStmt();
    } else if (const auto *a = dyn_cast<AttributedStmt>(s)) {
      s = a->getSubStmt();
    } else {
      b_.definitions.forgetAssignedIn(switch_->getBody());
      if (const auto *c = dyn_cast<CaseStmt>(s)) {
        b_.expressions.evaluate(c->getLHS());
        if (c->getRHS())
          b_.expressions.evaluate(c->getRHS());
      }
      s = cast<SwitchCase>(s)->getSubStmt();
    }
  }
  if (isa<CompoundStmt>(s)) {
    statement(s);
    return;
  }
  auto walk = [&] { statement(s); };
  if (inCompound)
    return b_.enclosing.within(s, inCompound, walk);
  SourceLocation block = b_.returns.enterBlock(s->getBeginLoc());
  b_.enclosing.within(s, inCompound, walk);
  b_.returns.enterBlock(block);
}

bool StatementCollector::neverFallsThrough(const Stmt *s) const {
  return nvmove::neverFallsThrough(b_.out.ast(), b_.out.unit().deadEnds, s);
}

// if (!p) return; says of all that follows in the block what else would say,
// until there is a label to jump to.
void StatementCollector::compound(const CompoundStmt *block) {
  PathConditions::Mark before = b_.path.mark();
  SourceLocation outer = b_.returns.enterBlock(block->getBeginLoc());
  const Stmt *last = nullptr;
  size_t index = 0;
  for (const Stmt *s : block->body()) {
    b_.loops.enterGotoLoop(block, index);
    if (hasEntry(s)) {
      b_.path.forget(before);
      if (!last || neverFallsThrough(last)) { // only jumps lead here
        if (last)
          b_.returns.enterBlock(s->getBeginLoc());
        if (switch_ && switch_->getBody() == block)
          b_.path.assumeCase(switch_, s);
      }
    }
    last = s;
    uint32_t number = conditions_;
    child(s, true);
    if (const auto *i = dyn_cast<IfStmt>(s))
      for (bool holds : {true, false})
        if (neverFallsThrough(holds ? i->getElse() : i->getThen()))
          b_.path.enterArm(number, holds);
    b_.path.assumeBehind(s);
    b_.loops.leaveGotoLoop(block, index++);
  }
  b_.path.forget(before);
  b_.returns.enterBlock(outer);
}

void StatementCollector::where(const Expr *condition, bool holds,
                               llvm::function_ref<void()> walk) {
  PathConditions::Mark before = b_.path.mark();
  if (condition)
    b_.path.assume(condition, holds);
  b_.definitions.perhaps(walk);
  b_.path.forget(before);
}

void StatementCollector::ifStatement(const IfStmt *s) {
  uint32_t number = conditions_++;
  b_.expressions.evaluate(s->getCond());
  const ReachingDefinitions::Versions before = b_.definitions.versions();
  auto arm = [&](const Stmt *body, bool holds) {
    b_.definitions.continueFrom(before);
    PathConditions::Mark mark = b_.path.mark();
    if (!hasEntry(body)) {
      b_.path.enterArm(number, holds);
      b_.path.assume(s->getCond(), holds);
    }
    child(body, false);
    b_.path.forget(mark);
  };
  arm(s->getThen(), true);
  ReachingDefinitions::Versions afterThen = b_.definitions.versions();
  arm(s->getElse(), false);
  if (neverFallsThrough(s->getElse()))
    b_.definitions.continueFrom(std::move(afterThen));
  else if (!neverFallsThrough(s->getThen()))
    b_.definitions.meet(afterThen);
}

void StatementCollector::loop(const Stmt *s, const Stmt *body,
                              llvm::function_ref<void()> walk) {
  b_.loops.enter(s, body);
  b_.definitions.loop(s, [&] { b_.enclosing.unbracketed(walk); });
  b_.loops.leave();
}

void StatementCollector::forStatement(const ForStmt *s) {
  b_.enclosing.unbracketed([&] { statement(s->getInit()); });
  loop(s, s->getBody(), [&] {
    statement(s->getCond());
    bool entered = hasEntry(s->getBody());
    where(entered ? nullptr : s->getCond(), true, [&] {
      child(s->getBody(), false);
      b_.definitions.forgetAssignedIn(s->getBody());
      statement(s->getInc());
    });
  });
}

void StatementCollector::whileStatement(const WhileStmt *s) {
  loop(s, s->getBody(), [&] {
    b_.expressions.evaluate(s->getCond());
    where(hasEntry(s->getBody()) ? nullptr : s->getCond(), true,
          [&] { child(s->getBody(), false); });
  });
}

void StatementCollector::doStatement(const DoStmt *s) {
  // do { .. } while (0) is how macros make one statement: it does not repeat.
  Expr::EvalResult condition;
  if (s->getCond()->EvaluateAsInt(condition, b_.out.ast()) &&
      condition.Val.getInt() == 0) {
    child(s->getBody(), false);
    if (mayLeaveEarly(s->getBody())) // by break, to here
      b_.definitions.forgetReachedFrom(s->getBody());
    return;
  }
  loop(s, s->getBody(), [&] {
    child(s->getBody(), false);
    b_.definitions.forgetAssignedIn(s->getBody()); // by continue, to here
    b_.expressions.evaluate(s->getCond());
  });
}

void StatementCollector::switchStatement(const SwitchStmt *s) {
  b_.enclosing.unbracketed([&] {
    b_.expressions.evaluate(s->getCond());
    const SwitchStmt *outer = std::exchange(switch_, s);
    child(s->getBody(), false);
    b_.definitions.forgetReachedFrom(s->getBody(), /*inSwitch=*/true);
    switch_ = outer;
  });
}

//===-- Others ------------------------------------------------------------===//

void StatementCollector::declaration(const Decl *d, const Stmt *s) {
  if (const auto *t = dyn_cast<TypedefNameDecl>(d)) {
    variableSizes(t->getUnderlyingType());
    return;
  }
  const auto *v = dyn_cast<VarDecl>(d);
  if (!v)
    return;
  variableSizes(v->getType());
  if (!v->hasGlobalStorage())
    return localVariable(v, s);
  b_.out.entities().global(v);
  if (v->isStaticLocal() && v->getInit())
    b_.out.unit().pendingStatics.push_back(v);
}

void StatementCollector::localVariable(const VarDecl *v, const Stmt *s) {
  b_.out.variable(v);
  const Expr *init = v->getInit();
  if (!init)
    return;
  b_.initialisers.initialise(v, init);
  // struct world w = {0}; not: = other;
  if (isa<clang::InitListExpr>(init->IgnoreParenImpCasts()) &&
      (v->getType()->isRecordType() || v->getType()->isArrayType()))
    b_.sites.initialised(b_.out.variable(v), v->getLocation());
  if (b_.uses.returned.contains(v) && !b_.uses.addressTaken.contains(v))
    b_.returns.add(init, None, s, v);
}

void StatementCollector::variableSizes(QualType t) {
  while (!t.isNull()) {
    t = t.getDesugaredType(b_.out.ast());
    if (const auto *array = dyn_cast<clang::ArrayType>(t.getTypePtr())) {
      if (const auto *sized = dyn_cast<VariableArrayType>(array);
          sized && sized->getSizeExpr())
        b_.expressions.evaluate(sized->getSizeExpr());
      t = array->getElementType();
    } else if (const auto *p = dyn_cast<clang::PointerType>(t.getTypePtr());
               p && p->getPointeeType()->isVariablyModifiedType()) {
      t = p->getPointeeType();
    } else {
      return;
    }
  }
}

void StatementCollector::returnStatement(const ReturnStmt *s) {
  const Expr *e = s->getRetValue();
  if (!e)
    return;
  Id v = b_.expressions.value(e);
  b_.returns.add(e, v, s);
  b_.out.returned(v, e->getType(), s->getBeginLoc());
}

/// Each output is taken to depend on each input.
void StatementCollector::assembly(const AsmStmt *s) {
  b_.definitions.forgetShared();
  const auto *a = dyn_cast<GCCAsmStmt>(s);
  const bool mayStore = mayStoreUnseen(s);
  if (mayStore || isOpaque(s))
    b_.out.facts().functions[b_.out.function()].hasInlineAsm = true;
  if (!a)
    return unseenAssembly(s, llvm::DenseMap<const Expr *, Id>());
  Id inputs = None;
  auto add = [&](Id v, SourceLocation at) {
    if (v == None)
      return;
    if (inputs == None)
      inputs = b_.out.temp(b_.out.ast().LongTy, at);
    b_.out.flow(Flow::Arith, inputs, v, at);
  };
  llvm::DenseMap<const Expr *, Id> values;
  for (const Expr *input : a->inputs())
    add(values[input] = b_.expressions.value(input), input->getBeginLoc());
  for (unsigned i = 0; i < a->getNumOutputs(); ++i)
    if (const Expr *both = a->getOutputExpr(i); a->isOutputPlusConstraint(i))
      add(values[both] = b_.lvalues.load(both), both->getBeginLoc());
  if (mayStore) {
    std::optional<AssemblyWrites> stores = writtenByInputs(b_.out.ast(), a);
    if (!stores)
      unseenAssembly(s, values);
    else
      for (const Expr *pointer : stores->behind)
        add(b_.atomics.atomicUpdate(pointer, values[pointer], {inputs}, true,
                                    false,
                                    pointer->getType()->getPointeeType()),
            pointer->getBeginLoc());
    if (stores)
      for (const Expr *operand : stores->inMemory)
        assemblyStore(operand, inputs, true);
  }
  for (unsigned i = 0; i < a->getNumOutputs(); ++i)
    assemblyStore(a->getOutputExpr(i), inputs, a->isOutputPlusConstraint(i));
}

/// It may write what the pointers lead to that it is handed. Where a hook
/// announces each of them, the program says what it writes.
void StatementCollector::unseenAssembly(
    const AsmStmt *s, const llvm::DenseMap<const Expr *, Id> &values) {
  std::vector<Id> handed;
  bool isAnnounced = false;
  for (const auto &[operand, value] : values) {
    if (!operand->getType()->isAnyPointerType() || value == None)
      continue;
    if (isPointerFromHook(b_.out.ast(), operand))
      isAnnounced = true;
    else
      handed.push_back(value);
  }
  if (isAnnounced && handed.empty())
    return;
  llvm::sort(handed);
  b_.out.gap(Gap::Kind::InlineAsm, s->getAsmLoc(),
             "inline assembly: only its operands are known");
  b_.out.facts().gaps.back().handed = std::move(handed);
}

void StatementCollector::assemblyStore(const Expr *operand, Id inputs,
                                       bool readModifyWrite) {
  if (const auto *m = dyn_cast<MemberExpr>(operand->IgnoreParens()))
    addOtherWrite(b_.out, m->getMemberDecl(), nullptr);
  Id target = scalarVariable(operand) ? None : b_.lvalues.address(operand);
  b_.lvalues.write(operand, target, inputs, operand->getBeginLoc());
  b_.sites.writeSite(operand, target, inputs, operand->getBeginLoc(),
                     readModifyWrite);
}
