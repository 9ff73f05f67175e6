//===- ShellRun.h - Commands that are run to ask something ------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_SHELLRUN_H
#define NVMOVE_TOOL_INPUT_SHELLRUN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace nvmove {

struct ShellResult {
  int status = 0; ///< its exit code; 1 also where a signal ended it
  std::string output, complaints;
};

/// Runs `script` in a shell in `directory`, with nothing to read; `variables`
/// are NAME=value, and come before those of the environment.
llvm::Expected<ShellResult> runShell(llvm::StringRef script,
                                     llvm::StringRef directory,
                                     std::vector<std::string> variables = {});

/// The text of a dry run: `command` with MAKEFLAGS that make it print the
/// commands of the whole build and run none. The Makefiles themselves are not
/// made again, which a dry run would do otherwise.
llvm::Expected<ShellResult> runDry(llvm::StringRef command,
                                   llvm::StringRef directory);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_SHELLRUN_H
