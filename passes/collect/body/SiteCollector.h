//===- SiteCollector.h - Stores, and uses of addresses ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_SITECOLLECTOR_H
#define NVMOVE_PASSES_COLLECT_BODY_SITECOLLECTOR_H

#include "passes/collect/body/LoopNest.h"
#include "passes/collect/body/PathConditions.h"
#include "passes/collect/body/StoreContexts.h"
#include "passes/collect/syntax/Places.h"

namespace nvmove {

/// Adds what is written and where, with the text that an edit would change:
/// stores through pointers, writes to statics and locals, uses of the addresses
/// of statics.
class SiteCollector {
public:
  SiteCollector(DefinitionFacts &out, const PathConditions &path,
                EnclosingStatements &enclosing, const LoopNest &loops,
                StoreContexts &contexts)
      : out_(out), path_(path), enclosing_(enclosing), loops_(loops),
        contexts_(contexts) {}

  /// `lvalue`, whose address is in `target`, is given `what`. `op`: where the
  /// operator stands; `store`: it, or null where there is none.
  void writeSite(const clang::Expr *lvalue, Id target, Id what,
                 clang::SourceLocation op, bool readModifyWrite,
                 const clang::Expr *store = nullptr);
  /// An atomic operation writes what `pointer` points to.
  void atomicSite(const clang::Expr *pointer, Id target, Id what,
                  bool readModifyWrite);
  /// All of a local record, or an array.
  void initialised(Id local, clang::SourceLocation at);
  /// The address of the static in `p`, or of a part of it, is in `result`.
  void addressUse(const Place &p, const clang::Expr *spelled, Id result);
  void functionUse(const clang::FunctionDecl *f, const clang::Expr *spelled,
                   Id result);

  /// Walks the operand of a hook which stands for another one in the program
  /// as it was.
  void walkHook(llvm::function_ref<void()> walk);
  bool inHook() const { return inHook_; }

  /// From now on gathers there what comparisons and conditions look at, for the
  /// value that is being assigned; null: nowhere. Gives what it was before.
  std::vector<Id> *judgeInto(std::vector<Id> *list) {
    return std::exchange(judged_, list);
  }
  void judge(Id value) {
    if (judged_)
      judged_->push_back(value);
  }

private:
  using Expr = clang::Expr;
  void storeSite(const Expr *lvalue, const Place &p, Id target,
                 clang::SourceLocation op, bool readModifyWrite,
                 const Expr *store);
  StaticWrite writeTo(Id variable, const Place &p, const Expr *lvalue,
                      Id target, Id what, clang::SourceLocation at,
                      bool readModifyWrite, const Expr *store);
  void fillRecordAndField(const Place &p, StoreSite &s);

  DefinitionFacts &out_;
  const PathConditions &path_;
  EnclosingStatements &enclosing_;
  const LoopNest &loops_;
  StoreContexts &contexts_;
  std::vector<Id> *judged_ = nullptr;
  unsigned inHook_ = 0;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_SITECOLLECTOR_H
