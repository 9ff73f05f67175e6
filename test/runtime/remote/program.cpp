//===- program.cpp - a program with a replica -----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "program.h"
#include "engine_lists.h"
#include "world.h"
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nvmtest {

Program::Program(std::string pool, const Replica &replica)
    : pool(std::move(pool)) {
  env("NVM_REPLICA", replica.address());
}

Program::~Program() {
  if (pid > 0)
    kill();
}

Program &Program::env(const std::string &name, const std::string &value) {
  environment.push_back({name, value});
  return *this;
}

void Program::start(const std::string &engine, long mostSteps) {
  acknowledged.set(-1);
  pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int fd = open((pool + ".log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(fd, 2);
    body(engine, mostSteps);
    _exit(0);
  }
}

void Program::awaitSteps(long steps) {
  for (int i = 0; i < 3000 && acknowledged.get() < steps; i++)
    usleep(10000);
  EXPECT_GE(acknowledged.get(), steps) << text();
}

int Program::end() {
  int status = -1;
  if (pid > 0)
    waitpid(pid, &status, 0);
  pid = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void Program::signal(int number) { ::kill(pid, number); }

void Program::kill() {
  signal(SIGKILL);
  end();
}

std::string Program::text() const {
  std::string path = pool + ".log";
  return access(path.c_str(), R_OK) == 0 ? readFile(path) : "";
}

void Program::body(const std::string &engine, long mostSteps) {
  for (auto &[name, value] : environment)
    setenv(name.c_str(), value.c_str(), 1);
  registerWorld();
  nvm_options options = {};
  options.size_bytes = 32 * MiB;
  options.max_size_bytes = engineNamed(engine).grows ? 64 * MiB : 0;
  options.engine = engine.c_str();
  options.epoch_ms = -1;
  if (nvm_open(pool.c_str(), &options) != 0) {
    dprintf(2, "%s\n", nvm_errormsg());
    _exit(78);
  }
  nvm_restore();
  nvm_ready();
  for (long i = 0; i < mostSteps; i++) {
    nvm_begin();
    stepWorld();
    nvm_end();
    nvm_output();
    acknowledged.set(worldSteps());
  }
  nvm_close();
}

void expectWorld(const std::string &pool, long least) {
  SharedLong found;
  Ending ending = inChild([&] {
    unsetenv("NVM_REPLICA");
    registerWorld();
    REQUIRE(nvm_open(pool.c_str(), nullptr) == 0);
    REQUIRE(nvm_restore());
    nvm_ready();
    Model model;
    while (model.steps < worldSteps())
      model.step();
    requireWorld(model);
    found.set(worldSteps());
    nvm_close();
  });
  EXPECT_TRUE(ending.fine()) << ending;
  EXPECT_GE(found.get(), least);
}

} // namespace nvmtest
