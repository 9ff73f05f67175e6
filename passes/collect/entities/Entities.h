//===- Entities.h - Types, records, variables and functions -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_ENTITIES_ENTITIES_H
#define NVMOVE_PASSES_COLLECT_ENTITIES_ENTITIES_H

#include "passes/collect/entities/SourceMap.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include <map>

namespace nvmove {

/// Set in the ids of nodes that belong to a definition, as long as their number
/// is not known: they follow all global nodes.
inline constexpr Id LocalNode = Id(1) << 31;

/// What the name stands for at file scope, or null.
template <class D>
const D *declarationOf(const clang::ASTContext &ast, llvm::StringRef name) {
  for (const clang::NamedDecl *d :
       ast.getTranslationUnitDecl()->lookup(&ast.Idents.get(name)))
    if (const auto *found = llvm::dyn_cast<D>(d))
      return found;
  return nullptr;
}

/// Interns what a translation unit talks about into Facts.
class Entities {
public:
  Entities(const clang::ASTContext &ast, SourceMap &map, Facts &facts)
      : ast_(ast), map_(map), facts_(facts) {}

  Id type(clang::QualType t);
  Id record(const clang::RecordDecl *r);
  /// Adds the name to the record, if the definition of that was met.
  void alias(const clang::TypedefNameDecl *name);
  Id field(const clang::FieldDecl *f);
  Id global(const clang::VarDecl *v); ///< node
  Id function(const clang::FunctionDecl *f);
  Id functionNode(const clang::FunctionDecl *f) {
    return facts_.functions[function(f)].node;
  }
  /// Record R for R and for arrays of R; None otherwise.
  Id recordOf(clang::QualType t);

private:
  Id handle(const clang::TypedefNameDecl *name);
  bool isFilledByText(const clang::VarDecl *v) const;
  Id intern(TypeKind kind, Id inner, uint64_t size_bytes);
  Id scalar(const clang::Type *t, uint64_t size_bytes);
  void fillRecord(Id id, const clang::RecordDecl *definition);
  void nameRecord(Record &r, const clang::RecordDecl *d);
  void nameUntagged(Record &r, const clang::RecordDecl *definition);
  std::string scopeOf(const clang::Decl *d) const;
  std::string uniqueKey(const std::string &key, const void *owner);

  const clang::ASTContext &ast_;
  SourceMap &map_;
  Facts &facts_;
  llvm::DenseMap<const clang::Type *, Id> types_;
  std::map<std::tuple<TypeKind, Id, uint64_t>, Id> interned_;
  llvm::DenseMap<const clang::Decl *, Id> records_, fields_, globals_,
      functions_;
  llvm::StringMap<Id> handles_; ///< types, by the names of typedefs
  llvm::StringMap<Id> functionByKey_, globalByKey_;
  llvm::StringMap<const void *> keyOwner_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_ENTITIES_ENTITIES_H
