//===- crash_test.cpp - cuts at every event, and at random moments --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "support.h"
#include "world.h"
#include <csignal>
#include <cstdlib>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#include "medium/log_limit.h"
}

using namespace nvmtest;

namespace {

constexpr long StepsPerRun = 8;
/// Shards look at different events, so that ctest can run them side by side. By
/// default every 4th event is cut, with NVMOVE_EXHAUSTIVE=1 every one.
constexpr int Shards = 4;
long defaultStride() {
  const char *all = getenv("NVMOVE_EXHAUSTIVE");
  return all && *all == '1' ? 1 : 4;
}

/// What was acknowledged is there; at most one step more.
void restoreAndCheck(const SharedLong &done) {
  Model model;
  if (nvm_restore())
    while (model.steps < worldSteps())
      model.step();
  REQUIRE(worldSteps() >= done.get() && worldSteps() <= done.get() + 1);
  requireWorld(model);
}

void goOn(SharedLong &done, long steps) {
  nvm_ready();
  done.set(worldSteps());
  for (long i = 0; i < steps; i++) {
    nvm_begin();
    stepWorld();
    nvm_end();
    done.add(1);
  }
}

class CrashAtEvents : public testing::TestWithParam<int> {
protected:
  nvm_options options() const {
    nvm_options options = ofSize(16 * MiB);
    options.power = power;
    return options;
  }

  /// Opens, checks what it finds, goes on for some steps. In a child.
  void live(SharedLong &done, long steps) {
    registerWorld();
    nvmi_log_soft_limit_bytes = 64 << 10;
    openPool(pool, options());
    restoreAndCheck(done);
    goOn(done, steps);
    nvm_stats stats;
    nvm_get_stats(&stats);
    REQUIRE(steps < StepsPerRun ||
            stats.checkpoints > 1); // the log was applied meanwhile
    Model model;
    while (model.steps < worldSteps())
      model.step();
    requireWorld(model);
    nvm_close();
  }

  /// One run that is cut at event `at` (0: not at all).
  Ending cutRun(SharedLong &done, long at, long steps) {
    return inChild([&] {
      if (at)
        setenv("NVM_CRASH_AT", std::to_string(at).c_str(), 1);
      live(done, steps);
    });
  }

  /// Cuts a run at each event of this shard; after each cut another run must
  /// find the state of a commit and go on. Gives back the number of events.
  long cutEverywhere(const std::string &from, long acknowledged, long steps,
                     long stride) {
    for (long at = 1 + GetParam();; at += Shards * stride * defaultStride()) {
      copyFile(from, pool);
      SharedLong done;
      done.set(acknowledged);
      Ending cut = cutRun(done, at, steps);
      if (!cut.killed()) {
        EXPECT_TRUE(cut.fine()) << cut;
        return at;
      }
      Ending next = cutRun(done, 0, 3);
      EXPECT_TRUE(next.fine()) << "after a cut at event " << at << ": " << next;
      if (!next.fine())
        return at;
    }
  }

  Directory dir;
  std::string pool = dir / "pool", base = dir / "base";
  int power = 0;
};

TEST_P(CrashAtEvents, OfSectionsAndTheirLog) {
  SharedLong done;
  ASSERT_TRUE(cutRun(done, 0, 40).fine());
  copyFile(pool, base);
  EXPECT_GT(cutEverywhere(base, done.get(), StepsPerRun, 1), 300);
}

TEST_P(CrashAtEvents, OfTheFirstCommit) {
  Ending made = inChild([&] {
    nvmi_log_soft_limit_bytes = 64 << 10;
    openPool(base, options());
  });
  EXPECT_TRUE(made.fine()) << made;
  EXPECT_GT(cutEverywhere(base, 0, 3, 1), 50);
}

TEST_P(CrashAtEvents, OfTheRecoveryItself) {
  SharedLong done;
  ASSERT_TRUE(cutRun(done, 0, 40).fine());
  // Leave a log that has to be brought home.
  Ending e = inChild([&] {
    live(done, 0);
    openPool(pool, options());
    REQUIRE(nvm_restore());
    nvm_ready();
    for (int i = 0; i < 10; i++) {
      nvm_begin();
      stepWorld();
      nvm_end();
      done.add(1);
    }
  });
  ASSERT_TRUE(e.fine()) << e;
  copyFile(pool, base);
  EXPECT_GT(cutEverywhere(base, done.get(), 0, 1), 5);
}

TEST_P(CrashAtEvents, WithPowerDurability) {
  power = 1;
  SharedLong done;
  ASSERT_TRUE(cutRun(done, 0, 40).fine());
  copyFile(pool, base);
  EXPECT_GT(cutEverywhere(base, done.get(), StepsPerRun, 3), 300);
}

INSTANTIATE_TEST_SUITE_P(Shard, CrashAtEvents, testing::Range(0, Shards),
                         ByParameter());

/// Of each engine: events close to each other at first, later far apart.
class CrashesOf : public testing::TestWithParam<const char *> {};

INSTANTIATE_TEST_SUITE_P(Of, CrashesOf,
                         testing::ValuesIn(enginesThat({&nvm_engine::atomic})),
                         ByParameter());

TEST_P(CrashesOf, LeaveACommit) {
  Directory dir;
  SharedLong done;
  long cuts = 0;
  auto live = [&](long at, long steps) {
    return inChild([&] {
      if (at)
        setenv("NVM_CRASH_AT", std::to_string(at).c_str(), 1);
      nvm_options options = ofSize(32 * MiB);
      options.engine = GetParam();
      options.epoch_ms = -1; // each section is a commit
      registerWorld();
      openPool(dir / "pool", options);
      restoreAndCheck(done);
      goOn(done, steps);
      nvm_close();
    });
  };
  for (long at = 1;; at += at / 8 + 5) {
    Ending cut = live(at, StepsPerRun);
    if (!cut.killed()) {
      EXPECT_TRUE(cut.fine()) << cut;
      break;
    }
    cuts++;
    Ending next = live(0, 3);
    ASSERT_TRUE(next.fine()) << "after a cut at event " << at << ": " << next;
  }
  EXPECT_GT(cuts, 10);
}

TEST(CrashAtRandom, KillNineUnderLoad) {
  Directory dir;
  SharedLong done;
  std::mt19937 random(7);
  for (int round = 0; round < 60; round++) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
      registerWorld();
      openPool(dir / "pool", ofSize(16 * MiB));
      restoreAndCheck(done);
      nvm_ready();
      done.set(worldSteps());
      REQUIRE(write(ends[1], "r", 1) == 1);
      for (;;) {
        nvm_begin();
        stepWorld();
        nvm_end();
        done.add(1);
      }
    }
    char ready;
    close(ends[1]);
    ASSERT_EQ(read(ends[0], &ready, 1), 1) << "round " << round;
    close(ends[0]);
    usleep(1000 + random() % 20000);
    kill(child, SIGKILL);
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
  }
  EXPECT_GT(done.get(), 500);
}

} // namespace
