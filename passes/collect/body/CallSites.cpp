//===- CallSites.cpp - What a call looks like -----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/CallSites.h"
#include "passes/collect/scans/Announcements.h"
#include "passes/collect/syntax/Constants.h"
#include "passes/collect/syntax/DeclaredWrites.h"
#include "passes/collect/syntax/Phrases.h"
#include "passes/collect/syntax/Scanned.h"
#include "passes/facts/Library.h"
#include "clang/Lex/Lexer.h"
#include <fcntl.h>

using namespace clang;
using namespace nvmove;

/// __LINE__, which is another number whenever the text changes.
static bool isLine(const DefinitionFacts &out, const Expr *e) {
  const auto *literal = dyn_cast<IntegerLiteral>(e->IgnoreParenCasts());
  return literal && literal->getLocation().isMacroID() &&
         Lexer::getImmediateMacroName(literal->getLocation(),
                                      out.map().sources(),
                                      out.ast().getLangOpts()) == "__LINE__";
}

void CallSites::addSpans(const CallExpr *e, Call &c) {
  SourceLocation at = e->getRParenLoc();
  c.loc = out_.map().loc(e->getBeginLoc());
  auto whole = whole_.find(e);
  c.span = out_.map().spanOfUse(e->getSourceRange(),
                                whole == whole_.end()
                                    ? e->getSourceRange()
                                    : whole->second->getSourceRange(),
                                at);
  if (!c.span.valid())
    c.span = out_.map().spanInSystemMacro(e->getSourceRange(), at,
                                          /*isOutermost=*/true);
  c.calleeSpan = out_.map().nameSpan(e->getCallee()->getSourceRange(), at);
  if (!c.calleeSpan.valid())
    c.calleeSpan =
        out_.map().spanInSystemMacro(e->getCallee()->getSourceRange(), at);
  QualType callee = e->getCallee()->getType();
  bool converted = callee->isPointerType() &&
                   callee->getPointeeType()->isFunctionProtoType();
  for (const Expr *a : e->arguments()) {
    Span argument = out_.map().spanAround(a->getSourceRange(), at);
    c.argSpans.push_back(argument.valid() ? argument
                                          : out_.map().spanInSystemMacro(
                                                a->getSourceRange(), at));
    c.argIsZeroOrNull.push_back(isNullPointer(out_.ast(), a));
    uint32_t index = c.argSpans.size() - 1;
    if (auto n = converted && !isLine(out_, a) ? constantOf(out_.ast(), a)
                                               : std::nullopt)
      c.argValues.push_back({index, *n, None});
    else if (const ParmVarDecl *p =
                 converted ? uses_.unchangedParameter(a) : nullptr;
             p && out_.ast().hasSameUnqualifiedType(p->getType(), a->getType()))
      c.argValues.push_back({index, 0, out_.variable(p)});
    else if (converted && !isLine(out_, a))
      for (uint64_t n : uses_.choices(out_.ast(), a))
        c.argChoices.push_back({index, n, None});
    if (zeroRecords_.arePointedToBy(a))
      c.argsOfZeros.push_back(index);
    if (isPhrase(a))
      c.phrases.push_back(index);
  }
}

/// Nothing but its declaration is known, nor will be: it stands in no header of
/// the program.
bool CallSites::isUnknownOfLibrary(const FunctionDecl *callee) const {
  const Id file = out_.map().loc(callee->getLocation()).file;
  return file != None && !out_.map().isEditable(file) &&
         callee->getIdentifier() && callee->getBuiltinID() == 0 &&
         !callee->getName().starts_with("nvm_") &&
         !libraryEntry(callee->getName());
}

/// Which arguments are announced buffers, and which are not written at all.
void CallSites::addBuffers(const CallExpr *e, const FunctionDecl *callee,
                           Call &c) {
  // What a function of any number of arguments is given beyond its parameters
  // it prints, unless it is known to scan.
  bool prints = callee && callee->isVariadic() && !scanFormat(callee);
  c.scanned = scannedArgs(out_.ast(), e);
  if (c.scanned.empty() && callee && isUnknownOfLibrary(callee))
    for (const ScannedArg &a : declaredWrites(out_.ast(), callee))
      if (a.arg < e->getNumArgs())
        c.scanned.push_back(a);
  for (unsigned i = 0; i < e->getNumArgs(); ++i) {
    c.argIsHooked.push_back(isBufferFromHook(out_.ast(), e, i, c.scannedAt(i)));
    const Expr *a = e->getArg(i);
    bool named = callee && i < callee->getNumParams();
    QualType type = named ? callee->getParamDecl(i)->getType()
                          : a->IgnoreParenImpCasts()->getType();
    if (type->isArrayType())
      type = out_.ast().getArrayDecayedType(type);
    c.argIsReadOnly.push_back(!type->isAnyPointerType() ||
                              type->getPointeeType().isConstQualified() ||
                              (prints && !named));
  }
}

/// A short literal that means one of them to fopen().
static FileMode fileModeIn(const Expr *argument) {
  const auto *text = dyn_cast<StringLiteral>(argument->IgnoreParenCasts());
  if (!text || text->getCharByteWidth() != 1 || text->getString().empty() ||
      text->getString().drop_front().find_first_not_of("bte+x") !=
          llvm::StringRef::npos)
    return FileMode::Unknown;
  switch (text->getString().front()) {
  case 'r':
    return FileMode::Read;
  case 'w':
    return FileMode::Write;
  case 'a':
    return FileMode::Append;
  default:
    return FileMode::Unknown;
  }
}

/// Functions of the program that open files take the same words.
static FileMode fileMode(const CallExpr *e, const FunctionDecl *callee,
                         const Call &c) {
  llvm::StringRef name =
      callee && callee->getIdentifier() ? callee->getName() : "";
  if (hasTrait(name, LibraryFunction::OpensFile)) {
    if (!hasTrait(name, LibraryFunction::OpensForReading))
      return FileMode::Write;
    for (const ArgValue &flags : c.argValues)
      if (flags.arg > 0 && flags.param == None)
        return flags.value & O_APPEND                  ? FileMode::Append
               : (flags.value & O_ACCMODE) == O_RDONLY ? FileMode::Read
                                                       : FileMode::Write;
  }
  for (const Expr *argument : e->arguments())
    if (FileMode mode = fileModeIn(argument); mode != FileMode::Unknown)
      return mode;
  return FileMode::Unknown;
}

void CallSites::describe(const CallExpr *e, const FunctionDecl *callee,
                         Call &c) {
  addSpans(e, c);
  addBuffers(e, callee, c);
  c.mode = fileMode(e, callee, c);
}

void CallSites::addSizes(const Stmt *s, Call &c) {
  if (!s || isa<CallExpr>(s))
    return;
  auto add = [&](QualType t) {
    if (Id id = out_.entities().type(t); !llvm::is_contained(c.sizeofTypes, id))
      c.sizeofTypes.push_back(id);
    if (Id r = out_.entities().recordOf(t);
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
    addSizes(child, c);
}
