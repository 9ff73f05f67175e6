//===- ZeroRecords.cpp - Records of nothing but zeros ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/ZeroRecords.h"
#include "passes/collect/syntax/Walk.h"
#include "passes/facts/Library.h"

using namespace clang;
using namespace nvmove;

namespace {

/// x, x.f, x.f.g of a local record.
const VarDecl *recordAround(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  while (const auto *member = dyn_cast<MemberExpr>(e)) {
    if (member->isArrow())
      return nullptr;
    e = member->getBase()->IgnoreParenImpCasts();
  }
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return v && v->isLocalVarDecl() && v->getType()->isRecordType() ? v : nullptr;
}

const VarDecl *addressed(const Expr *e) {
  const auto *u = dyn_cast<UnaryOperator>(e->IgnoreParenCasts());
  return u && u->getOpcode() == UO_AddrOf ? recordAround(u->getSubExpr())
                                          : nullptr;
}

bool isZeros(const ASTContext &ast, const Expr *e) {
  if (isa<ImplicitValueInitExpr>(e))
    return true;
  if (const auto *list = dyn_cast<InitListExpr>(e))
    return llvm::all_of(list->inits(),
                        [&](const Expr *x) { return isZeros(ast, x); });
  Expr::EvalResult result;
  return e->getType()->isIntegralOrEnumerationType() &&
         !e->isValueDependent() && e->EvaluateAsInt(result, ast) &&
         result.Val.getInt() == 0;
}

/// What may give a local record more than zeros: all that is not known to
/// leave them.
class NonZeros {
public:
  NonZeros(const ASTContext &ast, llvm::DenseSet<const VarDecl *> &found)
      : ast_(ast), found_(found) {}

  void find(const Stmt *s) {
    walk(s, [&](const Stmt *inner) { return enter(inner); });
  }

private:
  /// Whether `s` may have such a place below it.
  bool enter(const Stmt *s) {
    if (const auto *d = dyn_cast<DeclStmt>(s)) {
      for (const Decl *declared : d->decls())
        declare(dyn_cast<VarDecl>(declared));
    } else if (const auto *b = dyn_cast<BinaryOperator>(s)) {
      return !(b->getOpcode() == BO_Assign && recordAround(b->getLHS()) &&
               isZeros(ast_, b->getRHS()));
    } else if (const auto *cast = dyn_cast<ImplicitCastExpr>(s)) {
      return !(cast->getCastKind() == CK_LValueToRValue &&
               recordAround(cast->getSubExpr()));
    } else if (const auto *e = dyn_cast<CallExpr>(s)) {
      call(e);
      return false;
    } else if (const auto *ref = dyn_cast<DeclRefExpr>(s)) {
      if (const VarDecl *v = recordAround(ref))
        found_.insert(v);
    }
    return true;
  }
  void declare(const VarDecl *v) {
    if (v && v->isLocalVarDecl() && v->getInit() &&
        v->getType()->isRecordType() && !isZeros(ast_, v->getInit()))
      found_.insert(v);
  }
  /// select() writes how much of the time is left.
  void call(const CallExpr *e) {
    const FunctionDecl *callee = e->getDirectCallee();
    bool leaves = callee && callee->getIdentifier() &&
                  (hasTrait(callee->getName(), LibraryFunction::OnlyLessens) ||
                   clears(callee, e));
    for (unsigned i = 0; i < e->getNumArgs(); ++i) {
      bool reads = leaves || (callee && i < callee->getNumParams() &&
                              isToConst(callee->getParamDecl(i)->getType()));
      if (!(reads && addressed(e->getArg(i))))
        find(e->getArg(i));
    }
    find(e->getCallee());
  }
  static bool isToConst(QualType type) {
    return type->isPointerType() && type->getPointeeType().isConstQualified();
  }
  bool clears(const FunctionDecl *callee, const CallExpr *e) const {
    const int fill = libraryFact(callee->getName(), &LibraryFunction::fill);
    return fill == LibraryFunction::Zeros ||
           (fill >= 0 && unsigned(fill) < e->getNumArgs() &&
            isZeros(ast_, e->getArg(fill)));
  }
  const ASTContext &ast_;
  llvm::DenseSet<const VarDecl *> &found_;
};

} // namespace

bool ZeroRecords::arePointedToBy(const Expr *argument) {
  if (const auto *u = dyn_cast<UnaryOperator>(argument->IgnoreParenCasts()))
    if (const auto *c =
            dyn_cast<CompoundLiteralExpr>(u->getSubExpr()->IgnoreParens()))
      return c->getType()->isRecordType() && isZeros(ast_, c->getInitializer());
  const VarDecl *v = addressed(argument);
  const auto *f = v ? dyn_cast<FunctionDecl>(v->getDeclContext()) : nullptr;
  if (!f || !f->hasBody())
    return false;
  if (!nonZeros_)
    NonZeros(ast_, nonZeros_.emplace()).find(f->getBody());
  return !nonZeros_->contains(v);
}
