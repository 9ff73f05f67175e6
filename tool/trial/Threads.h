//===- Threads.h - Whether a process waits ----------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_THREADS_H
#define NVMOVE_TOOL_TRIAL_THREADS_H

#include <string>
#include <sys/types.h>

namespace nvmove {

/// What /proc says of the threads of a process, at one moment.
struct ThreadsLook {
  unsigned count = 0;
  /// Each sleeps in a system call that waits for something from outside.
  bool allWait = false;
  bool atInput = false;   ///< one reads the pipe
  bool forAny = false;    ///< one waits for some descriptor, or reads the pipe
  bool forOthers = false; ///< one waits for a connection or a message
  std::string text;       ///< changes when a thread has run in between
};

/// `pipe`: the inode of the pipe that is the input of the process.
ThreadsLook lookAtThreads(pid_t pid, ino_t pipe);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_THREADS_H
