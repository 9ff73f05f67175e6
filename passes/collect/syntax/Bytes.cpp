//===- Bytes.cpp - Which bytes an expression stands for -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While it is computed, an address is kept as the bytes [begin, end) that it
// may be: end is behind begin only after an index whose value is not known.
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Bytes.h"
#include "passes/collect/syntax/Hooks.h"

using namespace clang;
using namespace nvmove;

static std::string nameOf(const void *declaration) {
  return std::to_string(reinterpret_cast<uintptr_t>(declaration));
}

std::optional<int64_t> ByteFinder::size(QualType type) const {
  if (type->isIncompleteType() || type->isFunctionType() ||
      type->isVariableArrayType())
    return std::nullopt;
  return ast_.getTypeSizeInChars(type).getQuantity();
}

const Expr *ByteFinder::plain(const Expr *lvalue) const {
  if (!stopAtHook_)
    return plainLvalue(lvalue);
  for (;;) {
    lvalue = lvalue->IgnoreParens();
    const auto *cast = dyn_cast<ImplicitCastExpr>(lvalue);
    if (!cast || cast->getCastKind() != CK_NoOp)
      return lvalue;
    lvalue = cast->getSubExpr();
  }
}

const VarDecl *ByteFinder::variable(const Expr *e) const {
  const auto *ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  const auto *v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return v && !v->getType().isVolatileQualified() ? v : nullptr;
}

void ByteFinder::addField(Bytes &bytes, const FieldDecl *field) const {
  int64_t bits = ast_.getFieldOffset(field), begin = bits / 8;
  if (field->isBitField()) {
    // The whole unit is written.
    int64_t unit = ast_.getTypeSizeInChars(field->getType()).getQuantity();
    begin -= begin % unit;
  }
  bytes.begin += begin;
  bytes.end += begin;
}

/// `from` moved on by index * size_bytes, in an array of `count` elements; 0:
/// of unknown length.
std::optional<Bytes> ByteFinder::shifted(std::optional<Bytes> from,
                                         const Expr *index, int64_t size_bytes,
                                         int64_t count, bool widest) const {
  if (!from)
    return std::nullopt;
  Expr::EvalResult value;
  if (index->EvaluateAsInt(value, ast_)) {
    int64_t by = value.Val.getInt().getExtValue() * size_bytes;
    from->begin += by;
    from->end += by;
    return from;
  }
  // The last member may be declared with one element and have many.
  if (widest && count > 1) {
    from->end += (count - 1) * size_bytes;
    return from;
  }
  const VarDecl *v = variable(index);
  if (!v || from->end != from->begin)
    return std::nullopt;
  PointerValue &p = from->pointer;
  p.key += "+" + std::to_string(from->begin) + "[" + nameOf(v) + "*" +
           std::to_string(size_bytes) + "]";
  p.variables.insert(v);
  p.memory |= v->hasGlobalStorage() || shared_.contains(v);
  from->begin = from->end = 0;
  return from;
}

std::optional<Bytes> ByteFinder::element(const ArraySubscriptExpr *e,
                                         bool widest) const {
  std::optional<int64_t> size_bytes = size(e->getType());
  if (!size_bytes)
    return std::nullopt;
  if (const auto *vector = e->getBase()->getType()->getAs<VectorType>())
    return shifted(address(e->getBase(), widest), e->getIdx(), *size_bytes,
                   vector->getNumElements(), widest);
  const auto *decay = dyn_cast<ImplicitCastExpr>(e->getBase()->IgnoreParens());
  int64_t count = 0;
  if (decay && decay->getCastKind() == CK_ArrayToPointerDecay)
    if (const auto *array =
            ast_.getAsConstantArrayType(decay->getSubExpr()->getType()))
      count = array->getSize().getZExtValue();
  return shifted(pointer(e->getBase(), widest), e->getIdx(), *size_bytes, count,
                 widest);
}

std::optional<Bytes> ByteFinder::address(const Expr *lvalue,
                                         bool widest) const {
  const Expr *e = plain(lvalue);
  if (const auto *m = dyn_cast<MemberExpr>(e)) {
    const auto *field = dyn_cast<FieldDecl>(m->getMemberDecl());
    std::optional<Bytes> base = m->isArrow() ? pointer(m->getBase(), widest)
                                             : address(m->getBase(), widest);
    if (base && field)
      addField(*base, field);
    return field ? base : std::nullopt;
  }
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
    return element(s, widest);
  const auto *u = dyn_cast<UnaryOperator>(e);
  if (!u)
    return std::nullopt;
  if (u->getOpcode() == UO_Deref)
    return pointer(u->getSubExpr(), widest);
  const bool imaginary = u->getOpcode() == UO_Imag;
  if (!imaginary && u->getOpcode() != UO_Real)
    return std::nullopt;
  std::optional<Bytes> whole = address(u->getSubExpr(), widest);
  if (whole && imaginary && u->getSubExpr()->getType()->isAnyComplexType()) {
    int64_t part = ast_.getTypeSizeInChars(u->getType()).getQuantity();
    whole->begin += part;
    whole->end += part;
  }
  return whole;
}

/// The pointer that an lvalue holds.
std::optional<Bytes> ByteFinder::loaded(const Expr *lvalue) const {
  const Expr *e = plain(lvalue);
  Bytes result;
  PointerValue &p = result.pointer;
  if (const VarDecl *v = variable(e)) {
    p.key = nameOf(v);
    p.variables.insert(v);
    p.memory = v->hasGlobalStorage() || shared_.contains(v);
    return result;
  }
  std::optional<Bytes> at = address(e, /*widest=*/false);
  if (!at || e->getType().isVolatileQualified())
    return std::nullopt;
  p = at->pointer;
  p.key = "*(" + p.key + "+" + std::to_string(at->begin) + ")";
  const auto *m = dyn_cast<MemberExpr>(e);
  const auto *field = m ? dyn_cast<FieldDecl>(m->getMemberDecl()) : nullptr;
  if (field && !field->getParent()->isUnion())
    p.fields.insert(field);
  else
    p.memory = true;
  return result;
}

std::optional<Bytes> ByteFinder::pointer(const Expr *e, bool widest) const {
  e = e->IgnoreParens();
  if (Hook hook = findHook(e); hook.kind == Hook::Store) {
    if (!stopAtHook_)
      return pointer(hook.operand, widest);
    hook_ = cast<CallExpr>(e->IgnoreParenCasts());
    return Bytes{{"hook", {}, {}, false}, 0, 0};
  }
  if (const auto *c = dyn_cast<CastExpr>(e)) {
    switch (c->getCastKind()) {
    case CK_LValueToRValue:
      return loaded(c->getSubExpr());
    case CK_ArrayToPointerDecay:
      return address(c->getSubExpr(), widest);
    case CK_BitCast:
    case CK_NoOp:
      return pointer(c->getSubExpr(), widest);
    default:
      return std::nullopt;
    }
  }
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    return u->getOpcode() == UO_AddrOf ? address(u->getSubExpr(), widest)
                                       : std::nullopt;
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (!b || b->getOpcode() != BO_Add ||
      !b->getLHS()->getType()->isAnyPointerType())
    return std::nullopt;
  std::optional<int64_t> size_bytes = size(e->getType()->getPointeeType());
  return size_bytes ? shifted(pointer(b->getLHS(), widest), b->getRHS(),
                              *size_bytes, 0, widest)
                    : std::nullopt;
}

std::optional<Bytes> ByteFinder::ofLvalue(const Expr *lvalue,
                                          bool widest) const {
  std::optional<Bytes> bytes = address(lvalue, widest);
  std::optional<int64_t> size_bytes = size(lvalue->getType());
  if (!bytes || !size_bytes)
    return std::nullopt;
  bytes->end += *size_bytes;
  return bytes;
}

ByteFinder::InHook ByteFinder::inHook(std::optional<Bytes> bytes,
                                      QualType type) const {
  stopAtHook_ = false;
  std::optional<int64_t> size_bytes = size(type);
  if (!bytes || !size_bytes || bytes->pointer.key != "hook")
    return {};
  return {hook_, bytes->begin, bytes->end + *size_bytes};
}

ByteFinder::InHook ByteFinder::lvalueInHook(const Expr *lvalue) const {
  stopAtHook_ = true;
  return inHook(address(lvalue, /*widest=*/true), lvalue->getType());
}

ByteFinder::InHook ByteFinder::pointerInHook(const Expr *e) const {
  stopAtHook_ = true;
  return inHook(pointer(e, /*widest=*/true), e->getType()->getPointeeType());
}

std::optional<Bytes> ByteFinder::ofHook(const CallExpr *hook) const {
  Expr::EvalResult size_bytes;
  std::optional<Bytes> bytes =
      pointer(findHook(hook).operand, /*widest=*/false);
  if (!bytes || bytes->begin != bytes->end || hook->getNumArgs() < 2 ||
      !hook->getArg(1)->EvaluateAsInt(size_bytes, ast_))
    return std::nullopt;
  bytes->end += size_bytes.Val.getInt().getExtValue();
  return bytes;
}
