//===- Calls.cpp - Calls and what library functions do to values ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionCollector.h"
#include "passes/collect/syntax/Builtins.h"
#include "passes/collect/syntax/Phrases.h"
#include "passes/collect/syntax/Scanned.h"
#include "passes/facts/Library.h"
#include "clang/AST/Attr.h"
#include "clang/Lex/Lexer.h"

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

Id DefinitionCollector::call(const CallExpr *e, QualType as) {
  if (Hook hook = findHook(e))
    return throughHook(hook, as);
  const FunctionDecl *callee = directCallee(e);
  if (!callee || !callee->getIdentifier())
    return ordinaryCall(e, callee, as);
  llvm::StringRef name = callee->getName();
  if (isRegistration(name)) {
    for (const Expr *arg : e->arguments())
      if (arg->HasSideEffects(u_.ast))
        evaluate(arg);
    return None;
  }
  switch (builtinKind(name)) {
  case BuiltinKind::Unevaluated:
    return None;
  case BuiltinKind::Identity: {
    Id v = value(e->getArg(0), as);
    for (unsigned i = 1; i < e->getNumArgs(); ++i)
      evaluate(e->getArg(i));
    return v;
  }
  case BuiltinKind::VaStart:
  case BuiltinKind::VaCopy:
  case BuiltinKind::VaEnd:
    variadicFlow(name, e);
    return None;
  case BuiltinKind::Sync:
    return syncBuiltin(name, e);
  case BuiltinKind::Overflow:
    return overflowBuiltin(e);
  case BuiltinKind::None:
    return ordinaryCall(e, callee, as);
  }
  return None;
}

/// __LINE__, which is another number whenever the text changes.
bool DefinitionCollector::isLine(const Expr *e) const {
  const auto *literal = dyn_cast<IntegerLiteral>(e->IgnoreParenCasts());
  return literal && literal->getLocation().isMacroID() &&
         Lexer::getImmediateMacroName(literal->getLocation(), u_.map.sources(),
                                      u_.ast.getLangOpts()) == "__LINE__";
}

void DefinitionCollector::callSpans(const CallExpr *e, Call &c) {
  SourceLocation at = e->getRParenLoc();
  c.loc = u_.map.loc(e->getBeginLoc());
  auto whole = whole_.find(e);
  c.span =
      u_.map.spanOfUse(e->getSourceRange(),
                       whole == whole_.end() ? e->getSourceRange()
                                             : whole->second->getSourceRange(),
                       at);
  if (!c.span.valid())
    c.span = u_.map.spanInSystemMacro(e->getSourceRange(), at,
                                      /*isOutermost=*/true);
  c.calleeSpan = u_.map.nameSpan(e->getCallee()->getSourceRange(), at);
  if (!c.calleeSpan.valid())
    c.calleeSpan =
        u_.map.spanInSystemMacro(e->getCallee()->getSourceRange(), at);
  QualType callee = e->getCallee()->getType();
  bool converted = callee->isPointerType() &&
                   callee->getPointeeType()->isFunctionProtoType();
  for (const Expr *a : e->arguments()) {
    Span argument = u_.map.spanAround(a->getSourceRange(), at);
    c.argSpans.push_back(
        argument.valid() ? argument
                         : u_.map.spanInSystemMacro(a->getSourceRange(), at));
    c.argIsZeroOrNull.push_back(isNullPointer(a));
    uint32_t index = c.argSpans.size() - 1;
    if (auto n = converted && !isLine(a) ? constant(a) : std::nullopt)
      c.argValues.push_back({index, *n, None});
    else if (const ParmVarDecl *p = converted ? unchangedParameter(a) : nullptr;
             p && u_.ast.hasSameUnqualifiedType(p->getType(), a->getType()))
      c.argValues.push_back({index, 0, variable(p)});
    if (pointsToZeros(a))
      c.argsOfZeros.push_back(index);
    if (isPhrase(a))
      c.phrases.push_back(index);
  }
}

/// Which arguments are announced buffers, and which are not written at all.
void DefinitionCollector::callBuffers(const CallExpr *e,
                                      const FunctionDecl *callee, Call &c) {
  // What a function of any number of arguments is given beyond its parameters
  // it prints, unless it is known to scan.
  bool prints = callee && callee->isVariadic() && !scanFormat(callee);
  c.scanned = scannedArgs(u_.ast, e);
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    c.argIsHooked.push_back(isBufferFromHook(u_.ast, e, i, c.scannedAt(i)));
    const Expr *a = e->getArg(i);
    bool named = callee && i < callee->getNumParams();
    QualType type = named ? callee->getParamDecl(i)->getType()
                          : a->IgnoreParenImpCasts()->getType();
    if (type->isArrayType())
      type = u_.ast.getArrayDecayedType(type);
    c.argIsReadOnly.push_back(!type->isAnyPointerType() ||
                              type->getPointeeType().isConstQualified() ||
                              (prints && !named));
  }
}

/// sizeof within an argument says what a block is for. Calls within are left
/// out: their sizes are their own.
void DefinitionCollector::callSizes(const Stmt *s, Call &c) {
  if (!s || isa<CallExpr>(s))
    return;
  auto add = [&](QualType t) {
    if (Id id = u_.entities.type(t); !llvm::is_contained(c.sizeofTypes, id))
      c.sizeofTypes.push_back(id);
    if (Id r = u_.entities.recordOf(t);
        r != None && !llvm::is_contained(c.sizeofRecords, r))
      c.sizeofRecords.push_back(r);
  };
  if (const auto *u = dyn_cast<UnaryExprOrTypeTraitExpr>(s)) {
    if (u->getKind() == UETT_SizeOf)
      add(u->getTypeOfArgument());
    return;
  }
  // offsetof(T, member) + n is the size of a T with n bytes at its end.
  if (const auto *o = dyn_cast<OffsetOfExpr>(s))
    add(o->getTypeSourceInfo()->getType());
  for (const Stmt *child : s->children())
    callSizes(child, c);
}

Id DefinitionCollector::ordinaryCall(const CallExpr *e,
                                     const FunctionDecl *callee, QualType as) {
  Call c;
  c.function = functionId_;
  if (callee)
    c.callee = u_.entities.function(callee);
  else
    c.target = value(e->getCallee());
  for (const Expr *a : e->arguments()) {
    c.args.push_back(value(a));
    callSizes(a, c);
  }
  callSpans(e, c);
  callBuffers(e, callee, c);
  QualType type = e->getType();
  if (!type->isVoidType())
    c.result = temp(type, e->getBeginLoc());
  if (as.isNull() && type->isAnyPointerType() &&
      !type->getPointeeType()->isVoidType())
    as = type;
  if (!as.isNull()) {
    c.resultType = u_.entities.type(as);
    c.resultRecord = u_.entities.recordOf(as->getPointeeType());
  }
  c.statement = statementSpan(e);
  c.loop = loop_;
  c.deadEnd = u_.deadEnds.calls.contains(e);
  c.inHook =
      inHook_ || calledBehindHook(e) != e->getCallee()->IgnoreParenImpCasts();
  c.nonNull.assign(nonNull_.begin(), nonNull_.end());
  c.different.assign(different_.begin(), different_.end());
  c.zero.assign(zero_.begin(), zero_.end());
  if (auto forks = u_.childCode.find(e); forks != u_.childCode.end())
    for (const CallExpr *fork : forks->second)
      if (auto at = collected_.find(fork); at != collected_.end())
        c.inChildOf.push_back(u_.facts.calls[at->second].result);
  c.flags.assign(flags_.begin(), flags_.end());
  c.statics.assign(statics_.begin(), statics_.end());
  c.tests.assign(tests_.begin(), tests_.end());
  c.arms.assign(arms_.begin(), arms_.end());
  Id result = c.result;
  if (callee && callee->getIdentifier()) {
    libraryCall(callee->getName(), e, c);
    handOverBlocks(callee->getName(), e, c);
  }
  collected_[e] = u_.facts.calls.size();
  u_.facts.calls.push_back(std::move(c));
  return valueOfResult(result, type, e->getBeginLoc());
}

Id DefinitionCollector::valueOfResult(Id result, QualType type,
                                      SourceLocation at) {
  if (result == None || !type->isRecordType())
    return result;
  Id address = addressTemp(type, at);
  flow(Flow::AddressOf, address, result, at);
  return address;
}

void DefinitionCollector::libraryCall(llvm::StringRef name, const CallExpr *e,
                                      const Call &c) {
  const LibraryFlow f = libraryFact(name, &LibraryFunction::flow);
  SourceLocation at = e->getBeginLoc();
  auto arg = [&](int i) {
    return i >= 0 && size_t(i) < c.args.size() ? c.args[i] : None;
  };
  Id dst = f.to == LibraryFlow::Result ? c.result : arg(f.to),
     src = arg(f.from);
  if (dst != None && src != None)
    flow(Flow::CopyMemory, dst, src, at);
  copy(c.result, arg(f.result), at);
  Id cell = arg(f.cell), stored = arg(f.storedInCell);
  if (cell != None && stored != None)
    flow(Flow::Store, cell, stored, at);
  if (cell != None && f.resultFromCell && c.result != None)
    flow(Flow::Load, c.result, cell, at);
  if (Id number = arg(f.counts); number != None) {
    QualType type = e->getArg(f.counts)->getType()->getPointeeType();
    Id before = temp(type, at);
    flow(Flow::Load, before, number, at);
    flow(Flow::Store, number, arithmetic({before}, type, at), at);
  }
  if (name.consume_front("nvm_"), name == "insque" || name == "remque")
    link(e, c, name == "insque");
}

/// insque(element, before) and remque(element) link by the first two members of
/// records, of any type.
void DefinitionCollector::link(const CallExpr *e, const Call &c, bool inserts) {
  SourceLocation at = e->getBeginLoc();
  const RecordDecl *record = nullptr;
  for (const Expr *a : e->arguments())
    if (QualType to = a->IgnoreParenCasts()->getType()->getPointeeType();
        !to.isNull() && to->isRecordType() && !to->isIncompleteType())
      record = record ? record : to->getAsRecordDecl()->getDefinition();
  if (!record || c.args.empty() || c.args[0] == None ||
      std::distance(record->field_begin(), record->field_end()) < 2)
    return;
  const FieldDecl *next = *record->field_begin(),
                  *before = *std::next(record->field_begin());
  auto member = [&](Id base, const FieldDecl *f) {
    Id m = addressTemp(f->getType(), at);
    flow(Flow::Member, m, base, at, u_.entities.field(f));
    return m;
  };
  auto load = [&](Id base, const FieldDecl *f) {
    Id value = temp(f->getType(), at);
    flow(Flow::Load, value, member(base, f), at);
    return value;
  };
  auto store = [&](Id base, const FieldDecl *f, Id value) {
    if (base != None && value != None)
      flow(Flow::Store, member(base, f), value, at);
  };
  Id element = c.args[0];
  if (!inserts) {
    Id after = load(element, next), head = load(element, before);
    store(after, before, head);
    store(head, next, after);
    return;
  }
  Id head = c.args.size() > 1 ? c.args[1] : None,
     after = head == None ? None : load(head, next);
  store(element, next, after);
  store(element, before, head);
  store(after, before, element);
  store(head, next, element);
}

/// A block that the call makes goes where arguments point; of the call it is
/// the result. The value of the expression, a length, tells of the bytes in it.
void DefinitionCollector::handOverBlocks(llvm::StringRef name,
                                         const CallExpr *e, Call &c) {
  llvm::SmallVector<unsigned, 2> places;
  const LibraryFlow f = libraryFact(name, &LibraryFunction::flow);
  if (f.block >= 0 && unsigned(f.block) < c.args.size())
    places.push_back(f.block);
  for (const ScannedArg &s : c.scanned)
    if (s.extent == ScannedArg::Block)
      places.push_back(s.arg);
  if (places.empty())
    return;
  SourceLocation at = e->getBeginLoc();
  Id status = c.result;
  c.result = None;
  for (unsigned i : places) {
    // (void **)&p is the address of a p.
    const Expr *place = e->getArg(i)->IgnoreParenCasts();
    QualType type = place->getType()->isPointerType()
                        ? place->getType()->getPointeeType()
                        : QualType();
    if (c.args[i] == None || type.isNull() || !type->isAnyPointerType())
      continue;
    if (c.result == None)
      c.result = temp(type, at);
    if (!type->getPointeeType()->isVoidType()) {
      c.resultType = u_.entities.type(type);
      c.resultRecord = u_.entities.recordOf(type->getPointeeType());
    }
    flow(Flow::Store, c.args[i], c.result, at);
    if (const auto *u = dyn_cast<UnaryOperator>(place);
        u && u->getOpcode() == UO_AddrOf)
      if (const auto *ref =
              dyn_cast<DeclRefExpr>(u->getSubExpr()->IgnoreParens()))
        if (const auto *v = dyn_cast<VarDecl>(ref->getDecl());
            v && v->hasLocalStorage())
          copy(variable(v), c.result, at);
  }
  if (c.result == None) {
    c.result = status;
  } else if (e->getType()->isPointerType()) {
    flow(Flow::Copy, status, c.result, at); // a stream that fills the block
  } else if (status != None && name != "posix_memalign") {
    Id byte = temp(u_.ast.CharTy, at);
    flow(Flow::Load, byte, c.result, at);
    flow(Flow::Arith, status, byte, at);
  }
}

//===-- Variable arguments ------------------------------------------------===//

void DefinitionCollector::variadicFlow(llvm::StringRef name,
                                       const CallExpr *e) {
  llvm::SmallVector<Id, 2> args;
  for (const Expr *a : e->arguments())
    args.push_back(value(a));
  BuiltinKind kind = builtinKind(name);
  SourceLocation at = e->getBeginLoc();
  if (kind == BuiltinKind::VaStart && !args.empty() && args[0] != None) {
    if (d_.variadic == None)
      d_.variadic = addLocal(NodeKind::Local, "...", u_.ast.VoidPtrTy, at);
    flow(Flow::Store, args[0], d_.variadic, at);
  } else if (kind == BuiltinKind::VaCopy && args.size() > 1 &&
             args[0] != None && args[1] != None) {
    flow(Flow::CopyMemory, args[0], args[1], at);
  }
}

Id DefinitionCollector::variableArgument(const VAArgExpr *e) {
  Id list = value(e->getSubExpr());
  QualType type = e->getType();
  if (type->isAnyPointerType() || type->isRecordType())
    gap(Gap::Kind::Variadic, e->getBeginLoc(),
        "an argument read by va_arg is known only as one of those behind the "
        "parameters");
  Id result = temp(type, e->getBeginLoc());
  if (list != None && !type->isRecordType())
    flow(Flow::Load, result, list, e->getBeginLoc());
  return valueOfResult(result, type, e->getBeginLoc());
}

//===-- Atomic operations -------------------------------------------------===//

/// x + 0, x - 0, x | 0, x ^ 0: how an atomic is read where there is no load.
static bool leavesValue(const ASTContext &ast, llvm::StringRef name,
                        const Expr *operand) {
  Expr::EvalResult result;
  return operand && name.contains("fetch") &&
         (name.contains("add") || name.contains("sub") ||
          name.contains("or")) && // and xor
         !operand->isValueDependent() &&
         operand->EvaluateAsInt(result, ast) && result.Val.getInt() == 0;
}

/// One atomic read-modify-write of *pointer with `operands`.
Id DefinitionCollector::atomicUpdate(const Expr *pointer, Id target,
                                     llvm::ArrayRef<Id> operands, bool reads,
                                     bool combines, QualType type) {
  SourceLocation at = pointer->getExprLoc();
  if (target == None)
    target = temp(pointer->getType(), at);
  Id old = None;
  if (reads) {
    old = temp(type, at);
    flow(Flow::Load, old, target, at);
  }
  Id what = None;
  for (Id v : operands) {
    if (v == None)
      continue;
    if (combines && what == None)
      what = arithmetic({old, v}, type, at);
    else if (!combines)
      flow(Flow::Store, target, what = v, at);
  }
  if (combines && what != None)
    flow(Flow::Store, target, what, at);
  atomicSite(pointer, target, what, reads);
  return old;
}

Id DefinitionCollector::syncBuiltin(llvm::StringRef name, const CallExpr *e) {
  llvm::SmallVector<Id, 3> args;
  for (const Expr *a : e->arguments())
    args.push_back(value(a));
  if (args.empty())
    return None; // __sync_synchronize
  bool swap = name.contains("compare_and_swap");
  bool exchange = swap || name.contains("lock_test_and_set") ||
                  name.contains("swap") || name.contains("lock_release") ||
                  name.starts_with("__atomic_");
  llvm::ArrayRef<Id> operands = llvm::ArrayRef(args).drop_front();
  if (swap && !operands.empty())
    operands = operands.drop_front();
  const Expr *pointer = e->getArg(0);
  QualType type = pointer->IgnoreParenImpCasts()->getType()->getPointeeType();
  if (args.size() > 1 && leavesValue(u_.ast, name, e->getArg(1))) {
    Id loaded = temp(type, e->getBeginLoc());
    flow(Flow::Load, loaded, args[0], e->getBeginLoc());
    return loaded;
  }
  Id old = atomicUpdate(pointer, args[0], operands,
                        !name.contains("lock_release"), !exchange, type);
  return name.contains("bool_compare") ? None : old;
}

Id DefinitionCollector::overflowBuiltin(const CallExpr *e) {
  llvm::SmallVector<Id, 3> args;
  for (const Expr *a : e->arguments())
    args.push_back(value(a));
  if (args.size() < 3)
    return None;
  const Expr *pointer = e->getArg(2);
  QualType type = pointer->getType()->getPointeeType();
  Id result = arithmetic({args[0], args[1]}, type, e->getBeginLoc());
  atomicUpdate(pointer, args[2], {result}, false, false, type);
  return None;
}

Id DefinitionCollector::atomic(const AtomicExpr *e) {
  llvm::StringRef name = e->getOpAsString();
  // Evaluated once each, in the order of the AST.
  llvm::DenseMap<const Expr *, Id> values;
  for (const Stmt *c : const_cast<AtomicExpr *>(e)->children())
    values[cast<Expr>(c)] = value(cast<Expr>(c));
  Id target = values[e->getPtr()];
  QualType type = e->getPtr()->getType()->getPointeeType();
  SourceLocation at = e->getBuiltinLoc();
  if (target == None)
    target = temp(e->getPtr()->getType(), at);
  bool generic = name == "__atomic_load" || name == "__atomic_store" ||
                 name == "__atomic_exchange" ||
                 name == "__atomic_compare_exchange";
  // The generic forms take pointers to the operands.
  auto operand = [&](Expr *x) -> Id {
    if (!x || values[x] == None || !x->getType()->isAnyPointerType() ||
        !generic)
      return x ? values[x] : None;
    Id loaded = temp(type, at);
    flow(Flow::Load, loaded, values[x], at);
    return loaded;
  };
  if (name.contains("_load") || leavesValue(u_.ast, name, e->getVal1())) {
    Id loaded = temp(type, at);
    flow(Flow::Load, loaded, target, at);
    if (generic) {
      atomicUpdate(e->getVal1(), values[e->getVal1()], {loaded}, false, false,
                   type);
      return None;
    }
    return loaded;
  }
  if (e->isCmpXChg()) {
    Id old = atomicUpdate(e->getPtr(), target, {operand(e->getVal2())}, true,
                          false, type);
    // On failure the expected value is written.
    atomicUpdate(e->getVal1(), values[e->getVal1()], {old}, false, false, type);
    return None;
  }
  bool store = name.contains("_store") || name.contains("_init");
  bool exchange = name.contains("_exchange");
  Id old = atomicUpdate(e->getPtr(), target, {operand(e->getVal1())}, !store,
                        !store && !exchange, type);
  if (exchange && generic) {
    atomicUpdate(e->getVal2(), values[e->getVal2()], {old}, false, false, type);
    return None;
  }
  return old;
}
