//===- DefinitionFacts.h - The facts of one definition ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_DEFINITIONFACTS_H
#define NVMOVE_PASSES_COLLECT_BODY_DEFINITIONFACTS_H

#include "passes/collect/body/UnitState.h"
#include "passes/facts/IdSet.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace nvmove {

/// Appends the facts of one function or static to those of the unit: nodes,
/// flow between them, and which call or store became which fact.
///
/// Nodes that only this definition knows carry LocalNode in their ids.
class DefinitionFacts {
public:
  explicit DefinitionFacts(UnitState &unit) : u_(unit) {}

  void beginFunction(const clang::FunctionDecl *f);
  void beginStatic(const clang::VarDecl *v);
  void end(); ///< nothing is added behind it

  UnitState &unit() const { return u_; }
  clang::ASTContext &ast() const { return u_.ast; }
  Facts &facts() const { return u_.facts; }
  SourceMap &map() const { return u_.map; }
  Entities &entities() const { return u_.entities; }
  Definition &definition() { return d_; }
  Id function() const { return function_; }   ///< None in a static
  bool isStatic() const { return isStatic_; } ///< in a static's initialiser

  //===-- Nodes -----------------------------------------------------------===//

  Id addLocal(NodeKind kind, llvm::StringRef name, clang::QualType type,
              clang::SourceLocation at);
  Id temp(clang::QualType type, clang::SourceLocation at) {
    return addLocal(NodeKind::Temp, "", type, at);
  }
  /// For the address of a `pointee`.
  Id addressTemp(clang::QualType pointee, clang::SourceLocation at);
  Id variable(const clang::VarDecl *v);
  /// The node that holds the variable's address.
  Id addressOf(const clang::VarDecl *v, clang::SourceLocation at);
  Node &node(Id id);
  /// What is written or tested: a variable's node, or a member.
  std::pair<Id, Id> idOf(const clang::ValueDecl *place);

  //===-- Flow ------------------------------------------------------------===//

  void flow(Flow flow, Id dst, Id src, clang::SourceLocation at,
            Id extra = None);
  /// Nothing where either is None.
  void copy(Id dst, Id src, clang::SourceLocation at);
  /// What has this type, to the address: a record is copied.
  void store(Id address, Id what, clang::QualType type,
             clang::SourceLocation at);
  /// A value that depends on the operands; None where all of them are.
  Id arithmetic(std::initializer_list<Id> operands, clang::QualType type,
                clang::SourceLocation at);
  Id indexed(Id pointer, Id index, clang::QualType type,
             clang::SourceLocation at);
  /// Of a call, a function or va_arg; of a record: its address.
  Id valueOfResult(Id result, clang::QualType type, clang::SourceLocation at);
  /// `what` is returned by the function.
  void returned(Id what, clang::QualType type, clang::SourceLocation at);
  void gap(Gap::Kind kind, clang::SourceLocation at, const std::string &what);

  //===-- Calls and stores ------------------------------------------------===//

  /// Their indices in the facts. Some calls are not collected: of built-ins.
  Id addCall(const clang::CallExpr *e, Call call);
  Id addStore(const clang::Expr *store, StoreSite site); ///< `store` or null
  void addStaticWrite(const clang::Expr *store,
                      StaticWrite write); ///< likewise
  /// None where it was not collected.
  Id callOf(const clang::CallExpr *e) const;
  Id storeOf(const clang::Expr *store) const;
  Id staticWriteOf(const clang::Expr *store) const;
  /// The node of what a collected call gives back.
  Id resultOf(const clang::CallExpr *e) const;

private:
  void begin();

  UnitState &u_;
  Definition d_;
  Id function_ = None;
  bool isStatic_ = false;
  llvm::DenseMap<const clang::VarDecl *, Id> locals_;
  IdMap<Id> addressOf_; ///< variable -> the temp that holds its address
  llvm::DenseMap<const clang::CallExpr *, Id> calls_;
  llvm::DenseMap<const clang::Expr *, Id> stores_, staticWrites_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_DEFINITIONFACTS_H
