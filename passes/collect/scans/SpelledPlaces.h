//===- SpelledPlaces.h - Places of memory, by their spelling ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_SCANS_SPELLEDPLACES_H
#define NVMOVE_PASSES_COLLECT_SCANS_SPELLEDPLACES_H

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <vector>

namespace nvmove {

/// Without what changes neither the place nor the pointer: parentheses, casts
/// and hooks.
const clang::Expr *spelled(const clang::Expr *e);

/// Numbers the places of a function by how they are spelled: job->owner is one,
/// wherever it stands.
class SpelledPlaces {
public:
  SpelledPlaces(const clang::ASTContext &ast) : ast_(ast) {}

  /// The same for the same text; nothing for what may differ each time.
  std::optional<unsigned> find(const clang::Expr *e);
  unsigned of(const clang::VarDecl *v) {
    return number({{v->getCanonicalDecl()}});
  }
  /// Those that name the declaration.
  llvm::ArrayRef<unsigned> thatName(const clang::ValueDecl *d) const;
  /// Those that begin with the place, and are longer.
  std::vector<unsigned> within(unsigned place) const;

private:
  /// A declaration that is named, or, without one, what is applied to what was
  /// named, and constants of the program: numbers that may be any.
  struct Word {
    const clang::ValueDecl *named = nullptr;
    uint64_t number = 0;
    auto operator<=>(const Word &) const = default;
  };
  /// In the order of evaluation.
  using Text = std::vector<Word>;

  unsigned number(Text text);
  static void put(Text &text, uint64_t number) {
    text.push_back({nullptr, number});
  }
  bool spell(const clang::Expr *e, Text &text) const;

  const clang::ASTContext &ast_;
  std::map<Text, unsigned> numbers_;
  std::vector<std::map<Text, unsigned>::const_iterator> texts_;
  llvm::DenseMap<const clang::ValueDecl *, std::vector<unsigned>> mentions_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_SCANS_SPELLEDPLACES_H
