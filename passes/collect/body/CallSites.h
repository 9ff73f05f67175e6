//===- CallSites.h - What a call looks like ---------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_CALLSITES_H
#define NVMOVE_PASSES_COLLECT_BODY_CALLSITES_H

#include "passes/collect/body/DefinitionFacts.h"
#include "passes/collect/scans/VariableUses.h"
#include "passes/collect/scans/ZeroRecords.h"

namespace nvmove {

/// Fills in what the syntax of a call shows: its text and that of its
/// arguments, constants among them, buffers, and sizes.
class CallSites {
public:
  CallSites(DefinitionFacts &out, const VariableUses &uses)
      : out_(out), uses_(uses), zeroRecords_(out.ast()) {}

  /// `e`, met before what is within it, is the call with the casts and
  /// parentheses around it.
  void noteWhole(const clang::CallExpr *call, const clang::Expr *e) {
    whole_.try_emplace(call, e);
  }
  /// `callee`: the function that is called by name, or null.
  void describe(const clang::CallExpr *e, const clang::FunctionDecl *callee,
                Call &c);
  /// sizeof within an argument says what a block is for. Calls within are left
  /// out: their sizes are their own.
  void addSizes(const clang::Stmt *argument, Call &c);

private:
  bool isUnknownOfLibrary(const clang::FunctionDecl *callee) const;
  void addSpans(const clang::CallExpr *e, Call &c);
  void addBuffers(const clang::CallExpr *e, const clang::FunctionDecl *callee,
                  Call &c);

  DefinitionFacts &out_;
  const VariableUses &uses_;
  ZeroRecords zeroRecords_;
  llvm::DenseMap<const clang::CallExpr *, const clang::Expr *> whole_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_CALLSITES_H
