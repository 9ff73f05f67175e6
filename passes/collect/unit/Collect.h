//===- Collect.h - From one C source file to its facts ----------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_COLLECT_UNIT_COLLECT_H
#define NVMOVE_PASSES_COLLECT_UNIT_COLLECT_H

#include "passes/facts/Facts.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>
#include <string>
#include <vector>

namespace nvmove {

/// One source file and how to compile it.
struct CompileJob {
  std::string file;      ///< absolute path
  std::string directory; ///< working directory of the command
  std::vector<std::string>
      arguments; ///< argv[0] is the compiler; the file is included
  /// The folder of <nvmove/nvm.h>, which is searched after all others; "" if
  /// there is none. No part of the command: it depends on the installation.
  std::string runtimeHeaders = {};
};

/// What the compiler said about a file that could not be compiled.
struct CompileFailure {
  std::string file;
  std::vector<std::string>
      messages; ///< "file:line:col: error: text", first ones first
  std::vector<std::string>
      missingHeaders; ///< names in #include that were not found
};

struct CollectResult {
  Facts facts;
  std::optional<CompileFailure> failure; ///< set: facts are empty
  std::vector<std::string>
      missingHeaders; ///< tolerated because nothing else failed
  uint32_t functionCount = 0;
};

/// Parses `job` and returns its facts. Thread-safe: may be called at once from
/// several threads for different jobs. Never prints. A missing header is
/// tolerated (its name is returned) when no other error follows from it.
/// Everything is read from `files`, whose working directory is changed; null:
/// from the disk.
CollectResult
collect(const CompileJob &job,
        llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr);

/// What Clang says of flags that it does not know, which collect() leaves out.
/// A command that was written for another compiler may well have some.
std::vector<std::string> unknownFlags(const std::vector<std::string> &flags);

/// The headers that collect() would not find, in order of first use. Runs the
/// preprocessor over directives alone, which takes a small part of the time
/// that parsing takes.
std::vector<std::string>
findMissingHeaders(const CompileJob &job,
                   llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);

} // namespace nvmove

#endif // NVMOVE_PASSES_COLLECT_UNIT_COLLECT_H
