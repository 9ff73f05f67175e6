//===- restart_test.cpp - restart points and cells ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "proof.h"
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(Account);

namespace {

//===-- Restart points ----------------------------------------------------===//

/// Two halves that are equal at every restart point.
struct Account {
  long left;
  char apart[120];
  long right;
  nvm_cell *cell;
  Account *spare; ///< comes and goes
};
constexpr int Threads = 4;
Account *accounts;
long rounds;

void work(int t, long steps) {
  Account *a = &accounts[t];
  nvm_thread_enter();
  for (long i = 0; i < steps; i++) {
    NVM(a->left)++;
    nvm_cell_set(a->cell, a->left);
    if (i % 7 == t) {
      nvm_free(a->spare);
      NVM(a->spare) = static_cast<Account *>(
          nvm_zalloc(&nvm_type_Account, sizeof(Account)));
      NVM(a->spare->left) = i;
    }
    NVM(a->right) = a->left;
    if (i % 100 == 50 && t == 1) { // blocks where nothing is half done
      nvm_thread_pause();
      usleep(300);
      nvm_thread_resume();
    }
    nvm_restart_point();
  }
  nvm_thread_leave();
}

class RestartPoints : public testing::TestWithParam<const char *> {
protected:
  void start() {
    NVM_ROOT(accounts);
    NVM_ROOT(rounds);
    nvm_options o = ofSize(32 * MiB);
    o.engine = GetParam();
    o.epoch_ms = 2;
    openPool(pool, o);
    if (!nvm_restore()) {
      accounts = static_cast<Account *>(
          nvm_zalloc(&nvm_type_Account, Threads * sizeof(Account)));
      for (int t = 0; t < Threads; t++)
        NVM(accounts[t].cell) = nvm_cell_new(0);
    }
    for (int t = 0; t < Threads; t++) {
      const Account &a = accounts[t];
      REQUIRE(a.left == a.right && a.cell->value == a.left);
    }
    rounds++;
    nvm_ready();
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_P(RestartPoints, AreWhereACrashLeavesThePool) {
  SharedLong reached;
  for (int round = 0; round < 8; round++) {
    Ending e = inChild([&] {
      start();
      REQUIRE(rounds == round + 1);
      REQUIRE(accounts[0].left >= reached.get());
      std::vector<std::thread> threads;
      for (int t = 0; t < Threads; t++)
        threads.emplace_back(work, t, 1000000);
      usleep(20000 + 3000 * unsigned(round));
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
    e = inChild([&] {
      NVM_ROOT(accounts);
      NVM_ROOT(rounds);
      nvm_options o = {};
      o.engine = "none";
      openPool(pool, o);
      REQUIRE(nvm_restore());
      for (int t = 0; t < Threads; t++)
        REQUIRE(accounts[t].left == accounts[t].right &&
                accounts[t].cell->value == accounts[t].left);
      reached.set(accounts[0].left);
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  EXPECT_GT(reached.get(), 0) << "no checkpoint was taken";
}

TEST_P(RestartPoints, EndWithTheirThreads) {
  Ending e = inChild([&] {
    start();
    std::vector<std::thread> threads;
    for (int t = 0; t < Threads; t++)
      threads.emplace_back(work, t, 500 * (t + 1)); // the last ones go on alone
    for (auto &thread : threads)
      thread.join();
    nvm_checkpoint();
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  e = inChild([&] {
    start();
    for (int t = 0; t < Threads; t++)
      REQUIRE(accounts[t].left == 500 * (t + 1));
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// What a child sees stays as it is, and costs the threads nothing that they
/// did.
TEST_P(RestartPoints, GoOnWhileChildrenCopyTheHeap) {
  Ending e = inChild([&] {
    start();
    std::vector<std::thread> threads;
    for (int t = 0; t < Threads; t++)
      threads.emplace_back(work, t, 3000);
    for (int i = 0; i < 20; i++) {
      pid_t child = fork();
      if (child == 0) {
        long first[Threads];
        for (int t = 0; t < Threads; t++)
          first[t] = accounts[t].left;
        usleep(2000);
        for (int t = 0; t < Threads; t++)
          REQUIRE(accounts[t].left == first[t]);
        _exit(0);
      }
      int status = 1;
      if (i % 2) { // the next one is forked while this one may copy
        waitpid(child, &status, 0);
        REQUIRE(status == 0);
      }
    }
    for (auto &thread : threads)
      thread.join();
    nvm_checkpoint();
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  e = inChild([&] {
    start();
    for (int t = 0; t < Threads; t++)
      REQUIRE(accounts[t].left == 3000);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// A thread stands in the middle of an update when another one does this.
class HalfMade : public RestartPoints {
protected:
  /// With `finishes` the thread soon ends its update. Gives back what is
  /// durable.
  long durableAfter(const std::function<void()> &action, bool finishes,
                    bool exits) {
    auto body = [&] {
      start();
      SharedLong half;
      std::thread other([&] {
        nvm_thread_enter();
        NVM(accounts[0].left)++;
        half.set(1);
        usleep(finishes ? 50000 : 10000000);
        NVM(accounts[0].right) = accounts[0].left;
        nvm_cell_set(accounts[0].cell, accounts[0].left);
        for (;;)
          nvm_restart_point();
      });
      other.detach();
      while (!half.get())
        usleep(100);
      letTimePass(5); // a checkpoint is due
      action();
      if (!exits)
        kill(getpid(), SIGKILL);
      exit(0);
    };
    Ending e = inChild(body);
    EXPECT_TRUE(exits ? e.fine() : e.killed()) << e;
    SharedLong found;
    found.set(-1);
    e = inChild([&] {
      start();
      found.set(accounts[0].left);
    });
    EXPECT_TRUE(e.fine()) << e;
    return found.get();
  }
};

TEST_P(HalfMade, IsNotCommittedByExit) {
  EXPECT_EQ(durableAfter([] {}, false, true), 0);
}

TEST_P(HalfMade, IsNotCommittedByTheEndOfThePool) {
  EXPECT_EQ(durableAfter([] { nvm_close(); }, false, true), 0);
}

TEST_P(HalfMade, IsWaitedForByACheckpoint) {
  EXPECT_EQ(durableAfter(nvm_checkpoint, true, false), 1);
}

TEST_P(HalfMade, IsWaitedForByOneThatTakesNoPart) {
  EXPECT_EQ(durableAfter(nvm_restart_point, true, false), 1);
}

/// As the rewriter writes them. The first one waits for ever, the second ends
/// in its loop.
void *rewritten(void *number) {
  NVM_THREAD();
  const long t = reinterpret_cast<intptr_t>(number);
  Account *a = &accounts[t];
  int pipe[2];
  char byte = 0;
  REQUIRE(::pipe(pipe) == 0 && (t == 0 || write(pipe[1], "x", 1) == 1));
  long got = NVM_PAUSED(read(pipe[0], &byte, 1));
  REQUIRE(got == 1 && byte == 'x');
  for (int i = 0; i < 2000; i++) {
    nvm_restart_point();
    NVM(a->left)++;
    NVM_PAUSED(sched_yield());
    NVM(a->right)++;
    if (i == 1000 && t == 1)
      pthread_exit(nullptr);
  }
  return nullptr;
}

/// What they did is durable without any of them that asks for it.
TEST(RestartPointsOfTheRewriter, LetThreadsWaitAndEnd) {
  Directory dir;
  Ending e = inChild([&] {
    NVM_ROOT(accounts);
    nvm_restart_points();
    openPool(dir / "pool", ofSize(32 * MiB));
    nvm_restore();
    accounts = static_cast<Account *>(
        nvm_zalloc(&nvm_type_Account, Threads * sizeof(Account)));
    nvm_ready();
    pthread_t thread[3];
    for (intptr_t t = 0; t < 3; t++)
      REQUIRE(pthread_create(&thread[t], nullptr, rewritten,
                             reinterpret_cast<void *>(t)) == 0);
    pthread_join(thread[1], nullptr);
    pthread_join(thread[2], nullptr);
    nvm_begin();
    rewritten(reinterpret_cast<void *>(3)); // takes no part
    nvm_end();
    nvm_stats stats;
    nvm_get_stats(&stats);
    REQUIRE(stats.sections < 1000); // they are 64 ms apart
    usleep(500000);
    kill(getpid(), SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  e = inChild([&] {
    NVM_ROOT(accounts);
    openPool(dir / "pool", ofSize(32 * MiB));
    REQUIRE(nvm_restore());
    REQUIRE(accounts[0].left == 0 && accounts[1].left == 1001 &&
            accounts[2].left == 2000 && accounts[3].left == 2000);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// So it is told, in whatever order the threads come.
TEST(RestartPointsThatCannotBe, AreNamed) {
  Directory dir;
  for (const char *engine : enginesWithout(&nvm_engine::goes_back)) {
    Ending e = inChild([&] {
      nvm_options o = ofSize(64 * MiB);
      o.engine = engine;
      openPool(dir / engine, o);
      nvm_restore();
      nvm_ready();
      nvm_thread_enter();
    });
    EXPECT_EQ(e.exitStatus, 78) << e;
    EXPECT_NE(e.text.find("[restart-points]"), std::string::npos) << e;
    e = inChild([&] {
      nvm_options o = ofSize(64 * MiB);
      o.engine = engine;
      nvm_restart_points();
      REQUIRE(nvm_open((dir / engine + "2").c_str(), &o) == EINVAL);
      REQUIRE(std::string(nvm_errormsg()).find("restart point") !=
              std::string::npos);
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  auto bug = [&](const std::function<void()> &wrong, const char *text) {
    Ending e = inChild([&] {
      openPool(dir / text, ofSize(16 * MiB));
      nvm_restore();
      nvm_ready();
      wrong();
    });
    EXPECT_EQ(e.signal, SIGABRT) << e;
    EXPECT_NE(e.text.find(text), std::string::npos) << e;
  };
  bug(
      [] {
        nvm_thread_enter();
        nvm_begin();
        nvm_thread_pause();
      },
      "nvm_thread_pause() inside a section");
  bug(
      [] {
        nvm_thread_enter();
        nvm_thread_resume();
      },
      "nvm_thread_resume() without nvm_thread_pause()");
  bug([] { nvm_thread_leave(); },
      "nvm_thread_leave() without nvm_thread_enter()");
  bug(
      [] {
        nvm_thread_enter();
        nvm_thread_enter();
      },
      "nvm_thread_enter() twice");
}

INSTANTIATE_TEST_SUITE_P(
    Of, HalfMade, testing::ValuesIn(enginesThat({&nvm_engine::goes_back})),
    ByParameter());

INSTANTIATE_TEST_SUITE_P(Of, RestartPoints,
                         testing::ValuesIn(enginesThat({&nvm_engine::goes_back,
                                                        &nvm_engine::hooked})),
                         ByParameter());

//===-- Cells -------------------------------------------------------------===//

constexpr long CellCount = 40;
nvm_cell **cells;
long cellSteps;

void stepCells() {
  if (!cells) {
    cells = static_cast<nvm_cell **>(
        nvm_zalloc(&nvm_type_bytes, CellCount * sizeof(nvm_cell *)));
    for (long i = 0; i < CellCount; i++)
      NVM(cells[i]) = nvm_cell_new(0);
  }
  long step = ++cellSteps;
  for (long i = 0; i < 10; i++)
    nvm_cell_set(cells[(step * 7 + i * 3) % CellCount], step * 100 + i);
  if (step % 3 == 0) { // its line is saved as a whole, too
    nvm_free(cells[step % CellCount]);
    NVM(cells[step % CellCount]) = nvm_cell_new(step);
  }
}

void checkCells(long steps) {
  std::vector<long> model(CellCount);
  for (long step = 1; step <= steps; step++) {
    for (long i = 0; i < 10; i++)
      model[size_t((step * 7 + i * 3) % CellCount)] = step * 100 + i;
    if (step % 3 == 0)
      model[size_t(step % CellCount)] = step;
  }
  REQUIRE(cellSteps == steps);
  for (long i = 0; cells && i < CellCount; i++)
    REQUIRE(cells[i]->value == model[size_t(i)]);
}

const Scenario CellScenario = {"cells",
                               [] {
                                 NVM_ROOT(cells);
                                 NVM_ROOT(cellSteps);
                               },
                               [] { return cellSteps; }, stepCells, checkCells};

class Cells : public testing::TestWithParam<Setting> {};

TEST_P(Cells, SurvivePowerCuts) {
  Proof proof(GetParam(), CellScenario);
  Plan plan;
  plan.states = 60;
  plan.wholeLines = true; // what the copy in the line relies on
  EXPECT_EQ(proof.run(plan), 0) << proof.problem;
}

INSTANTIATE_TEST_SUITE_P(Of, Cells, testing::ValuesIn(settings()),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(CellsWithoutOrder, AreFoundBroken) {
  Proof proof(settingNamed("incll"), CellScenario);
  Plan plan;
  plan.states = 400;
  plan.stopAtFirst = true; // 8 bytes of a line without the others
  EXPECT_GT(proof.run(plan), 0) << proof.problem;
}

TEST(CellsOfIncll, NeedNoFence) {
  Ending e = inChild([] {
    Directory dir;
    setenv("NVM_STATS", "1", 1);
    nvm_options o = ofSize(16 * MiB);
    o.engine = "incll";
    o.epoch_ms = 3600000;
    openPool(dir / "pool", o);
    nvm_cell *cell = nvm_cell_new(1);
    nvm_ready();
    nvm_stats before, after;
    nvm_get_stats(&before);
    for (int i = 0; i < 1000; i++)
      nvm_cell_set(cell, i);
    nvm_get_stats(&after);
    REQUIRE(after.fences == before.fences &&
            after.lines_flushed == before.lines_flushed);
    nvm_checkpoint();
    nvm_get_stats(&after);
    REQUIRE(after.lines_flushed > before.lines_flushed);
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
