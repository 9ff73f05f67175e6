//===- Progress.h - One line on a terminal ----------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_PROGRESS_H
#define NVMOVE_TOOL_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <mutex>

namespace nvmove {

/// Shows what takes longer than two seconds, as one line that is redrawn, on a
/// terminal only. May be called from several threads.
class Progress {
public:
  Progress(llvm::raw_ostream &os, bool enabled)
      : os(os), enabled(enabled), begin(std::chrono::steady_clock::now()) {}
  ~Progress() { clear(); }
  void show(llvm::StringRef what, size_t done = 0, size_t total = 0);
  /// Removes the line; to be called before anything else is printed.
  void clear();

private:
  llvm::raw_ostream &os;
  const bool enabled;
  const std::chrono::steady_clock::time_point begin;
  std::mutex mutex;
  bool visible = false;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_PROGRESS_H
