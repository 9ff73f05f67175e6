//===- replica_process.h - nvm-replica as a test has it ---------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_REPLICA_PROCESS_H
#define NVMOVE_TEST_RUNTIME_REPLICA_PROCESS_H

#include <string>
#include <sys/types.h>
#include <vector>

namespace nvmtest {

/// Is there support in this build?
bool hasReplicas();

/// A process nvm-replica on a port of its own, which stays the same when it is
/// started again.
class Replica {
public:
  explicit Replica(std::string pool, std::vector<std::string> more = {});
  ~Replica();
  void start(); ///< comes back when it listens, or has ended
  void signal(int number);
  void kill(); ///< SIGKILL
  /// SIGTERM: it brings all home. Gives back its exit status.
  int stop();
  std::string address() const { return "127.0.0.1:" + std::to_string(port); }
  std::string text() const; ///< all that it has said
  bool runs() const { return pid > 0; }
  /// Until it has said that. False: it has not within some seconds.
  bool says(const std::string &what) const;

  std::string pool;
  unsigned port = 0;

private:
  std::vector<std::string> more;
  std::string log;
  pid_t pid = -1;
};

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_REPLICA_PROCESS_H
