//===- Threads.cpp - Whether a process waits ------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Threads.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <sys/stat.h>
#include <sys/syscall.h>

using namespace llvm;

namespace nvmove {

namespace {

enum class Waiting { No, ForInput, ForAny, ForOthers, Asleep };

std::string contentsOf(const Twine &file) {
  auto buffer = MemoryBuffer::getFileAsStream(file.str());
  return buffer ? (*buffer)->getBuffer().str() : "";
}

bool isPipe(pid_t pid, uint64_t fd, ino_t pipe) {
  struct stat status;
  std::string name =
      "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
  return stat(name.c_str(), &status) == 0 && S_ISFIFO(status.st_mode) &&
         status.st_ino == pipe;
}

/// By the system call that a thread sleeps in.
Waiting waitingIn(long call, uint64_t first, pid_t pid, ino_t pipe) {
  switch (call) {
  case SYS_read:
  case SYS_readv:
    return isPipe(pid, first, pipe) ? Waiting::ForInput : Waiting::Asleep;
#ifdef SYS_poll
  case SYS_poll:
  case SYS_select:
  case SYS_epoll_wait:
#endif
  case SYS_ppoll:
  case SYS_pselect6:
  case SYS_epoll_pwait:
#ifdef SYS_epoll_pwait2
  case SYS_epoll_pwait2:
#endif
    return Waiting::ForAny;
  case SYS_accept:
  case SYS_accept4:
  case SYS_recvfrom:
  case SYS_recvmsg:
    return Waiting::ForOthers;
#ifdef SYS_pause
  case SYS_pause:
#endif
  case SYS_futex:
  case SYS_nanosleep:
  case SYS_clock_nanosleep:
  case SYS_rt_sigtimedwait:
  case SYS_rt_sigsuspend:
  case SYS_wait4:
  case SYS_waitid:
    return Waiting::Asleep;
  default:
    return Waiting::No;
  }
}

Waiting stateOf(const std::string &task, pid_t pid, ino_t pipe,
                std::string &text) {
  StringRef name, rest;
  std::string stat = contentsOf(task + "/stat");
  rest = StringRef(stat).rsplit(") ").second;
  if (!rest.starts_with("S"))
    return Waiting::No;
  std::string call = contentsOf(task + "/syscall");
  text += contentsOf(task + "/schedstat") + call;
  SmallVector<StringRef> parts;
  StringRef(call).split(parts, ' ');
  long number;
  uint64_t first;
  if (parts.size() < 2 || parts[0].getAsInteger(10, number) ||
      parts[1].getAsInteger(0, first))
    return Waiting::No;
  return waitingIn(number, first, pid, pipe);
}

} // namespace

ThreadsLook lookAtThreads(pid_t pid, ino_t pipe) {
  ThreadsLook look;
  std::error_code ec;
  bool all = true;
  std::string folder = "/proc/" + std::to_string(pid) + "/task";
  for (sys::fs::directory_iterator it(folder, ec), end; it != end && !ec;
       it.increment(ec)) {
    ++look.count;
    Waiting waiting = stateOf(it->path(), pid, pipe, look.text);
    all &= waiting != Waiting::No;
    look.atInput |= waiting == Waiting::ForInput;
    look.forAny |= waiting == Waiting::ForInput || waiting == Waiting::ForAny;
    look.forOthers |= waiting == Waiting::ForOthers;
  }
  look.allWait = !ec && all;
  return look;
}

} // namespace nvmove
