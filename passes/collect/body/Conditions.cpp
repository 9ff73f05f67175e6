//===- Conditions.cpp - What is known where a call is made ----------------===//
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

#include "passes/collect/body/DefinitionCollector.h"

using namespace clang;
using namespace nvmove;

bool DefinitionCollector::hasEntry(const Stmt *s, bool inSwitch) {
  if (!s)
    return false;
  if (isa<LabelStmt>(s) || (isa<SwitchCase>(s) && !inSwitch))
    return true;
  for (const Stmt *c : s->children())
    if (hasEntry(c, inSwitch || isa<SwitchStmt>(s)))
      return true;
  return false;
}

/// In `type` the value is zero when and only when it is so by itself.
bool DefinitionCollector::keepsTruth(const Expr *e, QualType type) const {
  QualType from = e->IgnoreParenImpCasts()->getType();
  return type->isBooleanType() ||
         (from->isIntegralOrEnumerationType() &&
          u_.ast.getIntWidth(from) <= u_.ast.getIntWidth(type));
}

void DefinitionCollector::where(const Expr *condition, bool holds,
                                llvm::function_ref<void()> walk) {
  Known before = known();
  if (condition)
    assume(condition, holds);
  perhaps(walk);
  forget(before);
}

void DefinitionCollector::assume(const Expr *e, bool holds) {
  e = e->IgnoreParenImpCasts();
  if (e->getType()->isAnyPointerType()) {
    assumeStatic(e, !holds);
    if (holds)
      assumeNonNull(e);
    return;
  }
  if (const auto *call = dyn_cast<CallExpr>(e)) {
    const FunctionDecl *f = call->getDirectCallee();
    if (f && f->getIdentifier() && f->getName() == "__builtin_expect")
      assume(call->getArg(0), holds);
    else if (textBehind(e))
      assumeInteger(e, nullptr, !holds);
    else if (auto at = collected_.find(call);
             !holds && at != collected_.end() &&
             e->getType()->isIntegralOrEnumerationType())
      zero_.push_back(u_.facts.calls[at->second].result);
    return;
  }
  if (const auto *u = dyn_cast<UnaryOperator>(e)) {
    assumeStatic(e, !holds);
    if (u->getOpcode() == UO_LNot)
      assume(u->getSubExpr(), !holds);
    else if (textBehind(e))
      assumeInteger(e, nullptr, !holds);
    return;
  }
  // bool found = p != NULL; .. if (found)
  if (const auto *ref = dyn_cast<DeclRefExpr>(e))
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl());
        v && v->hasLocalStorage() && v->getInit() && !changed_.contains(v) &&
        v->getType()->isIntegralOrEnumerationType() &&
        keepsTruth(v->getInit(), v->getType()))
      return assume(v->getInit(), holds);
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (!b || b->getOpcode() == BO_And) {
    assumeStatic(e, !holds);
    return assumeInteger(e, nullptr, !holds);
  }
  if (b->getOpcode() == BO_Comma)
    return assume(b->getRHS(), holds);
  if (b->isLogicalOp()) {
    if ((b->getOpcode() == BO_LAnd) == holds) {
      assume(b->getLHS(), holds);
      assume(b->getRHS(), holds);
    }
    return;
  }
  if (b->isRelationalOp())
    return assumeOrder(b, holds);
  if (!b->isEqualityOp())
    return;
  bool equal = (b->getOpcode() == BO_EQ) == holds;
  if (PointerPair p = compared(b); !equal && p.first != None)
    different_.push_back(p);
  assumeInteger(b->getLHS(), b->getRHS(), equal);
  for (auto [tested, zero] : {std::pair(b->getLHS(), b->getRHS()),
                              std::pair(b->getRHS(), b->getLHS())})
    if (isNullPointer(zero) || constant(zero) == 0)
      assumeStatic(tested, equal);
  if (!equal && isNullPointer(b->getRHS()))
    assumeNonNull(b->getLHS());
  else if (!equal && isNullPointer(b->getLHS()))
    assumeNonNull(b->getRHS());
}

std::optional<uint64_t> DefinitionCollector::constant(const Expr *e) const {
  Expr::EvalResult result;
  if (!e->getType()->isIntegralOrEnumerationType() || e->isValueDependent() ||
      !e->EvaluateAsInt(result, u_.ast))
    return std::nullopt;
  const llvm::APSInt &n = result.Val.getInt();
  return n.getBitWidth() > 64
             ? std::nullopt
             : std::optional<uint64_t>(n.extend(64).getZExtValue());
}

const ParmVarDecl *
DefinitionCollector::unchangedParameter(const Expr *e) const {
  const auto *ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  const auto *p = ref ? dyn_cast<ParmVarDecl>(ref->getDecl()) : nullptr;
  return p && p->getType()->isIntegralOrEnumerationType() &&
                 !changed_.contains(p)
             ? p
             : nullptr;
}

/// The constant is the same number in `type`.
bool DefinitionCollector::fits(const Expr *constant, QualType type) const {
  llvm::APSInt n = constant->EvaluateKnownConstInt(u_.ast);
  llvm::APSInt there(n.extOrTrunc(u_.ast.getIntWidth(type)),
                     type->isUnsignedIntegerOrEnumerationType());
  return llvm::APSInt::isSameValue(n, there);
}

/// Of integers only those are told apart that are set to constants: parameters,
/// by callers, as in remove(key, SILENTLY | /*later=*/0), and flags. `value`
/// null stands for zero.
void DefinitionCollector::assumeInteger(const Expr *e, const Expr *value,
                                        bool equal) {
  e = e->IgnoreParenImpCasts();
  ParamTest test{None, ~uint64_t(0), 0, equal};
  if (value) {
    auto n = constant(value);
    if (!n)
      return;
    test.value = *n;
  }
  if (const auto *b = dyn_cast<BinaryOperator>(e);
      b && b->getOpcode() == BO_And) {
    const Expr *mask = b->getRHS();
    e = b->getLHS()->IgnoreParenImpCasts();
    if (!constant(mask)) {
      mask = b->getLHS();
      e = b->getRHS()->IgnoreParenImpCasts();
    }
    auto n = constant(mask);
    if (!n)
      return;
    test.mask = *n;
  }
  if (!value || fits(value, e->getType()))
    assumeFlag(e, {None, None, test.mask, test.value, equal});
  else if (equal) // as far as the type goes, not zero
    assumeNonZero(e);
  const ParmVarDecl *p = unchangedParameter(e);
  if (!p || (value && !fits(value, p->getType())))
    return;
  test.param = variable(p);
  tests_.push_back(test);
}

/// The array of characters that is asked whether its text is empty, or what it
/// begins with: *text, text[0], strlen(text), strcmp(text, ""); or null.
const Expr *DefinitionCollector::textBehind(const Expr *e) const {
  e = e->IgnoreParenImpCasts();
  const Expr *text = nullptr;
  if (const auto *u = dyn_cast<UnaryOperator>(e)) {
    text = u->getOpcode() == UO_Deref ? u->getSubExpr() : nullptr;
  } else if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
    text = constant(s->getIdx()) == 0 ? s->getBase() : nullptr;
  } else if (const auto *call = dyn_cast<CallExpr>(e)) {
    llvm::StringRef name = calleeName(call);
    name.consume_front("__builtin_");
    auto isEmpty = [&](unsigned i) {
      const auto *literal = dyn_cast<clang::StringLiteral>(
          call->getArg(i)->IgnoreParenImpCasts());
      return literal && literal->getLength() == 0;
    };
    if (name == "strlen" && call->getNumArgs() == 1)
      text = call->getArg(0);
    else if (name == "strcmp" && call->getNumArgs() == 2)
      text = isEmpty(1)   ? call->getArg(0)
             : isEmpty(0) ? call->getArg(1)
                          : nullptr;
  }
  text = text ? text->IgnoreParenImpCasts() : nullptr;
  return text && isText(text->getType()) ? text : nullptr;
}

/// Of a global or a member it is known what sets it.
void DefinitionCollector::assumeFlag(const Expr *e, FlagTest test) {
  e = e->IgnoreParenImpCasts();
  if (const Expr *text = textBehind(e))
    e = text;
  else if (!e->getType()->isIntegralOrEnumerationType())
    return;
  if (const auto *m = dyn_cast<MemberExpr>(e)) {
    if (const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl())) {
      test.field = u_.entities.field(f);
      flags_.push_back(test);
    }
    return;
  }
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (v && v->hasGlobalStorage()) {
    test.variable = u_.entities.global(v);
    flags_.push_back(test);
  }
}

/// Before it was counted: if (!made++)
void DefinitionCollector::assumeStatic(const Expr *e, bool isZero) {
  e = e->IgnoreParenImpCasts();
  if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->isPostfix())
    e = u->getSubExpr()->IgnoreParenImpCasts();
  if (!e->isGLValue() || !e->getType()->isScalarType())
    return;
  const Place p = place(e);
  if (p.root != Place::Root::Variable || !p.variable->hasGlobalStorage())
    return;
  StaticTest &test = statics_.emplace_back();
  test.variable = u_.entities.global(p.variable);
  for (const FieldDecl *f : p.path)
    test.path.push_back(u_.entities.field(f));
  test.isZero = isZero;
}

bool DefinitionCollector::isNaturalConstant(const Expr *e) const {
  auto n = constant(e);
  return n && int64_t(*n) >= 0;
}

/// Not below zero: a constant, of an unsigned type, or a local that counts from
/// there.
bool DefinitionCollector::isNatural(const Expr *e) const {
  if (isNaturalConstant(e))
    return true;
  e = e->IgnoreParenImpCasts();
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return e->getType()->isUnsignedIntegerType() ||
         (v && v->hasLocalStorage() && !isa<ParmVarDecl>(v) &&
          v->getType()->isIntegerType() && !uncounted_.contains(v));
}

/// x > 0, 1 <= x, i < x, and the like.
void DefinitionCollector::assumeOrder(const BinaryOperator *e, bool holds) {
  auto compare = [&](const Expr *x, BinaryOperatorKind op, const Expr *bound) {
    auto n = constant(bound);
    int64_t at = n ? int64_t(*n) : 0;
    if ((op == BO_GT && isNatural(bound)) ||
        (n && ((op == BO_GE && at > 0) || (op == BO_LT && at <= 0) ||
               (op == BO_LE && at < 0))))
      assumeNonZero(x);
  };
  BinaryOperatorKind op = e->getOpcode();
  if (!holds)
    op = BinaryOperator::negateComparisonOp(op);
  compare(e->getLHS(), op, e->getRHS());
  compare(e->getRHS(), BinaryOperator::reverseComparisonOp(op), e->getLHS());
}

/// The node of a pointer that was evaluated, or of the variable that it is.
Id DefinitionCollector::testedPointer(const Expr *e) {
  if (auto at = tested_.find(e); at != tested_.end())
    return at->second;
  const VarDecl *variable = scalarVariable(e);
  return variable ? this->variable(variable) : None;
}

/// The two pointers, none of them null, or nothing.
PointerPair DefinitionCollector::compared(const BinaryOperator *e) {
  const Expr *a = e->getLHS()->IgnoreParenImpCasts(),
             *b = e->getRHS()->IgnoreParenImpCasts();
  if (!a->getType()->isAnyPointerType() || !b->getType()->isAnyPointerType() ||
      isNullPointer(e->getLHS()) || isNullPointer(e->getRHS()))
    return {};
  PointerPair p{testedPointer(a), testedPointer(b)};
  return p.first == None || p.second == None ? PointerPair() : p;
}

void DefinitionCollector::assumeNonNull(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (!e->getType()->isAnyPointerType())
    return;
  if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->isAssignmentOp()) {
    assumeNonNull(b->getRHS()); // the variable may hold more than this value
    e = b->getLHS()->IgnoreParenImpCasts();
  }
  if (Id v = testedPointer(e); v != None) // whatever it was given since
    nonNull_.push_back(v);
}

/// What one case of a switch says, or its default.
void DefinitionCollector::chosen(const Stmt *block, const Stmt *s) {
  const auto *label = dyn_cast<SwitchCase>(s);
  if (!label || !switch_ || switch_->getBody() != block ||
      hasEntry(label->getSubStmt()))
    return;
  const Expr *value = switch_->getCond();
  if (const auto *c = dyn_cast<CaseStmt>(label)) {
    if (!c->getRHS())
      assumeInteger(value, c->getLHS(), true);
    return;
  }
  constexpr unsigned most = 16;
  unsigned others = 0;
  for (const SwitchCase *l = switch_->getSwitchCaseList(); l && others < most;
       l = l->getNextSwitchCase())
    if (const auto *c = dyn_cast<CaseStmt>(l); c && !c->getRHS()) {
      assumeInteger(value, c->getLHS(), false);
      ++others;
    }
}

/// Out of the loop that it is the body of.
static bool mayBreak(const Stmt *s) {
  return s && !isa<ForStmt, WhileStmt, DoStmt, SwitchStmt>(s) &&
         (isa<BreakStmt>(s) || llvm::any_of(s->children(), mayBreak));
}

static bool isEndless(const Expr *condition, const Stmt *body,
                      const ASTContext &ast) {
  Expr::EvalResult always;
  bool ends = condition && !(condition->EvaluateAsInt(always, ast) &&
                             always.Val.getInt() != 0);
  return !ends && !mayBreak(body);
}

bool DefinitionCollector::neverFallsThrough(const Stmt *s) const {
  while (const auto *label = dyn_cast_or_null<SwitchCase>(s))
    s = label->getSubStmt();
  if (!s)
    return false;
  if (const auto *e = dyn_cast<Expr>(s))
    s = e->IgnoreParenCasts();
  if (const auto *b = dyn_cast<BinaryOperator>(s);
      b && b->getOpcode() == BO_Comma)
    return neverFallsThrough(b->getLHS()) || neverFallsThrough(b->getRHS());
  if (isa<ReturnStmt, GotoStmt, BreakStmt, ContinueStmt>(s))
    return true;
  if (const auto *c = dyn_cast<CompoundStmt>(s))
    return !c->body_empty() && neverFallsThrough(c->body_back());
  if (const auto *i = dyn_cast<IfStmt>(s))
    return neverFallsThrough(i->getThen()) && neverFallsThrough(i->getElse());
  if (const auto *f = dyn_cast<ForStmt>(s))
    return isEndless(f->getCond(), f->getBody(), u_.ast);
  if (const auto *w = dyn_cast<WhileStmt>(s))
    return isEndless(w->getCond(), w->getBody(), u_.ast);
  const auto *call = dyn_cast<CallExpr>(s);
  return call && u_.deadEnds.calls.contains(call);
}

/// What holds behind a statement: if (!p) return; or one of the many forms of
/// assert(p).
void DefinitionCollector::behind(const Stmt *s) {
  auto choice = [&](const Expr *condition, const Stmt *then,
                    const Stmt *otherwise) {
    if (neverFallsThrough(otherwise))
      assume(condition, true);
    if (neverFallsThrough(then))
      assume(condition, false);
  };
  if (const auto *e = dyn_cast<Expr>(s))
    s = e->IgnoreParenCasts();
  if (const auto *i = dyn_cast<IfStmt>(s))
    return choice(i->getCond(), i->getThen(), i->getElse());
  if (const auto *c = dyn_cast<ConditionalOperator>(s))
    return choice(c->getCond(), c->getTrueExpr(), c->getFalseExpr());
  if (const auto *b = dyn_cast<BinaryOperator>(s)) {
    if (b->getOpcode() == BO_Comma) {
      behind(b->getLHS());
      behind(b->getRHS());
    } else if (b->getOpcode() == BO_LOr) { // p || abort()
      choice(b->getLHS(), nullptr, b->getRHS());
    }
  }
  if (const auto *x = dyn_cast<StmtExpr>(s))
    for (const Stmt *inner : x->getSubStmt()->body())
      behind(inner);
}

// if (!p) return; says of all that follows in the block what else would say,
// until there is a label to jump to.
void DefinitionCollector::compound(const CompoundStmt *block) {
  Known before = known();
  SourceLocation outer = block_;
  block_ = block->getBeginLoc();
  const Stmt *last = nullptr;
  size_t index = 0;
  for (const Stmt *s : block->body()) {
    enterGotoLoop(block, index);
    if (hasEntry(s)) {
      forget(before);
      if (!last || neverFallsThrough(last)) { // only jumps lead here
        if (last)
          block_ = s->getBeginLoc();
        chosen(block, s);
      }
    }
    last = s;
    uint32_t number = conditions_;
    child(s, true);
    if (const auto *i = dyn_cast<IfStmt>(s))
      for (bool holds : {true, false})
        if (neverFallsThrough(holds ? i->getElse() : i->getThen()))
          arms_.push_back(number * 2 + !holds);
    behind(s);
    leaveGotoLoop(block, index++);
  }
  forget(before);
  block_ = outer;
}
