//===- StoreContexts.h - What runs around a store ---------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_BODY_STORECONTEXTS_H
#define NVMOVE_PASSES_COLLECT_BODY_STORECONTEXTS_H

#include "passes/collect/body/DefinitionFacts.h"
#include "passes/collect/body/EnclosingStatements.h"
#include "passes/collect/scans/Announcements.h"
#include <optional>

namespace nvmove {

/// Fills in what a store stores, which hook before it announces it, and the
/// calls that its value and the hook need.
class StoreContexts {
public:
  StoreContexts(DefinitionFacts &out, EnclosingStatements &enclosing)
      : out_(out), enclosing_(enclosing) {}

  void beginFunction(const clang::FunctionDecl *f) {
    announcements_.emplace(out_.ast(), f);
  }
  /// Names the calls that only the end of the function shows.
  void end();

  /// Of the store that is added next. `store`: the operator; null where there
  /// is none.
  void describe(const clang::Expr *store, StoreSite &s);
  /// Of a store that cannot be edited in place, what to announce before.
  void announceBefore(const clang::Expr *store, const clang::Expr *lvalue,
                      StoreSite &s);

private:
  Stored storedBy(const clang::Expr *store) const;
  Callees calleesOf(const CallList &calls) const;

  struct Context {
    Id store;
    CallList within, since;
  };
  DefinitionFacts &out_;
  EnclosingStatements &enclosing_;
  std::optional<Announcements> announcements_;
  std::vector<Context> contexts_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_BODY_STORECONTEXTS_H
