//===- Scratch.cpp - Copies of the current folder -------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Scratch.h"
#include "tool/files/Paths.h"
#include "tool/message/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace nvmove {

namespace {

constexpr uint64_t largestFolderBytes = uint64_t(1) << 30;

Error failed(const Twine &what, StringRef why) {
  return makeError(MessageId::TrialFailed, (what + ": " + why).str());
}

/// What the files of a folder take on the disk.
uint64_t bytesIn(StringRef folder) {
  uint64_t bytes = 0;
  std::error_code ec;
  for (sys::fs::recursive_directory_iterator it(folder, ec, false), end;
       it != end && !ec && bytes <= largestFolderBytes; it.increment(ec)) {
    struct stat status;
    if (lstat(it->path().c_str(), &status) == 0)
      bytes += uint64_t(status.st_blocks) * 512;
  }
  return bytes;
}

/// Room for three places: one that was killed, its copy, and the next.
std::string folderFor(uint64_t bytes) {
  const char *memory = "/dev/shm";
  struct statvfs status;
  uint64_t wanted = 3 * (bytes + (uint64_t(128) << 20));
  if (statvfs(memory, &status) == 0 && access(memory, W_OK) == 0 &&
      uint64_t(status.f_bavail) * status.f_frsize >= wanted)
    return memory;
  SmallString<128> temporary;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, temporary);
  return std::string(temporary);
}

} // namespace

ScratchPlace::~ScratchPlace() {
  if (!path.empty())
    sys::fs::remove_directories(path);
}

Expected<std::unique_ptr<Scratch>> Scratch::create() {
  uint64_t bytes = bytesIn(".");
  if (bytes > largestFolderBytes)
    return makeError(MessageId::FolderTooLarge,
                     "each run gets a copy of the current folder, and this one "
                     "has more than 1 GiB",
                     {currentDirectory()});
  std::string name = folderFor(bytes) + "/nvmove-trial-XXXXXX";
  if (!mkdtemp(name.data()))
    return failed("cannot make the folder " + name, strerror(errno));
  std::unique_ptr<Scratch> result(new Scratch());
  result->root = std::move(name);
  if (Error error = result->watch())
    return error;
  return result;
}

/// A process that removes the folder when this one has ended in any way: the
/// system closes the pipe then.
Error Scratch::watch() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0)
    return failed("cannot make a pipe", strerror(errno));
  toWatcher = ends[1];
  const char *arguments[] = {"rm", "-rf", "--", root.c_str(), nullptr};
  watcher = fork();
  if (watcher == 0) {
    setsid();
    close(ends[1]);
    int nothing = open("/dev/null", O_RDWR);
    for (int fd : {0, 1, 2})
      dup2(nothing, fd);
    char byte;
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
      ;
    execvp(arguments[0], const_cast<char **>(arguments));
    _exit(127);
  }
  close(ends[0]);
  return watcher < 0 ? failed("cannot start a process", strerror(errno))
                     : Error::success();
}

Scratch::~Scratch() {
  if (!root.empty())
    sys::fs::remove_directories(root);
  if (toWatcher >= 0)
    close(toWatcher);
  if (watcher > 0)
    waitpid(watcher, nullptr, 0);
}

Expected<Scratch::Place> Scratch::copy(StringRef from, StringRef to) {
  auto place = std::make_unique<ScratchPlace>();
  place->path = root + "/" + utostr(made++);
  std::string target = place->path + to.str();
  if (auto ec = sys::fs::create_directories(target))
    return failed("cannot make the folder " + target, ec.message());
  auto cp = sys::findProgramByName("cp");
  if (!cp)
    return failed("cannot copy the folder", "there is no cp");
  std::string source = from.str() + "/.", why;
  // Holes stay holes: a pool is as long as it may become.
  if (sys::ExecuteAndWait(*cp, {*cp, "-a", "--sparse=always", source, target},
                          std::nullopt, {}, 0, 0, &why))
    return failed("cannot copy " + from + " to " + target,
                  why.empty() ? "cp says why" : why);
  return place;
}

Expected<Scratch::Place> Scratch::fresh() { return copy(".", "/files"); }

Expected<Scratch::Place> Scratch::copyOf(const ScratchPlace &place) {
  return copy(place.path, "");
}

} // namespace nvmove
