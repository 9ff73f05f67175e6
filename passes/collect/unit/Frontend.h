//===- Frontend.h - Runs Clang over one file --------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_UNIT_FRONTEND_H
#define NVMOVE_PASSES_COLLECT_UNIT_FRONTEND_H

#include "passes/collect/unit/Branches.h"
#include "passes/collect/unit/Collect.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
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
/// `files`: see collect().
ParseOutcome
parse(const CompileJob &job,
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
      llvm::function_ref<void(clang::ASTContext &, const Branches &)> use);

/// Runs `action` over the job's file; gives whether Clang was content, or the
/// reason why it could not be started. `files` may be null.
llvm::ErrorOr<bool>
runClang(const CompileJob &job,
         llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
         std::unique_ptr<clang::FrontendAction> action,
         clang::DiagnosticConsumer &messages);

/// Notes in `names` which headers are not found, and goes on as if they were
/// empty.
std::unique_ptr<clang::PPCallbacks>
noteMissingHeaders(std::vector<std::string> &names);

/// The arguments of `job` that matter for parsing, in a form that Clang takes
/// whatever compiler they were written for. Exposed for tests.
std::vector<std::string> parsingArguments(const CompileJob &job);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_UNIT_FRONTEND_H
