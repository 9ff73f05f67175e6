//===- BuildLog.h - What the commands of a build make -----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   make -nwBk --> lines --ShellLine--> commands --> compilations, links
//                                                        |
//                              programs: which sources each is made of
//
// The text may as well be the log of a build that has run.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_BUILDLOG_H
#define NVMOVE_TOOL_INPUT_BUILDLOG_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace nvmove {

/// A source file on its way to an object.
struct Compilation {
  std::string source; ///< canonical
  std::string directory;
  std::vector<std::string> arguments; ///< the compiler first
};

/// A program, and the C files that it is made of. Of a static library all
/// members count: which of them the linker takes is known by their symbols.
struct LinkedProgram {
  std::string output;           ///< absolute
  std::vector<size_t> compiled; ///< indices into the compilations
  std::vector<size_t> members;  ///< those that libraries alone bring
};

struct BuildLog {
  std::vector<Compilation> compilations;
  std::vector<LinkedProgram> programs;
};

/// Reads the text of a dry run that began in `directory`. Nothing of it is run
/// but substitutions ($(..), `..`) in the arguments of a compiler, which ask
/// for them.
BuildLog readBuildLog(llvm::StringRef text, llvm::StringRef directory);

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_BUILDLOG_H
