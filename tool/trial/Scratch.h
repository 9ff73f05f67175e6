//===- Scratch.h - Copies of the current folder -----------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_SCRATCH_H
#define NVMOVE_TOOL_TRIAL_SCRATCH_H

#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <sys/types.h>

namespace nvmove {

/// Where a program runs: a copy of the current folder, a pool, and what it
/// writes to its standard error. Removed with the last of its owners.
struct ScratchPlace {
  ~ScratchPlace();
  std::string path;
  std::string files() const { return path + "/files"; }
  std::string pool() const { return path + "/pool"; }
  std::string errors() const { return path + "/errors"; }
  std::string driverErrors() const { return path + "/driver-errors"; }
};

/// A folder in memory, or where temporary files are. It is removed also when
/// this process is killed.
class Scratch {
public:
  /// Errors: folder-too-large, trial-failed.
  static llvm::Expected<std::unique_ptr<Scratch>> create();
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  using Place = std::unique_ptr<ScratchPlace>;
  /// A copy of the current folder, and no pool. Error: trial-failed.
  llvm::Expected<Place> fresh();
  /// The same files and pool. Error: trial-failed.
  llvm::Expected<Place> copyOf(const ScratchPlace &place);

private:
  Scratch() = default;
  llvm::Error watch();
  llvm::Expected<Place> copy(llvm::StringRef from, llvm::StringRef to);

  std::string root;
  pid_t watcher = -1;
  int toWatcher = -1;
  unsigned made = 0;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_SCRATCH_H
