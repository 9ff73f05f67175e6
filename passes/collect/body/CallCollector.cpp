//===- CallCollector.cpp - Calls ------------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/CallCollector.h"
#include "passes/collect/body/Body.h"
#include "passes/collect/body/LibraryCalls.h"
#include "passes/collect/syntax/Builtins.h"
#include "passes/collect/syntax/Hooks.h"

using namespace clang;
using namespace nvmove;

/// The function that is called by name, or null.
static const FunctionDecl *directCallee(const CallExpr *e) {
  const Expr *c = calledBehindHook(e);
  while (const auto *u = dyn_cast<UnaryOperator>(c)) {
    if (u->getOpcode() != UO_Deref && u->getOpcode() != UO_AddrOf)
      return nullptr;
    c = u->getSubExpr()->IgnoreParenImpCasts();
  }
  const auto *ref = dyn_cast<DeclRefExpr>(c);
  return ref ? dyn_cast<FunctionDecl>(ref->getDecl()) : nullptr;
}

Id CallCollector::call(const CallExpr *e, QualType as) {
  if (Hook hook = findHook(e))
    return b_.expressions.throughHook(hook, as);
  const FunctionDecl *callee = directCallee(e);
  if (!callee || !callee->getIdentifier())
    return ordinaryCall(e, callee, as);
  llvm::StringRef name = callee->getName();
  if (isRegistration(name)) {
    for (const Expr *arg : e->arguments())
      if (arg->HasSideEffects(b_.out.ast()))
        b_.expressions.evaluate(arg);
    return None;
  }
  switch (builtinKind(name)) {
  case BuiltinKind::Unevaluated:
    return None;
  case BuiltinKind::Identity: {
    Id v = b_.expressions.value(e->getArg(0), as);
    for (unsigned i = 1; i < e->getNumArgs(); ++i)
      b_.expressions.evaluate(e->getArg(i));
    return v;
  }
  case BuiltinKind::VaStart:
  case BuiltinKind::VaCopy:
  case BuiltinKind::VaEnd:
    variadicFlow(name, e);
    return None;
  case BuiltinKind::Sync:
    return b_.atomics.syncBuiltin(name, e);
  case BuiltinKind::Overflow:
    return b_.atomics.overflowBuiltin(e);
  case BuiltinKind::None:
    return ordinaryCall(e, callee, as);
  }
  return None;
}

Id CallCollector::ordinaryCall(const CallExpr *e, const FunctionDecl *callee,
                               QualType as) {
  Call c;
  c.function = b_.out.function();
  if (callee)
    c.callee = b_.out.entities().function(callee);
  else
    c.target = b_.expressions.value(e->getCallee());
  for (const Expr *a : e->arguments()) {
    c.args.push_back(b_.expressions.value(a));
    b_.callSites.addSizes(a, c);
  }
  b_.callSites.describe(e, callee, c);
  QualType type = e->getType();
  if (!type->isVoidType())
    c.result = b_.out.temp(type, e->getBeginLoc());
  if (as.isNull() && type->isAnyPointerType() &&
      !type->getPointeeType()->isVoidType())
    as = type;
  if (!as.isNull()) {
    c.resultType = b_.out.entities().type(as);
    c.resultRecord = b_.out.entities().recordOf(as->getPointeeType());
  }
  c.statement = b_.enclosing.span(e);
  c.loop = b_.loops.innermost();
  c.deadEnd = b_.out.unit().deadEnds.calls.contains(e);
  c.inHook = b_.sites.inHook() ||
             calledBehindHook(e) != e->getCallee()->IgnoreParenImpCasts();
  const ChildCode &child = b_.out.unit().childCode;
  c.goesOnInChild = child.daemons.contains(e);
  auto answersOf = [&](const ChildCode::Calls &calls) {
    std::vector<Id> answers;
    for (const CallExpr *fork : calls.lookup(e))
      if (b_.out.callOf(fork) != None)
        answers.push_back(b_.out.resultOf(fork));
    return answers;
  };
  c.inChildOf = answersOf(child.children);
  c.inParentOf = answersOf(child.parents);
  b_.path.describe(c);
  Id result = c.result;
  if (callee && callee->getIdentifier()) {
    addLibraryFlow(b_.out, callee->getName(), e, c);
    handOverBlocks(b_.out, callee->getName(), e, c);
  }
  b_.out.addCall(e, std::move(c));
  return b_.out.valueOfResult(result, type, e->getBeginLoc());
}

void CallCollector::variadicFlow(llvm::StringRef name, const CallExpr *e) {
  llvm::SmallVector<Id, 2> args;
  for (const Expr *a : e->arguments())
    args.push_back(b_.expressions.value(a));
  BuiltinKind kind = builtinKind(name);
  SourceLocation at = e->getBeginLoc();
  if (kind == BuiltinKind::VaStart && !args.empty() && args[0] != None) {
    if (b_.out.definition().variadic == None)
      b_.out.definition().variadic =
          b_.out.addLocal(NodeKind::Local, "...", b_.out.ast().VoidPtrTy, at);
    b_.out.flow(Flow::Store, args[0], b_.out.definition().variadic, at);
  } else if (kind == BuiltinKind::VaCopy && args.size() > 1 &&
             args[0] != None && args[1] != None) {
    b_.out.flow(Flow::CopyMemory, args[0], args[1], at);
  }
}

Id CallCollector::variableArgument(const VAArgExpr *e) {
  Id list = b_.expressions.value(e->getSubExpr());
  QualType type = e->getType();
  if (type->isAnyPointerType() || type->isRecordType())
    b_.out.gap(
        Gap::Kind::Variadic, e->getBeginLoc(),
        "an argument read by va_arg may be any of the variable arguments");
  Id result = b_.out.temp(type, e->getBeginLoc());
  if (list != None && !type->isRecordType())
    b_.out.flow(Flow::Load, result, list, e->getBeginLoc());
  return b_.out.valueOfResult(result, type, e->getBeginLoc());
}
