//===- Cache.h - Results of earlier runs ------------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_INPUT_CACHE_H
#define NVMOVE_TOOL_INPUT_CACHE_H

#include "passes/collect/unit/Collect.h"
#include "passes/collect/unit/FileSnapshot.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace nvmove {

/// A folder of results, each with the answers of the file system that it rests
/// upon. A result is found again only if every answer is still the same: the
/// contents of each file that was read, the files that were looked for in vain.
///
/// Thread-safe; several processes may share the folder. An entry that cannot
/// be read is no entry. Old entries are removed when the folder grows beyond
/// its bound; removing the folder at any time does no harm.
class Cache {
public:
  /// Finds nothing and keeps nothing.
  Cache() = default;

  /// Makes the folder if need be.
  static llvm::Expected<Cache> open(llvm::StringRef folder);

  /// The user's cache folder: $XDG_CACHE_HOME/nvmove, else ~/.cache/nvmove; ""
  /// if there is none.
  static std::string defaultFolder();

  /// All that decides a result besides files: this very program, what is asked
  /// for, how the file is compiled, the environment of the compiler.
  static std::string key(llvm::StringRef what, const CompileJob &job);

  struct Found {
    std::vector<Dependency> dependencies;
    std::string value;
  };
  std::optional<Found> find(llvm::StringRef key, FileSnapshot &files);

  /// An error in writing is ignored: the next run then collects again.
  void store(llvm::StringRef key, std::vector<Dependency> dependencies,
             std::string value);

  /// Removes what has not been used for long, and more if there is too much.
  void prune();

private:
  std::string entryFile(llvm::StringRef key) const;

  std::string folder_; ///< "" when off
};

} // namespace nvmove

#endif // NVMOVE_TOOL_INPUT_CACHE_H
