//===- Bytes.h - Which bytes an expression stands for -----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An address is the value of a pointer and a number of bytes: p->a.b is p + 8.
// Two pointers are the same when they are spelled by the same variables and
// fields, none of which has been written in between.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SYNTAX_BYTES_H
#define NVMOVE_PASSES_COLLECT_SYNTAX_BYTES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>
#include <set>
#include <string>

namespace nvmove {

/// The value of a pointer, by what it is computed from.
struct PointerValue {
  std::string key;
  std::set<const clang::VarDecl *> variables;
  std::set<const clang::FieldDecl *> fields; ///< loaded on the way
  bool memory = false; ///< depends on memory that any store may change
  auto operator<=>(const PointerValue &) const = default;
};

/// The bytes [begin, end) behind a pointer.
struct Bytes {
  PointerValue pointer;
  int64_t begin = 0, end = 0;
  auto operator<=>(const Bytes &) const = default;
};

class ByteFinder {
public:
  /// `shared`: variables that others may write: their address is taken.
  ByteFinder(const clang::ASTContext &ast,
             const llvm::DenseSet<const clang::VarDecl *> &shared)
      : ast_(ast), shared_(shared) {}

  /// The bytes of an lvalue. `widest`: an element of an array in memory may be
  /// any of them; else it is named by the variable that is its index.
  std::optional<Bytes> ofLvalue(const clang::Expr *lvalue, bool widest) const;
  /// What a hook announces.
  std::optional<Bytes> ofHook(const clang::CallExpr *hook) const;

  /// The hook that an lvalue, or a pointer, is spelled in, and which of the
  /// bytes behind the hook's result it is; null if there is none.
  struct InHook {
    const clang::CallExpr *hook = nullptr;
    int64_t begin = 0, end = 0;
  };
  InHook lvalueInHook(const clang::Expr *lvalue) const;
  InHook pointerInHook(const clang::Expr *pointer) const;

private:
  std::optional<Bytes> address(const clang::Expr *lvalue, bool widest) const;
  std::optional<Bytes> pointer(const clang::Expr *e, bool widest) const;
  std::optional<Bytes> loaded(const clang::Expr *lvalue) const;
  std::optional<Bytes> element(const clang::ArraySubscriptExpr *e,
                               bool widest) const;
  std::optional<Bytes> shifted(std::optional<Bytes> from,
                               const clang::Expr *index, int64_t size_bytes,
                               int64_t count, bool widest) const;
  void addField(Bytes &bytes, const clang::FieldDecl *field) const;
  const clang::VarDecl *variable(const clang::Expr *e) const;
  std::optional<int64_t> size(clang::QualType type) const;
  const clang::Expr *plain(const clang::Expr *lvalue) const;
  InHook inHook(std::optional<Bytes> bytes, clang::QualType type) const;

  const clang::ASTContext &ast_;
  const llvm::DenseSet<const clang::VarDecl *> &shared_;
  /// While set, a hook's result is a pointer of its own, not its operand.
  mutable bool stopAtHook_ = false;
  mutable const clang::CallExpr *hook_ = nullptr;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SYNTAX_BYTES_H
