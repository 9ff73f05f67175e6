//===- Child.h - A program that is fed and watched --------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_TOOL_TRIAL_CHILD_H
#define NVMOVE_TOOL_TRIAL_CHILD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <chrono>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace nvmove {

using Seconds = std::chrono::duration<double>;

struct ChildOptions {
  enum class Output {
    Terminal,  ///< kept, and the C library hands on each line that is printed
    Pipe,      ///< kept
    WithErrors ///< goes where its standard error does
  };
  std::vector<std::string> arguments; ///< with the program's name
  std::string folder;                 ///< where it runs
  std::vector<std::string> environment;
  std::string errors; ///< the file that its standard error is appended to
  Output output = Output::Terminal;
  bool server = false; ///< may wait for others instead of its input
};

/// The environment of this process, without what would make a run of a moved
/// program another one.
std::vector<std::string> environmentForRuns();

/// A child in a session of its own, which ends when this process does. Its
/// input is a pipe.
class Child {
public:
  enum class State {
    Rest,    ///< waits for more input
    Ended,   ///< see status()
    TimedOut ///< neither within the limit
  };

  /// Error: trial-failed.
  static llvm::Expected<std::unique_ptr<Child>> start(const ChildOptions &);
  ~Child(); ///< kills it
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  /// Gives it a line, without its end, and waits.
  State feed(llvm::StringRef line, Seconds limit);
  /// Waits until it is at rest: it has read all its input, and each of its
  /// threads sleeps in a system call that waits for something from outside, one
  /// of them for more input, or of a server for others.
  State await(Seconds limit);
  /// The end of its input; waits until it has ended.
  State finish(Seconds limit);
  /// Asks it to end (SIGTERM), and waits until it has.
  State terminate(Seconds limit);
  /// kill -9, of its whole session.
  void kill();

  pid_t pid() const { return child; }
  /// What it has printed since the last call.
  std::string takeOutput();
  /// As waitpid() gives it; once it has ended.
  int status() const { return waitStatus; }
  bool hasEnded() { return reap(); }

private:
  Child() = default;
  void drain();
  bool reap();
  bool isAtRest();
  State wait(Seconds limit, bool forEnd);

  pid_t child = -1;
  int input = -1, output = -1;
  bool server = false;
  ino_t inputInode = 0;
  bool ended = false;
  int waitStatus = 0;
  std::string printed;
  std::string lastLook; ///< of its threads
  std::chrono::steady_clock::time_point quietSince;
};

/// "signal 11 (Segmentation fault)", "status 78".
std::string describeStatus(int waitStatus);

} // namespace nvmove

#endif // NVMOVE_TOOL_TRIAL_CHILD_H
