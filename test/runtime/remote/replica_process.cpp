//===- replica_process.cpp - nvm-replica as a test has it -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "replica_process.h"
#include "support.h"
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nvmtest {

bool hasReplicas() { return *NVM_FABRIC_MODULE != 0; }

Replica::Replica(std::string pool, std::vector<std::string> more)
    : pool(std::move(pool)), more(std::move(more)) {
  log = this->pool + ".log";
  setenv("NVM_FABRIC", NVM_FABRIC_MODULE, 1);
  start();
}

Replica::~Replica() { kill(); }

void Replica::start() {
  std::vector<std::string> words = {NVM_REPLICA_TOOL, "--listen", address()};
  words.insert(words.end(), more.begin(), more.end());
  words.push_back(pool);
  size_t before = text().size();
  pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int fd = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(fd, 1);
    dup2(fd, 2);
    std::vector<char *> argv;
    for (std::string &word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  for (int i = 0; i < 1000; i++) {
    std::string said = text().substr(before);
    size_t at = said.find(" on 127.0.0.1:");
    if (at != std::string::npos && said.find('\n', at) != std::string::npos) {
      port = unsigned(std::stoul(said.substr(at + 14)));
      return;
    }
    int status;
    if (waitpid(pid, &status, WNOHANG) == pid) {
      pid = -1;
      return;
    }
    usleep(10000);
  }
}

void Replica::signal(int number) {
  if (pid > 0)
    ::kill(pid, number);
}

void Replica::kill() {
  if (pid <= 0)
    return;
  ::kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  pid = -1;
}

int Replica::stop() {
  int status = -1;
  if (pid <= 0)
    return -1;
  ::kill(pid, SIGTERM);
  waitpid(pid, &status, 0);
  pid = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string Replica::text() const {
  return access(log.c_str(), R_OK) == 0 ? readFile(log) : "";
}

bool Replica::says(const std::string &what) const {
  for (int i = 0; i < 1000; i++) {
    if (text().find(what) != std::string::npos)
      return true;
    usleep(10000);
  }
  return false;
}

} // namespace nvmtest
