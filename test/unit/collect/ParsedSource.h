//===- ParsedSource.h - Parts of a parsed snippet ---------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TEST_UNIT_COLLECT_PARSEDSOURCE_H
#define NVMOVE_TEST_UNIT_COLLECT_PARSEDSOURCE_H

#include "passes/collect/body/UnitState.h"
#include "passes/collect/syntax/Walk.h"
#include "clang/Frontend/ASTUnit.h"
#include <string>
#include <vector>

namespace nvmove::test {

/// A C snippet, parsed, for parts of the collector that take what Clang makes
/// of it. Aborts with Clang's messages when it does not compile.
class ParsedSource {
public:
  explicit ParsedSource(const std::string &code);

  clang::ASTContext &ast() const { return unit_->getASTContext(); }

  /// What has this name at file scope or in a function: the first one.
  template <class D = clang::VarDecl> D *find(llvm::StringRef name) const {
    for (clang::NamedDecl *d : named_)
      if (d->getName() == name)
        if (auto *found = llvm::dyn_cast<D>(d))
          return found;
    return nullptr;
  }
  clang::FunctionDecl *function(llvm::StringRef name = "f") const {
    return find<clang::FunctionDecl>(name);
  }
  const clang::CompoundStmt *body(llvm::StringRef name = "f") const {
    return llvm::cast<clang::CompoundStmt>(function(name)->getBody());
  }
  /// A statement of the body of f, counted from 0.
  const clang::Stmt *statement(unsigned index) const {
    return body()->body_begin()[index];
  }
  /// One that is an expression, without casts that nobody wrote.
  const clang::Expr *expression(unsigned index) const {
    return llvm::cast<clang::Expr>(statement(index))->IgnoreParenImpCasts();
  }
  /// All of a kind below `s`, in their order.
  template <class S> static std::vector<const S *> all(const clang::Stmt *s) {
    std::vector<const S *> found;
    walk(s, [&](const clang::Stmt *part) {
      if (const auto *one = llvm::dyn_cast<S>(part))
        found.push_back(one);
      return true;
    });
    return found;
  }

private:
  std::unique_ptr<clang::ASTUnit> unit_;
  std::vector<clang::NamedDecl *> named_;
};

/// What the definitions of a snippet share.
struct ParsedUnit {
  explicit ParsedUnit(const std::string &code)
      : source(code),
        map(source.ast().getSourceManager(), source.ast().getLangOpts(), facts),
        entities(source.ast(), map, facts),
        state{source.ast(), facts,       map, entities,
              DeadEnds(),   ChildCode(), {},  {}} {}

  ParsedSource source;
  Facts facts;
  SourceMap map;
  Entities entities;
  UnitState state;
};

} // namespace nvmove::test

#endif // NVMOVE_TEST_UNIT_COLLECT_PARSEDSOURCE_H
