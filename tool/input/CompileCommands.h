//===- CompileCommands.h - How each source file is compiled -----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_COMPILECOMMANDS_H
#define NVMOVE_TOOL_INPUT_COMPILECOMMANDS_H

#include "passes/collect/unit/Collect.h"
#include "tool/input/Programs.h"
#include "tool/message/Diagnostics.h"
#include "tool/options/Options.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace nvmove {

struct PlannedJob {
  CompileJob job;
  /// Nobody said how to compile this file: include directories may be added.
  bool inferred = false;
};

/// A file that was given but not analysed, and why.
struct OmittedFile {
  std::string file; ///< canonical
  MessageId id;     ///< SkippedFile, IncludedFile or OtherProgram
  std::string why;
  std::vector<std::string> messages; ///< what the compiler said first
};

struct CompilePlan {
  std::vector<PlannedJob> jobs; ///< in the order of the files given
  std::string database;         ///< the compile_commands.json used; "" if none
  std::string build;            ///< what --make ran; "" if nothing
  /// One that was found but names none of the files; "" if none.
  std::string ignoredDatabase;
  std::vector<ProgramFiles> otherPrograms; ///< of the build: they do not load
  std::vector<OmittedFile> omitted;        ///< files of the build
  /// Of the build: the program has them of a static library alone.
  std::vector<std::string> members;
};

/// Takes the flags from, in this order: what follows `--`; the database named
/// by -p; the build that --make names; a compile_commands.json in a folder
/// above the first file that names at least one of the files; else -std=gnu99,
/// to be completed by IncludeSearch. `sources` are canonical; empty: every C
/// file of the database.
llvm::Expected<CompilePlan> planCompilation(const Options &options,
                                            llvm::ArrayRef<std::string> sources,
                                            Diagnostics &diagnostics);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_COMPILECOMMANDS_H
