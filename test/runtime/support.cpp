//===- support.cpp - processes and pools for the runtime's tests ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nvmtest {

void failInChild(const char *file, int line, const char *text) {
  dprintf(STDERR_FILENO, "%s:%d: does not hold: %s (%s)\n", file, line, text,
          nvm_errormsg());
  _exit(99);
}

std::ostream &operator<<(std::ostream &out, const Ending &ending) {
  return out << "exit " << ending.exitStatus << ", signal " << ending.signal
             << ", stderr:\n"
             << ending.text;
}

static Ending run(const std::function<void()> &body, bool withExit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    abort();
  fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    body();
    if (withExit)
      exit(0);
    _exit(0);
  }
  close(ends[1]);
  Ending ending;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0;)
    ending.text.append(buffer, size_t(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status))
    ending.exitStatus = WEXITSTATUS(status);
  else
    ending.signal = WTERMSIG(status);
  return ending;
}

void letTimePass(int milliseconds) {
  auto now = [] {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
  };
  for (const auto begin = now(); now() - begin < milliseconds;)
    usleep(1000);
}

Ending inChild(const std::function<void()> &body) { return run(body, false); }
Ending inChildWithExit(const std::function<void()> &body) {
  return run(body, true);
}

Directory::Directory(const char *where) {
  std::string pattern = where ? where
                        : access("/dev/shm", W_OK) == 0
                            ? "/dev/shm"
                            : std::filesystem::temp_directory_path();
  pattern += "/nvmove-test-XXXXXX";
  if (!mkdtemp(pattern.data()))
    abort();
  path = pattern;
}

Directory::~Directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::string bytes(in ? size_t(in.tellg()) : 0, 0);
  in.seekg(0).read(bytes.data(), std::streamsize(bytes.size()));
  return bytes;
}

void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void copyFile(const std::string &from, const std::string &to) {
  std::filesystem::copy_file(from, to,
                             std::filesystem::copy_options::overwrite_existing);
}

void patchFile(const std::string &path, size_t offset,
               const std::string &bytes) {
  int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0 || pwrite(fd, bytes.data(), bytes.size(), off_t(offset)) !=
                    ssize_t(bytes.size()))
    abort();
  close(fd);
}

void openPool(const std::string &path, nvm_options options) {
  if (!options.size_bytes)
    options.size_bytes = options.max_size_bytes = 32 * MiB;
  if (!options.engine && access(path.c_str(), F_OK) != 0)
    options.engine = "redo";
  REQUIRE(nvm_open(path.c_str(), &options) == 0);
}

SharedLong::SharedLong()
    : value(static_cast<long *>(mmap(nullptr, sizeof(long),
                                     PROT_READ | PROT_WRITE,
                                     MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
SharedLong::~SharedLong() { munmap(value, sizeof(long)); }

} // namespace nvmtest
