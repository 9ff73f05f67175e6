//===- support.h - processes and pools for the runtime's tests --*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pool belongs to a process, and a crash ends one. So every scenario runs in
// a forked child; the test looks at how it ended and at the file it left.
//
//===----------------------------------------------------------------------===//
#ifndef NVMOVE_TEST_RUNTIME_SUPPORT_H
#define NVMOVE_TEST_RUNTIME_SUPPORT_H

#include "nvmove/nvm.h"
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace nvmtest {

/// In a child: ends it with a message unless the condition holds.
#define REQUIRE(condition)                                                     \
  ((condition) ? void(0)                                                       \
               : ::nvmtest::failInChild(__FILE__, __LINE__, #condition))
[[noreturn]] void failInChild(const char *file, int line, const char *text);

/// How a child ended, and what it wrote to stderr.
struct Ending {
  int exitStatus = -1; ///< -1: ended by a signal
  int signal = 0;
  std::string text;
  bool fine() const { return exitStatus == 0; }
  bool killed() const { return signal == 9; }
};
std::ostream &operator<<(std::ostream &out, const Ending &ending);

/// Waits until the clock by which the runtime tells that a commit is due has
/// gone on by so much: it goes in steps of some milliseconds, and they are late
/// where a machine is.
void letTimePass(int milliseconds);

/// Runs `body` in a forked child, then _exit(0): no exit handlers.
Ending inChild(const std::function<void()> &body);
/// The same, ending by exit(0).
Ending inChildWithExit(const std::function<void()> &body);

/// A directory that goes with the test.
class Directory {
public:
  explicit Directory(
      const char *where = nullptr); ///< default: tmpfs if there is one
  ~Directory();
  std::string operator/(const std::string &name) const {
    return path + "/" + name;
  }
  std::string path;
};

/// Names tests after their parameter: dual+thread gives
/// Of/Detach.X/dual_thread.
struct ByParameter {
  std::string operator()(const testing::TestParamInfo<const char *> &i) const {
    std::string name = i.param;
    for (char &c : name)
      c = c == '+' ? '_' : c;
    return name;
  }
  template <class Number>
  std::string operator()(const testing::TestParamInfo<Number> &i) const {
    return std::to_string(i.param);
  }
};

std::string readFile(const std::string &path);
void writeFile(const std::string &path, const std::string &bytes);
void copyFile(const std::string &from, const std::string &to);
/// Replaces bytes in place.
void patchFile(const std::string &path, size_t offset,
               const std::string &bytes);

constexpr unsigned long MiB = 1ul << 20;
/// A pool of this size that does not grow.
inline nvm_options ofSize(unsigned long size_bytes) {
  nvm_options options = {};
  options.size_bytes = options.max_size_bytes = size_bytes;
  return options;
}
/// nvm_open() with a small pool, a new one of engine redo unless another is
/// named; REQUIREs that it works.
void openPool(const std::string &path, nvm_options options = {});

/// A counter that survives the death of children.
class SharedLong {
public:
  SharedLong();
  ~SharedLong();
  long get() const { return __atomic_load_n(value, __ATOMIC_SEQ_CST); }
  void set(long x) { __atomic_store_n(value, x, __ATOMIC_SEQ_CST); }
  long add(long x) { return __atomic_add_fetch(value, x, __ATOMIC_SEQ_CST); }

private:
  long *value;
};

} // namespace nvmtest

#endif // NVMOVE_TEST_RUNTIME_SUPPORT_H
