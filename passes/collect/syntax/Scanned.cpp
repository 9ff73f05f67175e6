//===- Scanned.cpp - What the functions of scanf's family write -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Scanned.h"
#include "passes/collect/syntax/Hooks.h"
#include "clang/AST/FormatString.h"

using namespace clang;
using namespace nvmove;

namespace {

using analyze_format_string::LengthModifier;
using analyze_format_string::OptionalAmount;
using analyze_scanf::ScanfConversionSpecifier;
using analyze_scanf::ScanfSpecifier;

class Conversions : public analyze_format_string::FormatStringHandler {
public:
  Conversions(ASTContext &ast, const CallExpr *call, unsigned first)
      : ast_(ast), call_(call), first_(first) {}

  bool HandleScanfSpecifier(const ScanfSpecifier &spec, const char *,
                            unsigned) override {
    unsigned arg = first_ + spec.getArgIndex();
    if (spec.consumesDataArgument() && arg < call_->getNumArgs())
      write(arg, spec);
    return true;
  }

  /// What the format says nothing about: numbers.
  void writeObjects() {
    for (unsigned arg = first_; arg < call_->getNumArgs(); ++arg)
      if (QualType to = pointee(arg);
          !to.isNull() && !to->isAnyCharacterType() && !to->isRecordType())
        if (uint64_t bytes = size(to))
          found.push_back({arg, ScannedArg::Object, bytes});
  }

  std::vector<ScannedArg> found;

private:
  /// As the program wrote it, without a hook around it.
  const Expr *pointer(unsigned arg) const {
    const Expr *e = call_->getArg(arg)->IgnoreParenImpCasts();
    if (Hook hook = findHook(e); hook.kind == Hook::Store)
      e = hook.operand->IgnoreParenImpCasts();
    return e;
  }
  QualType pointee(unsigned arg) const {
    QualType type = pointer(arg)->getType();
    return type->isPointerType() ? type->getPointeeType() : QualType();
  }
  uint64_t size(QualType type) const {
    return type->isIncompleteType() || type->isFunctionType()
               ? 0
               : ast_.getTypeSizeInChars(type).getQuantity();
  }

  void write(unsigned arg, const ScanfSpecifier &spec) {
    uint64_t bytes = written(spec);
    const auto *array = ast_.getAsConstantArrayType(pointer(arg)->getType());
    // One element at the end of a record stands for as many as there are.
    if (array && array->getZExtSize() > 1) {
      uint64_t all = size(pointer(arg)->getType());
      if (bytes == 0 || bytes <= all)
        found.push_back({arg, ScannedArg::Array, bytes ? bytes : all});
      return;
    }
    if (bytes == 0)
      return;
    QualType to = pointee(arg);
    bool fits = !to.isNull() && size(to) >= bytes;
    found.push_back({arg,
                     fits && allocates(spec) ? ScannedArg::Block
                     : fits                  ? ScannedArg::Object
                                             : ScannedArg::Bytes,
                     bytes});
  }

  static bool allocates(const ScanfSpecifier &spec) {
    LengthModifier::Kind length = spec.getLengthModifier().getKind();
    return length == LengthModifier::AsAllocate ||
           length == LengthModifier::AsMAllocate;
  }

  /// 0 where only the input bounds it.
  uint64_t written(const ScanfSpecifier &spec) const {
    LengthModifier::Kind length = spec.getLengthModifier().getKind();
    if (allocates(spec))
      return size(ast_.VoidPtrTy);
    uint64_t element =
        length == LengthModifier::AsLong || length == LengthModifier::AsWideChar
            ? size(ast_.getWideCharType())
            : 1;
    const OptionalAmount &width = spec.getFieldWidth();
    uint64_t n = width.getHowSpecified() == OptionalAmount::Constant
                     ? width.getConstantAmount()
                     : 0;
    switch (spec.getConversionSpecifier().getKind()) {
    case ScanfConversionSpecifier::cArg:
      return (n ? n : 1) * element;
    case ScanfConversionSpecifier::CArg:
      return (n ? n : 1) * size(ast_.getWideCharType());
    case ScanfConversionSpecifier::sArg:
    case ScanfConversionSpecifier::ScanListArg:
      return n ? (n + 1) * element : 0;
    case ScanfConversionSpecifier::SArg:
      return n ? (n + 1) * size(ast_.getWideCharType()) : 0;
    default:
      break;
    }
    QualType type = spec.getArgType(ast_).getRepresentativeType(ast_);
    return type.isNull() || !type->isPointerType()
               ? 0
               : size(type->getPointeeType());
  }

  ASTContext &ast_;
  const CallExpr *call_;
  const unsigned first_; ///< argument that the format speaks of
};

} // namespace

const FormatAttr *nvmove::scanFormat(const FunctionDecl *callee) {
  for (const FormatAttr *f : callee->specific_attrs<FormatAttr>())
    if (f->getType()->getName() == "scanf")
      return f;
  return nullptr;
}

std::vector<ScannedArg> nvmove::scannedArgs(ASTContext &ast,
                                            const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  const FormatAttr *format = callee ? scanFormat(callee) : nullptr;
  if (!format || format->getFirstArg() == 0 ||
      unsigned(format->getFormatIdx()) > call->getNumArgs())
    return {};
  Conversions conversions(ast, call, format->getFirstArg() - 1);
  const Expr *text = call->getArg(format->getFormatIdx() - 1);
  if (const auto *s = dyn_cast<StringLiteral>(text->IgnoreParenImpCasts());
      s && s->getCharByteWidth() == 1)
    analyze_format_string::ParseScanfString(
        conversions, s->getString().begin(), s->getString().end(),
        ast.getLangOpts(), ast.getTargetInfo());
  else
    conversions.writeObjects();
  return std::move(conversions.found);
}
