//===- program.h - a program with a replica --------------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_PROGRAM_H
#define NVMOVE_TEST_RUNTIME_PROGRAM_H

#include "replica_process.h"
#include "support.h"
#include <string>
#include <utility>
#include <vector>

namespace nvmtest {

/// A process that steps the world, and says after each step that it is done.
class Program {
public:
  Program(std::string pool, const Replica &replica);
  ~Program();
  Program &env(const std::string &name, const std::string &value);
  void start(const std::string &engine, long mostSteps = 1000000);
  /// Until so many steps are done; fails the test if they are not.
  void awaitSteps(long steps);
  /// Its exit status, or minus the number of a signal.
  int end();
  void kill();
  void signal(int number);
  std::string text() const; ///< all that it has said

  std::string pool;
  SharedLong acknowledged; ///< steps

private:
  std::vector<std::pair<std::string, std::string>> environment;
  pid_t pid = -1;
  void body(const std::string &engine, long mostSteps);
};

/// The world in this pool has at least these steps, and is what the model says.
void expectWorld(const std::string &pool, long least);

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_PROGRAM_H
