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
  using Time = std::chrono::steady_clock::time_point;
  Progress(llvm::raw_ostream &os, bool enabled,
           Time begin = std::chrono::steady_clock::now())
      : os(os), enabled(enabled), begin(begin) {}
  ~Progress() { clear(); }
  void show(llvm::StringRef what, size_t done = 0, size_t total = 0);
  /// Removes the line; to be called before anything else is printed.
  void clear();

private:
  llvm::raw_ostream &os;
  const bool enabled;
  const Time begin;
  std::mutex mutex;
  bool visible = false;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_PROGRESS_H
