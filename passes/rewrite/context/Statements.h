//===- Statements.h - Code before and after a statement ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_REWRITE_CONTEXT_STATEMENTS_H
#define NVMOVE_PASSES_REWRITE_CONTEXT_STATEMENTS_H

#include "passes/rewrite/context/Context.h"

namespace nvmove {

/// Code before and after a statement.
struct Bracket {
  std::string before, after; ///< e.g. "nvm_begin();", "nvm_end();"
  bool beforeOnOwnLine = false,
       afterOnOwnLine = false; ///< where the layout of the text allows it
  Layer layer;
  Rank rank;
};
/// Puts it there, with braces where the statement is not directly in a
/// compound. The statement must be one that whyNotBracketed() has no objection
/// to. True when this is new.
bool bracketStatement(Context &context, const StatementSpan &statement,
                      const Bracket &bracket);

/// Empty when code may be put before and after the statement such that both run
/// exactly when it does; else the reason why not, as the end of a sentence.
std::string whyNotBracketed(const Context &context,
                            const StatementSpan &statement);
/// The same for code that is put before it alone.
std::string whyNotPreceded(const Context &context,
                           const StatementSpan &statement);

/// First token of the statement.
llvm::StringRef leadingWord(const Context &context,
                            const StatementSpan &statement);

} // namespace nvmove

#endif // NVMOVE_PASSES_REWRITE_CONTEXT_STATEMENTS_H
