//===- Build.h - The programs of a build, by a dry run of it ----*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_BUILD_H
#define NVMOVE_TOOL_INPUT_BUILD_H

#include "tool/input/BuildLog.h"
#include "tool/input/Programs.h"
#include "tool/message/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace nvmove {

struct Build {
  /// First those of programs that may define a load function: of a file that is
  /// compiled in several ways, theirs counts.
  std::vector<Compilation> compilations;
  std::vector<ProgramFiles> otherPrograms; ///< those that define none
  std::vector<std::string> others;         ///< files that only these need
  /// Files that programs which may define a load function take from libraries
  /// alone.
  std::vector<std::string> members;
  bool isChosen = false; ///< there is a program with one of the files given
};

/// Runs `command` dry, here, and reads what it would do. A program may define a
/// function of `load` if one of its source files names it, and counts only if
/// it has one of `files`, unless there are none. If no program is left, there
/// are no other ones either.
llvm::Expected<Build> readBuild(llvm::StringRef command,
                                llvm::ArrayRef<std::string> load,
                                llvm::ArrayRef<std::string> files,
                                Diagnostics &diagnostics);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_BUILD_H
