//===- ShellLine.h - The commands in a line for the shell -------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_SHELLLINE_H
#define NVMOVE_TOOL_INPUT_SHELLLINE_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace nvmove {

/// A word as it is written, and without its quotes.
struct ShellWord {
  std::string raw, text;
  bool expands = false; ///< the shell makes something else of it: $, `, *, ~
};

/// One command of a line, without redirections and without the words of the
/// shell around it (then, do, !, {).
struct ShellCommand {
  std::vector<ShellWord> words;
  unsigned depth = 0; ///< in how many subshells: a cd there ends with it
};

/// Splits a line as a shell does, and runs nothing. What is in a
/// substitution stays one word.
std::vector<ShellCommand> parseShellLine(llvm::StringRef line);

/// NAME=value, which a shell takes for an assignment in front of a command.
bool isAssignment(llvm::StringRef raw);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_SHELLLINE_H
