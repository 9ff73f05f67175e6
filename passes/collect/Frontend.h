//===- Frontend.h - Runs Clang over one file --------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_FRONTEND_H
#define NVMOVE_PASSES_COLLECT_FRONTEND_H

#include "passes/collect/Branches.h"
#include "passes/collect/Collect.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace nvmove {

struct ParseOutcome {
  bool parsed = false; ///< `use` was called with an AST free of errors
  std::vector<std::string> messages;
  std::vector<std::string> missingHeaders; ///< in order of first use
};

/// Parses the job's file and hands its AST to `use`, which must not keep it,
/// with the parts of its #ifs.
/// Bodies of functions in system headers are not parsed.
ParseOutcome
parse(const CompileJob &job,
      llvm::function_ref<void(clang::ASTContext &, const Branches &)> use);

/// The arguments of `job` that matter for parsing, in a form that Clang takes
/// whatever compiler they were written for. Exposed for tests.
std::vector<std::string> parsingArguments(const CompileJob &job);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_FRONTEND_H
