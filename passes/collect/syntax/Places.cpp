//===- Places.cpp - Which memory an lvalue names --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Places.h"
#include "passes/collect/syntax/Hooks.h"

using namespace clang;
using namespace nvmove;

const Expr *nvmove::arrayBehind(const Expr *&pointer, bool &hooked) {
  for (;;) {
    pointer = pointer->IgnoreParens();
    if (Hook hook = findHook(pointer)) {
      hooked |= hook.kind == Hook::Store;
      pointer = hook.operand;
      continue;
    }
    if (const auto *decay = dyn_cast<ImplicitCastExpr>(pointer);
        decay && decay->getCastKind() == CK_ArrayToPointerDecay)
      return decay->getSubExpr();
    if (const auto *u = dyn_cast<UnaryOperator>(pointer);
        u && u->getOpcode() == UO_AddrOf)
      return u->getSubExpr();
    if (const auto *b = dyn_cast<BinaryOperator>(pointer);
        b && b->isAdditiveOp()) {
      const Expr *side = b->getLHS()->getType()->isAnyPointerType()
                             ? b->getLHS()
                             : b->getRHS();
      if (const Expr *array = arrayBehind(side, hooked))
        return array;
    }
    return nullptr;
  }
}

Place nvmove::placeOf(const Expr *e) {
  Place p;
  for (;;) {
    e = plainLvalue(e, &p.hooked);
    const Expr *pointer = nullptr;
    if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
      p.variable = dyn_cast<VarDecl>(ref->getDecl());
      p.root = p.variable ? Place::Root::Variable : Place::Root::Other;
      return p;
    }
    if (const auto *m = dyn_cast<MemberExpr>(e)) {
      if (const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl()))
        p.path.insert(p.path.begin(), f);
      if (!m->isArrow()) {
        e = m->getBase();
        continue;
      }
      pointer = m->getBase();
    } else if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
      if (s->getBase()->getType()->isVectorType()) {
        e = s->getBase();
        continue;
      }
      pointer = s->getBase();
    } else if (const auto *u = dyn_cast<UnaryOperator>(e)) {
      if (u->getOpcode() == UO_Real || u->getOpcode() == UO_Imag) {
        e = u->getSubExpr();
        continue;
      }
      if (u->getOpcode() != UO_Deref)
        return p;
      pointer = u->getSubExpr();
    } else if (const auto *c = dyn_cast<CastExpr>(e);
               c && c->getSubExpr()->isGLValue()) {
      e = c->getSubExpr();
      continue;
    } else {
      return p;
    }
    if (const Expr *memory = arrayBehind(pointer, p.hooked)) {
      e = memory;
      continue;
    }
    p.root = Place::Root::Pointer;
    p.pointer = pointer;
    return p;
  }
}

const VarDecl *nvmove::scalarVariable(const Expr *lvalue) {
  const auto *ref = dyn_cast<DeclRefExpr>(plainLvalue(lvalue));
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return v && !v->getType()->isRecordType() && !v->getType()->isArrayType()
             ? v
             : nullptr;
}
