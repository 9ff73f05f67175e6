//===- Child.cpp - A program that is fed and watched ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Child.h"
#include "tool/message/Diagnostics.h"
#include "tool/trial/Threads.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using Clock = std::chrono::steady_clock;

namespace nvmove {

namespace {

Error failed(const Twine &what) {
  return makeError(MessageId::TrialFailed,
                   (what + ": " + StringRef(strerror(errno))).str());
}

/// What is read from, and what is written to.
using Ends = std::pair<int, int>;

Expected<Ends> openPipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0)
    return failed("cannot make a pipe");
  return Ends(ends[0], ends[1]);
}

/// A terminal that changes no byte.
Expected<Ends> openTerminal() {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  char name[128];
  if (master < 0 || grantpt(master) || unlockpt(master) ||
      ptsname_r(master, name, sizeof(name)))
    return failed("cannot make a terminal");
  int slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (slave < 0)
    return failed("cannot open a terminal");
  termios settings;
  if (tcgetattr(slave, &settings) == 0) {
    cfmakeraw(&settings);
    tcsetattr(slave, TCSANOW, &settings);
  }
  return Ends(master, slave);
}

Expected<Ends> openOutput(ChildOptions::Output output, int errors) {
  switch (output) {
  case ChildOptions::Output::Terminal:
    return openTerminal();
  case ChildOptions::Output::Pipe:
    return openPipe();
  case ChildOptions::Output::WithErrors:
    return Ends(-1, fcntl(errors, F_DUPFD_CLOEXEC, 0));
  }
  llvm_unreachable("all kinds are handled");
}

std::vector<char *> pointersTo(const std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (const std::string &text : texts)
    result.push_back(const_cast<char *>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

} // namespace

std::vector<std::string> environmentForRuns() {
  std::vector<std::string> result;
  for (char **entry = environ; *entry; ++entry) {
    StringRef text = *entry, name = text.split('=').first;
    if (name != "NVM_POOL" && name != "NVM_FULL_AT" && name != "NVM_STATS" &&
        !name.starts_with("NVM_CRASH") && !name.starts_with("NVM_REPLICA") &&
        !name.starts_with("NVM_VERIFY"))
      result.push_back(text.str());
  }
  return result;
}

Expected<std::unique_ptr<Child>> Child::start(const ChildOptions &options) {
  int errors = open(options.errors.c_str(),
                    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (errors < 0)
    return failed("cannot write " + options.errors);
  auto outputs = openOutput(options.output, errors);
  if (!outputs)
    return outputs.takeError();
  auto inputs = openPipe();
  if (!inputs)
    return inputs.takeError();
  auto [outputHere, outputThere] = *outputs;
  auto [inputThere, inputHere] = *inputs;
  std::vector<char *> arguments = pointersTo(options.arguments),
                      environment = pointersTo(options.environment);
  // This process may have much memory, whose page tables fork() would copy.
  pid_t parent = getpid(), pid = vfork();
  if (pid == 0) {
    // Only system calls: its memory is that of the parent.
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    if (getppid() == parent && chdir(options.folder.c_str()) == 0 &&
        dup2(inputThere, 0) == 0 && dup2(outputThere, 1) == 1 &&
        dup2(errors, 2) == 2)
      execvpe(arguments[0], arguments.data(), environment.data());
    _exit(127);
  }
  int error = errno;
  close(inputThere);
  close(outputThere);
  close(errors);
  std::unique_ptr<Child> result(new Child());
  result->child = pid;
  result->server = options.server;
  result->input = inputHere;
  result->output = outputHere;
  if (pid < 0) {
    result->ended = true;
    errno = error;
    return failed("cannot start the program");
  }
  struct stat status;
  if (fstat(inputHere, &status) == 0)
    result->inputInode = status.st_ino;
  for (int fd : {inputHere, outputHere})
    fcntl(fd, F_SETFL, O_NONBLOCK);
  return result;
}

Child::~Child() {
  if (child > 0)
    kill();
  for (int fd : {input, output})
    if (fd >= 0)
      close(fd);
}

void Child::drain() {
  char buffer[16384];
  ssize_t n;
  while ((n = read(output, buffer, sizeof(buffer))) > 0) {
    printed.append(buffer, size_t(n));
    quietSince = Clock::now();
  }
}

std::string Child::takeOutput() {
  drain();
  return std::exchange(printed, {});
}

bool Child::reap() {
  if (!ended && waitpid(child, &waitStatus, WNOHANG) == child) {
    ended = true;
    drain();
  }
  return ended;
}

/// A program of one thread that waits for its input does so until it gets
/// some. Of others, that is known when nothing has happened for a moment.
bool Child::isAtRest() {
  constexpr std::chrono::milliseconds moment(4);
  int unread = 0;
  if (ioctl(input, FIONREAD, &unread) < 0 || unread > 0)
    return false;
  ThreadsLook look = lookAtThreads(child, inputInode);
  if (look.atInput && look.count == 1)
    return true;
  if (!look.allWait || !(look.forAny || (server && look.forOthers)) ||
      look.text != lastLook) {
    lastLook = std::move(look.text);
    quietSince = Clock::now();
    return false;
  }
  return Clock::now() - quietSince >= moment;
}

/// While this process is not run itself, on a busy or a stopped machine, the
/// child may not be either: of each pause a moment counts.
Child::State Child::wait(Seconds limit, bool forEnd) {
  constexpr Seconds longestPause(0.01);
  Seconds waited(0);
  Clock::time_point last = Clock::now();
  auto pause = std::chrono::microseconds(50);
  lastLook.clear();
  quietSince = Clock::now();
  for (;;) {
    drain();
    if (reap())
      return State::Ended;
    if (!forEnd && isAtRest()) {
      // What it printed reaches a terminal a moment later.
      pollfd more{output, POLLIN, 0};
      if (poll(&more, 1, 2) <= 0 || !(more.revents & POLLIN))
        return State::Rest;
      continue;
    }
    Clock::time_point now = Clock::now();
    waited += std::min<Seconds>(now - last, longestPause);
    last = now;
    if (waited >= limit)
      return State::TimedOut;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 3 / 2, std::chrono::microseconds(2000));
  }
}

Child::State Child::await(Seconds limit) { return wait(limit, false); }

Child::State Child::feed(StringRef line, Seconds limit) {
  std::string text = line.str() + "\n";
  Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  for (size_t done = 0; done < text.size();) {
    ssize_t n = write(input, text.data() + done, text.size() - done);
    if (n > 0) {
      done += size_t(n);
      continue;
    }
    if (n < 0 && errno == EPIPE)
      break; // it ends
    drain();
    if (reap())
      return State::Ended;
    if (Clock::now() >= end)
      return State::TimedOut;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return wait(limit, false);
}

Child::State Child::finish(Seconds limit) {
  if (input >= 0)
    close(std::exchange(input, -1));
  return wait(limit, true);
}

Child::State Child::terminate(Seconds limit) {
  if (!reap())
    ::kill(child, SIGTERM);
  return wait(limit, true);
}

void Child::kill() {
  ::kill(-child, SIGKILL);
  if (!ended) {
    ::kill(child, SIGKILL);
    waitpid(child, &waitStatus, 0);
    ended = true;
  }
  // What it had printed is not lost with it.
  pollfd more{output, POLLIN, 0};
  drain();
  if (poll(&more, 1, 2) > 0)
    drain();
}

std::string describeStatus(int waitStatus) {
  if (WIFSIGNALED(waitStatus))
    return "signal " + itostr(WTERMSIG(waitStatus)) + " (" +
           strsignal(WTERMSIG(waitStatus)) + ")";
  return "status " + itostr(WEXITSTATUS(waitStatus));
}

} // namespace nvmove
