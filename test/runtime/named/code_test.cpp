//===- code_test.cpp - functions that persistent objects point to ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(Task);

namespace {

using Work = long(long);
struct Task {
  Work *work;
  long argument;
};
Task *task;

// "work" of one build and of the next.
long twice(long x) { return 2 * x; }
long thrice(long x) { return 3 * x; }
long other(long x) { return x; }

class Code : public testing::TestWithParam<const char *> {
protected:
  /// A run of the build whose "work" is this function.
  Ending run(Work *work, const std::function<void()> &body) {
    return inChild([&, work] {
      static Work *const functions[] = {other};
      nvm_register_code("work", reinterpret_cast<nvm_function *>(work));
      nvm_register_code("other",
                        reinterpret_cast<nvm_function *>(functions[0]));
      NVM_ROOT(task);
      nvm_options options = ofSize(16 * MiB);
      options.engine = GetParam();
      openPool(pool, options);
      nvm_restore();
      nvm_ready();
      body();
    });
  }
  void makeTask() {
    Ending e = run(twice, [] {
      nvm_begin();
      task = static_cast<Task *>(nvm_alloc(&nvm_type_Task, sizeof(Task)));
      *NVM_OBJ(task) = {nvm_code(twice), 7};
      nvm_end();
      nvm_checkpoint();
      REQUIRE(task->work != twice && task->work(5) == 10);
    });
    ASSERT_TRUE(e.fine()) << e;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_P(Code, IsFoundByTheNextBuild) {
  makeTask();
  Ending e = run(thrice, [] {
    REQUIRE(task->work(task->argument) == 21);
    REQUIRE(task->work == nvm_code(thrice));
    REQUIRE(nvm_code(other)(4) == 4);
    REQUIRE(nvm_code(twice) == twice); // not registered in this build
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Code, ServesForkedChildrenAndTheirs) {
  makeTask();
  Ending e = run(thrice, [] {
    for (int i = 0; i < 3; i++) { // engines map the heap anew before forks
      pid_t child = fork();
      if (child == 0)
        _exit(task->work(3) == 9 ? 0 : 1);
      int status;
      waitpid(child, &status, 0);
      REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
      nvm_begin();
      NVM(task->argument)++;
      nvm_end();
      nvm_checkpoint();
    }
    REQUIRE(task->work(task->argument) == 30);
  });
  EXPECT_TRUE(e.fine()) << e;
}

INSTANTIATE_TEST_SUITE_P(Of, Code, testing::ValuesIn(allEngines()),
                         ByParameter());

TEST(CodeRegistration, MissingFunctionsAreNamed) {
  Directory dir;
  std::string pool = dir / "pool";
  Ending e = inChild([&] {
    nvm_register_code("work", reinterpret_cast<nvm_function *>(twice));
    openPool(pool);
    nvm_ready();
  });
  ASSERT_TRUE(e.fine()) << e;
  std::string before = readFile(pool);
  e = inChild([&] {
    NVM_CODE(other);
    REQUIRE(nvm_open(pool.c_str(), nullptr) == ENOEXEC);
    dprintf(2, "%s", nvm_errormsg());
  });
  EXPECT_NE(e.text.find("may point to function work, which this program does "
                        "not have [pool-layout]"),
            std::string::npos)
      << e;
  EXPECT_TRUE(readFile(pool) == before);
}

/// More than one machine page of entries, beside twins that come later.
TEST(CodeRegistration, ManyAndTwinsBesides) {
  Directory dir;
  std::string pool = dir / "pool";
  static int extra[500];
  auto run = [&](int count, bool twin) {
    return inChild([&, count, twin] {
      static std::vector<std::string> names;
      for (int i = 0; i < count; i++)
        names.push_back("function" + std::to_string(i));
      for (const std::string &name : names)
        nvm_register_code(name.c_str(),
                          reinterpret_cast<nvm_function *>(thrice));
      nvm_register_code("twice", reinterpret_cast<nvm_function *>(twice));
      extra[499] = 77;
      if (twin)
        NVM_TWIN(extra);
      openPool(pool);
      nvm_restore();
      nvm_ready();
      REQUIRE(nvm_code(twice)(2) == 4 && nvm_code(thrice)(2) == 6);
      REQUIRE(!twin || nvm_twin(extra)[499] == 77);
    });
  };
  for (auto [count, twin] :
       {std::pair(3, false), std::pair(300, true), std::pair(700, true)}) {
    Ending e = run(count, twin);
    EXPECT_TRUE(e.fine()) << e;
  }
}

} // namespace
