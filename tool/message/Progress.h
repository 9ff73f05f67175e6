//===- Progress.h - One line on a terminal ----------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_MESSAGE_PROGRESS_H
#define NVMOVE_TOOL_MESSAGE_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace nvmove {

/// Shows what takes longer than two seconds, as one line that is redrawn, on a
/// terminal only: also what began before the two seconds were over, and with
/// the seconds counted, so that one long step does not look like a hang. May be
/// called from several threads.
class Progress {
public:
  using Time = std::chrono::steady_clock::time_point;
  Progress(llvm::raw_ostream &os, bool enabled,
           Time begin = std::chrono::steady_clock::now())
      : os(os), enabled(enabled), begin(begin) {}
  ~Progress();
  void show(llvm::StringRef what, size_t done = 0, size_t total = 0);
  /// Removes the line; to be called before anything else is printed.
  void clear();

private:
  void draw();
  void tick();

  llvm::raw_ostream &os;
  const bool enabled;
  const Time begin;
  std::mutex mutex;
  std::condition_variable wakeUp; ///< the clock has to end
  std::thread clock;
  bool ending = false;
  std::string what; ///< "" after clear()
  size_t done = 0, total = 0;
  bool visible = false;
};

} // namespace nvmove

#endif // NVMOVE_TOOL_MESSAGE_PROGRESS_H
