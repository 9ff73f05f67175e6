//===- fork_test.cpp - daemons and snapshot children ----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include "world.h"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include "medium/log_limit.h"
}

using namespace nvmtest;

namespace {

/// Under redo the child looks at the home copy, which is left alone meanwhile.
class Fork : public testing::Test {
protected:
  void start() {
    registerWorld();
    nvmi_log_soft_limit_bytes = 256 << 10;
    openPool(pool, ofSize(64 * MiB));
    nvm_restore();
    nvm_ready();
  }
  void steps(int n) {
    for (int i = 0; i < n; i++) {
      nvm_begin();
      stepWorld();
      nvm_end();
    }
  }
  static nvm_stats stats() {
    nvm_stats s;
    nvm_get_stats(&s);
    return s;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

void requireChild(pid_t child) {
  int status;
  REQUIRE(waitpid(child, &status, 0) == child && WIFEXITED(status) &&
          WEXITSTATUS(status) == 0);
}

Model modelOf(long count) {
  Model m;
  while (m.steps < count)
    m.step();
  return m;
}

/// What a child must see however long it looks, while the parent goes on.
void watch(int until) {
  Model frozen = modelOf(worldSteps());
  char c;
  do
    requireWorld(frozen);
  while (read(until, &c, 1) != 0); // non-blocking; 0: the parent has finished
  requireWorld(frozen);
}

TEST_F(Fork, AChildSeesTheMomentOfTheForkWhileTheParentCommitsMuch) {
  Ending e = inChild([&] {
    start();
    steps(100);
    unsigned long before = stats().checkpoints;
    int ends[2];
    REQUIRE(pipe2(ends, O_NONBLOCK) == 0);
    pid_t child = fork();
    if (child == 0) {
      close(ends[1]);
      watch(ends[0]);
      _exit(0);
    }
    steps(150); // several times the soft limit of the log
    REQUIRE(stats().checkpoints == before);
    close(ends[1]);
    requireChild(child);
    steps(100); // now the log is brought home
    REQUIRE(stats().checkpoints > before);
    requireWorld(modelOf(350));
    nvm_close();
    openPool(pool);
    REQUIRE(nvm_restore());
    requireWorld(modelOf(350));
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Fork, AChildSeesTheMomentOfTheForkAlsoAfterARestart) {
  Ending e = inChild([&] {
    start();
    steps(100);
    nvm_close(); // from here on most pages are untouched ones of the file
    openPool(pool);
    REQUIRE(nvm_restore());
    nvm_ready();
    int ends[2];
    REQUIRE(pipe2(ends, O_NONBLOCK) == 0);
    pid_t child = fork();
    if (child == 0) {
      close(ends[1]);
      watch(ends[0]);
      _exit(0);
    }
    steps(150);
    close(ends[1]);
    requireChild(child);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Fork, AForkInsideASectionShowsItsUnfinishedStores) {
  Ending e = inChild([&] {
    start();
    steps(10);
    nvm_begin();
    stepWorld();
    pid_t child = fork();
    if (child == 0) {
      requireWorld(modelOf(11));
      nvm_end(); // commits nothing
      nvm_begin();
      stepWorld(); // allocates and frees in its own copy
      nvm_end();
      requireWorld(modelOf(12));
      nvm_output();
      nvm_close();
      _exit(0);
    }
    requireChild(child);
    requireWorld(modelOf(11));
    nvm_end();
    nvm_close();
    openPool(pool);
    REQUIRE(nvm_restore());
    requireWorld(modelOf(11));
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Fork, AChildThatExitsNormallyLeavesThePoolAlone) {
  Ending e = inChild([&] {
    start();
    steps(10);
    pid_t child = fork();
    if (child == 0) {
      stepWorld();
      exit(0);
    }
    requireChild(child);
    steps(1);
    nvm_close();
    openPool(pool);
    REQUIRE(nvm_restore());
    requireWorld(modelOf(11));
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Fork, AChildThatClosesEveryDescriptorStillHoldsTheLogBack) {
  Ending e = inChild([&] {
    start();
    steps(50);
    unsigned long before = stats().checkpoints;
    pid_t child = fork();
    if (child == 0) {
      Model frozen = modelOf(50);
      for (int fd = 0; fd < 1024; fd++)
        close(fd);
      usleep(300000);
      requireWorld(frozen);
      _exit(0);
    }
    usleep(50000);
    steps(100);
    REQUIRE(stats().checkpoints == before);
    requireChild(child);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Fork, AGrandchildHoldsTheLogBackAndAnExecDoesNot) {
  Ending e = inChild([&] {
    start();
    steps(50);
    unsigned long before = stats().checkpoints;
    pid_t child = fork();
    if (child == 0) {
      if (fork() == 0) { // outlives its parent
        Model frozen = modelOf(50);
        usleep(300000);
        requireWorld(frozen);
      }
      _exit(0);
    }
    requireChild(child);
    steps(100);
    REQUIRE(stats().checkpoints == before);
    usleep(500000);
    steps(100);
    REQUIRE(stats().checkpoints > before);
    child = fork();
    if (child == 0) {
      execl("/bin/sleep", "sleep", "5", nullptr);
      _exit(1);
    }
    usleep(100000);
    before = stats().checkpoints;
    steps(100);
    REQUIRE(stats().checkpoints > before);
    kill(child, SIGKILL);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Fork, AFullLogWaitsForTheChild) {
  Ending e = inChild([&] {
    registerWorld();
    openPool(pool, ofSize(16 * MiB)); // about 3 MiB of log
    nvm_restore();
    nvm_ready();
    steps(100);
    pid_t child = fork();
    if (child == 0) {
      usleep(700000);
      requireWorld(modelOf(100));
      _exit(0);
    }
    unsigned long before = stats().log_bytes;
    while (stats().log_bytes - before < 8 * MiB) {
      steps(1);
    }
    requireChild(child);
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("waiting for a forked child"), std::string::npos) << e;
}

TEST_F(Fork, ASnapshotOutlivesTheOwnersCrashAndTheNextOwnersLife) {
  SharedLong child;
  Ending first = inChild([&] {
    start();
    steps(50);
    nvm_close();
    openPool(pool);
    REQUIRE(nvm_restore());
    nvm_ready();
    if (fork() == 0) {
      Model frozen = modelOf(50);
      for (int fd = 0; fd < 64; fd++)
        close(fd);
      for (int i = 0; i < 10; i++) {
        usleep(100000);
        requireWorld(frozen);
      }
      child.set(1);
      _exit(0);
    }
    steps(30); // in the log when this process dies
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(first.killed()) << first;
  Ending second = inChild([&] {
    registerWorld();
    openPool(pool); // recovers without touching what the orphaned child sees
    REQUIRE(nvm_restore());
    requireWorld(modelOf(80));
    nvm_ready();
    steps(20);
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(second.killed()) << second;
  EXPECT_EQ(child.get(), 0) << "the child ended too early for this test";
  while (child.get() == 0)
    usleep(50000);
  Ending third = inChild([&] {
    registerWorld();
    openPool(pool);
    REQUIRE(nvm_restore());
    requireWorld(modelOf(100));
  });
  EXPECT_TRUE(third.fine()) << third;
}

TEST_F(Fork, ADaemonOwnsThePoolItsParentOpened) {
  for (int round = 0; round < 3; round++) {
    SharedLong done;
    Ending e = inChildWithExit([&] {
      registerWorld();
      openPool(pool);
      if (fork() != 0)
        return; // exit(): the usual parent of a daemon
      setsid();
      REQUIRE(nvm_restore() == (round > 0));
      requireWorld(modelOf(10 * round));
      nvm_ready();
      for (int fd = 3; fd < 64; fd++)
        close(fd);
      steps(10);
      done.set(1);
      _exit(0);
    });
    EXPECT_TRUE(e.fine()) << e;
    for (int i = 0; i < 100 && !done.get(); i++)
      usleep(20000);
    ASSERT_EQ(done.get(), 1);
    usleep(20000);
  }
}

TEST_F(Fork, OfTwoProcessesThatWantThePoolOneGetsIt) {
  Ending e = inChild([&] {
    registerWorld();
    openPool(pool);
    pid_t child = fork();
    if (child == 0) {
      REQUIRE(nvm_restore() == 0);
      nvm_ready();
      steps(5);
      nvm_close();
      _exit(0);
    }
    requireChild(child);
    nvm_restore(); // exits
  });
  EXPECT_EQ(e.exitStatus, 78) << e;
  EXPECT_NE(e.text.find("[pool-busy]"), std::string::npos) << e;
}

/// Start-up forks before the load; `first` and `second` run one after the
/// other, in the parent or in the child.
Ending afterForkBeforeLoad(const std::string &pool, bool isChildFirst,
                           const std::function<void()> &first,
                           const std::function<void()> &second) {
  return inChild([&] {
    registerWorld();
    openPool(pool);
    int ends[2];
    char go = 0;
    REQUIRE(pipe(ends) == 0);
    pid_t child = fork();
    if ((child == 0) == isChildFirst) {
      first();
      REQUIRE(write(ends[1], &go, 1) == 1);
    } else {
      close(ends[1]);
      REQUIRE(read(ends[0], &go, 1) == 1);
      second();
    }
    if (child == 0)
      _exit(0);
    int status;
    REQUIRE(waitpid(child, &status, 0) == child);
    _exit(WEXITSTATUS(status));
  });
}

void loadNothing() {
  nvm_restore();
  nvm_ready();
}

TEST_F(Fork, WhoUsesThePoolThatAnotherHasTakenEndsByName) {
  void (*uses[])() = {
      [] { nvm_free(NVM_ALLOC(bytes, nvm_malloc(40))); },
      [] { nvm_begin(); },
  };
  // Each has a pool of its own: the child of the one before may not have ended.
  int number = 0;
  for (auto use : uses)
    for (bool isChildFirst : {false, true}) {
      Ending e = afterForkBeforeLoad(pool + std::to_string(number++),
                                     isChildFirst, loadNothing, use);
      EXPECT_EQ(e.exitStatus, 78) << e;
      EXPECT_NE(e.text.find("both use it"), std::string::npos) << e;
      EXPECT_NE(e.text.find("[pool-busy]"), std::string::npos) << e;
    }
}

TEST_F(Fork, WhoLoadsWhatAnotherHasUsedEndsByName) {
  Ending e = afterForkBeforeLoad(pool, true, [] { nvm_begin(); }, loadNothing);
  EXPECT_EQ(e.exitStatus, 78) << e;
  EXPECT_NE(e.text.find("both use it"), std::string::npos) << e;
}

TEST_F(Fork, BeforeTheLoadEachMayUseWhatTheOtherLeaves) {
  // A helper that is forked for something else; and a parent that has used the
  // pool before its child goes on.
  Ending e = inChild([&] {
    registerWorld();
    openPool(pool);
    pid_t helper = fork();
    if (helper == 0)
      _exit(0);
    requireChild(helper);
    nvm_begin();
    nvm_end();
    pid_t child = fork();
    if (child == 0) {
      nvm_begin();
      nvm_end();
      loadNothing();
      steps(5);
      nvm_close();
      _exit(0);
    }
    requireChild(child);
    _exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Fork, WithoutADescriptorForTheLockTheChildStillSeesTheMoment) {
  Ending e = inChild([&] {
    start();
    steps(100);
    nvm_close();
    openPool(pool);
    REQUIRE(nvm_restore());
    nvm_ready();
    int ends[2];
    REQUIRE(pipe2(ends, O_NONBLOCK) == 0);
    while (dup(0) >= 0)
      ; // none left
    pid_t child = fork();
    if (child == 0) {
      close(ends[1]);
      watch(ends[0]);
      _exit(0);
    }
    unsigned long before = stats().checkpoints;
    steps(150);
    REQUIRE(stats().checkpoints > before); // nothing is held back
    close(ends[1]);
    requireChild(child);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Fork, DuringTheImportTheChildSeesTheMoment) {
  Ending e = inChild([&] {
    registerWorld();
    openPool(pool);
    REQUIRE(nvm_restore() == 0);
    for (int i = 0; i < 50; i++)
      stepWorld();
    char *zero = static_cast<char *>(nvm_zalloc(&nvm_type_bytes, 4 * MiB));
    int ends[2];
    REQUIRE(pipe2(ends, O_NONBLOCK) == 0);
    pid_t child = fork();
    if (child == 0) {
      close(ends[1]);
      watch(ends[0]);
      for (size_t i = 0; i < 4 * MiB; i += 512)
        REQUIRE(zero[i] == 0);
      _exit(0);
    }
    for (int i = 0; i < 50; i++)
      stepWorld();
    nvm_memset(zero, 1, 4 * MiB);
    nvm_ready();
    steps(50);
    close(ends[1]);
    requireChild(child);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Under a direct engine the child copies while the parent goes on.
class ForkInPlace : public testing::TestWithParam<const char *> {
protected:
  void start() {
    registerWorld();
    nvm_options options = ofSize(512 * MiB);
    options.engine = GetParam();
    openPool(pool, options);
    nvm_restore();
    nvm_ready();
  }
  static void step() {
    nvm_begin();
    stepWorld();
    nvm_end();
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_P(ForkInPlace, AChildSeesTheMomentOfTheForkWhateverTheParentDoes) {
  Ending e = inChild([&] {
    start();
    auto *much = static_cast<char *>(nvm_zalloc(&nvm_type_bytes, 24 * MiB));
    REQUIRE(much);
    for (int round = 0; round < 12; round++) {
      for (int i = 0; i < 20; i++)
        step();
      bool within = round % 2; // with lines announced that change again
      if (within) {
        nvm_begin();
        stepWorld();
        nvm_memset(much, 1, 8192);
      }
      Model frozen = modelOf(worldSteps());
      char before = much[8192];
      pid_t child = fork();
      if (child == 0) {
        requireWorld(frozen);
        for (size_t i = 0; i < 24 * MiB; i += 4096)
          REQUIRE(much[i] == (within && i < 8192 ? 1 : before));
        stepWorld(); // in its own copy
        _exit(0);
      }
      if (within) {
        stepWorld();
        nvm_end();
      }
      for (size_t i = 0; i < 24; i++) {
        nvm_begin();
        nvm_memset(much + i * MiB, 2 + round, MiB);
        nvm_end();
      }
      for (int i = 0; i < 20; i++)
        step();
      requireChild(child);
      step();
    }
    long steps = worldSteps();
    nvm_close();
    openPool(pool, ofSize(512 * MiB));
    REQUIRE(nvm_restore());
    requireWorld(modelOf(steps));
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(ForkInPlace,
       AForkDoesNotWaitForTheCopyAndAChildThatIsKilledHoldsNothingUp) {
  Ending e = inChild([&] {
    start();
    auto *much = static_cast<char *>(nvm_zalloc(&nvm_type_bytes, 32 * MiB));
    REQUIRE(much);
    for (int round = 0; round < 20; round++) {
      pid_t child = fork();
      if (child == 0)
        _exit(0);
      kill(child, SIGKILL);
      nvm_begin();
      nvm_memset(much + round * MiB, round, MiB);
      nvm_end();
      step();
      int status;
      REQUIRE(waitpid(child, &status, 0) == child);
    }
    requireWorld(modelOf(20));
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(ForkInPlace, AChildWhoseParentDiesBeforeItHasItsCopyEnds) {
  Ending first = inChild([&] {
    start();
    REQUIRE(nvm_zalloc(&nvm_type_bytes, 32 * MiB));
    for (int i = 0; i < 50; i++)
      step();
    nvm_checkpoint();
    pid_t parent = getpid();
    if (fork() == 0) { // it may just have had its copy
      requireWorld(modelOf(50));
      _exit(0);
    }
    kill(parent, SIGKILL);
  });
  EXPECT_TRUE(first.killed()) << first;
  Ending second = inChild([&] {
    registerWorld();
    openPool(pool, ofSize(512 * MiB)); // at once, whatever the child does
    REQUIRE(nvm_restore());
    requireWorld(modelOf(50));
    nvm_ready();
    for (int i = 0; i < 50; i++)
      step();
    requireWorld(modelOf(100));
  });
  EXPECT_TRUE(second.fine()) << second;
}

INSTANTIATE_TEST_SUITE_P(Engines, ForkInPlace,
                         testing::ValuesIn(enginesThat({&nvm_engine::atomic,
                                                        &nvm_engine::direct})),
                         ByParameter());

} // namespace
