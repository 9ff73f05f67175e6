//===- side_by_side_test.cpp - sections that run side by side -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include <atomic>
#include <barrier>
#include <csignal>
#include <filesystem>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace nvmtest;

NVM_TYPE(Bench);

namespace {

constexpr int Threads = 4;
constexpr int LongMs = 3600000;

/// Sections change both halves of an account, and what the tickets add up to.
struct Bench {
  long left[Threads], last;
  char apart[120];
  long right[Threads], sum[Threads];
  long *block[Threads];
};
Bench *bench;
pthread_mutex_t own[Threads] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void take(pthread_mutex_t &m) { REQUIRE(nvm_pthread_mutex_lock(&m) == 0); }
void give(pthread_mutex_t &m) { REQUIRE(nvm_pthread_mutex_unlock(&m) == 0); }

bool isWhole() {
  long all = 0;
  for (int t = 0; t < Threads; t++) {
    if (bench->left[t] != bench->right[t] ||
        (bench->block[t] && bench->block[t][0] != bench->block[t][1]))
      return false;
    all += bench->sum[t];
  }
  return all == bench->last * (bench->last + 1) / 2;
}

class Beside : public testing::TestWithParam<const char *> {
protected:
  void start(int epochMs) {
    NVM_ROOT(bench);
    nvm_options o = ofSize(32 * MiB);
    o.engine = GetParam();
    o.epoch_ms = epochMs;
    openPool(pool, o);
    if (!nvm_restore())
      bench = static_cast<Bench *>(nvm_zalloc(&nvm_type_Bench, sizeof(Bench)));
    REQUIRE(isWhole());
    nvm_ready();
  }
  /// What a process that began like this leaves.
  Ending first(int epochMs, const std::function<void()> &body) {
    return inChild([&] {
      start(epochMs);
      body();
    });
  }
  void then(const std::function<void()> &body) {
    Ending e = first(LongMs, body);
    EXPECT_TRUE(e.fine()) << e;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

INSTANTIATE_TEST_SUITE_P(
    Of, Beside,
    testing::ValuesIn(alsoThreaded(enginesThat({&nvm_engine::side_by_side,
                                                &nvm_engine::hooked}))),
    ByParameter());

/// From then on those that nvm_begin() begins run beside others, too.
void letALockMakeOne() {
  take(common);
  give(common);
}

/// Each thread is in the middle of its section while the others are.
void allInside(bool byLocks) {
  std::barrier all(Threads);
  letALockMakeOne();
  std::vector<std::thread> threads;
  for (int t = 0; t < Threads; t++)
    threads.emplace_back([&, t] {
      byLocks ? take(own[t]) : nvm_begin();
      NVM(bench->left[t]) = 5;
      all.arrive_and_wait();
      NVM(bench->right[t]) = 5;
      byLocks ? give(own[t]) : nvm_end();
    });
  for (auto &thread : threads)
    thread.join();
}

TEST_P(Beside, AllAreInsideAtTheSameTime) {
  for (bool byLocks : {true, false}) {
    Ending e = first(LongMs, [&] {
      for (int t = 0; t < Threads; t++)
        REQUIRE(bench->left[t] == (byLocks ? 0 : 5));
      allInside(byLocks);
      nvm_checkpoint();
      raise(SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  }
  then([] {
    for (int t = 0; t < Threads; t++)
      REQUIRE(bench->left[t] == 5);
  });
}

/// Where each end of a section commits they take turns.
TEST_P(Beside, ButNotIfEachCommits) {
  Ending e = first(-1, [&] {
    std::atomic<bool> isInside = false;
    take(own[0]);
    std::thread other([&] {
      take(own[1]);
      isInside = true;
      give(own[1]);
    });
    usleep(20000);
    REQUIRE(!isInside);
    give(own[0]);
    other.join();
    REQUIRE(isInside);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// A commit that is due waits for a section in its middle, and so do those that
/// would begin.
TEST_P(Beside, ACommitLeavesNoneOut) {
  Ending e = first(1, [&] {
    std::atomic<bool> isHalf = false, hasEnded = false;
    std::thread slow([&] {
      take(own[0]);
      NVM(bench->left[0]) = 1;
      isHalf = true;
      usleep(100000);
      REQUIRE(!hasEnded);
      raise(SIGKILL);
    });
    while (!isHalf)
      usleep(100);
    letTimePass(5);
    take(own[1]);
    NVM(bench->left[1]) = NVM(bench->right[1]) = 1;
    give(own[1]); // waits
    hasEnded = true;
    slow.join();
  });
  EXPECT_TRUE(e.killed()) << e;
  then([] { REQUIRE(bench->left[0] == 0 && bench->left[1] == 0); });
}

/// What a section has read of one that released its lock, and goes on, is not
/// durable without that one.
TEST_P(Beside, WhatWasReadEarlyWaitsForItsWriter) {
  for (bool writerEnds : {false, true}) {
    Ending e = first(LongMs, [&] {
      std::atomic<bool> isRead = false;
      std::thread writer([&] {
        take(own[0]);
        take(common);
        NVM(bench->last) = bench->last + 1;
        give(common);
        while (!isRead)
          usleep(100);
        usleep(20000);
        if (!writerEnds)
          raise(SIGKILL);
        NVM(bench->sum[0]) += 1;
        give(own[0]);
      });
      for (bool isThere = false; !isThere; usleep(100)) {
        take(common);
        isThere = bench->last == 1;
        if (isThere) {
          NVM(bench->last) = 2;
          NVM(bench->sum[1]) += 2;
        }
        give(common);
      }
      isRead = true;
      nvm_checkpoint();
      REQUIRE(bench->sum[0] == 1);
      writer.join();
      raise(SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
    then([&] { REQUIRE(bench->last == (writerEnds ? 2 : 0)); });
  }
}

/// One that takes no lock is whole, too, whatever others commit meanwhile.
TEST_P(Beside, AnExplicitSectionIsWhole) {
  Ending e = first(1, [&] {
    std::atomic<bool> isHalf = false;
    letALockMakeOne();
    std::thread handler([&] {
      nvm_begin();
      NVM(bench->left[0]) = 1;
      isHalf = true;
      usleep(50000);
      take(own[0]); // it lets nobody commit
      NVM(bench->left[0]) = 2;
      give(own[0]);
      raise(SIGKILL);
    });
    while (!isHalf)
      usleep(100);
    letTimePass(5);
    take(own[1]);
    NVM(bench->left[1]) = NVM(bench->right[1]) = 1;
    give(own[1]); // a commit is due, and waits
    REQUIRE(!"reached");
  });
  EXPECT_TRUE(e.killed()) << e;
  then([] { REQUIRE(bench->left[0] == 0 && bench->left[1] == 0); });
}

/// Locks one in another, waits for conditions, blocks that come and go; and a
/// kill somewhere.
void work(int t, long steps) {
  unsigned state = unsigned(t) + 1;
  for (long i = 0; i < steps; i++) {
    state = state * 1664525u + 1013904223u;
    unsigned what = state >> 24;
    take(own[t]);
    NVM(bench->left[t])++;
    if (what % 3 == 0) {
      long *fresh =
          static_cast<long *>(nvm_alloc(&nvm_type_bytes, 16 + what * 3));
      NVM(fresh[0]) = i;
      NVM(fresh[1]) = i;
      nvm_free(bench->block[t]);
      NVM(bench->block[t]) = fresh;
    }
    NVM(bench->right[t])++;
    if (what % 2) {
      take(common);
      NVM(bench->last)++;
      NVM(bench->sum[t]) += bench->last;
      if (what % 4 == 1)
        give(common);
      give(own[t]);
      if (what % 4 == 3) {
        if (what % 16 == 3) {
          timespec soon;
          clock_gettime(CLOCK_REALTIME, &soon);
          soon.tv_nsec = (soon.tv_nsec + 100000) % 1000000000;
          nvm_pthread_cond_timedwait(&changed, &common, &soon);
        }
        give(common);
      }
    } else {
      give(own[t]);
    }
    if (what == 7)
      nvm_checkpoint();
  }
}

TEST_P(Beside, AreWholeAfterACrashAnywhere) {
  long reached = 0;
  for (int round = 0; round < 6; round++) {
    Ending e = first(1, [&] {
      std::vector<std::thread> threads;
      for (int t = 0; t < Threads; t++)
        threads.emplace_back(work, t, 100000000);
      usleep(30000 + 5000 * unsigned(round));
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
    SharedLong found;
    then([&] { found.set(bench->left[0]); });
    EXPECT_GE(found.get(), reached);
    reached = found.get();
  }
  EXPECT_GT(reached, 0) << "nothing was committed";
}

/// Sections of two threads, and then nothing that could take the commit.
TEST_P(Beside, WhatWasDoneLastIsDurableSoon) {
  auto commits = [] {
    nvm_stats stats;
    nvm_get_stats(&stats);
    return stats.sections;
  };
  for (bool byLocks : {true, false}) {
    Ending e = first(100, [&] {
      unsigned long before = 0;
      std::thread other([&] {
        nvm_checkpoint(); // the next one is not due at once
        before = commits();
        byLocks ? take(own[0]) : nvm_begin();
        NVM(bench->left[0])++;
        NVM(bench->right[0])++;
        byLocks ? give(own[0]) : nvm_end();
      });
      other.join();
      for (int i = 0; i < 20000 && commits() == before; i++)
        usleep(1000);
      nvm_output(); // commits nothing here, and waits for who writes
      raise(SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  }
  then([] { REQUIRE(bench->left[0] == 2); });
}

size_t threadsOfThisProcess() {
  std::filesystem::directory_iterator tasks("/proc/self/task");
  return size_t(std::distance(begin(tasks), end(tasks)));
}

/// What one thread does outside of sections is whole with its next section.
TEST_P(Beside, OneThreadHasNoOtherThatCommits) {
  Ending e = first(1, [&] {
    size_t before = threadsOfThisProcess();
    letALockMakeOne();
    nvm_begin();
    NVM(bench->left[0]) = NVM(bench->right[0]) = 1;
    nvm_end();
    REQUIRE(threadsOfThisProcess() == before);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// The thread that takes commits is none of the child's.
TEST_P(Beside, AChildCanBeginAgain) {
  Ending e = first(20, [] {
    std::thread(letALockMakeOne).join();
    for (int i = 0; i < 20; i++) { // while the clock may hold what it needs
      pid_t child = fork();
      if (child == 0) {
        std::thread(letALockMakeOne).join();
        nvm_close();
        _exit(0);
      }
      usleep(3000);
      std::thread(letALockMakeOne).join();
      int status = 1;
      waitpid(child, &status, 0);
      REQUIRE(status == 0);
    }
    nvm_close();
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// What is done behind the last commit, by those who end with the program.
TEST_P(Beside, ExitIsTheLastMoment) {
  Ending e = inChild([&] {
    atexit([] { // called behind the runtime's, which comes later
      NVM(bench->left[0])++;
      usleep(300000);
      raise(SIGKILL);
    });
    start(20);
    std::thread([&] {
      take(own[0]);
      NVM(bench->left[0])++;
      NVM(bench->right[0])++;
      give(own[0]);
    }).join();
    exit(0);
  });
  EXPECT_TRUE(e.killed()) << e;
  then([] { REQUIRE(bench->left[0] == 1); });
}

TEST_P(Beside, AnExitHandlerMayCloseThePool) {
  Ending e = inChild([&] {
    alarm(60); // nothing may wait for what has ended
    atexit([] {
      nvm_close();
      _exit(7);
    });
    start(20);
    std::thread(letALockMakeOne).join();
    exit(0);
  });
  EXPECT_EQ(e.exitStatus, 7) << e;
}

TEST_P(Beside, EndWithTheProcess) {
  Ending e = first(LongMs, [&] {
    std::vector<std::thread> threads;
    for (int t = 0; t < Threads; t++)
      threads.emplace_back(work, t, 2000);
    for (auto &thread : threads)
      thread.join();
    exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  then([] {
    for (int t = 0; t < Threads; t++)
      REQUIRE(bench->left[t] == 2000);
  });
}

/// Who exits waits a little for sections to end, and commits none in its
/// middle.
TEST_P(Beside, ExitCommitsWholeOnes) {
  for (bool ends : {true, false}) {
    Ending e = first(LongMs, [&] {
      std::atomic<bool> isHalf = false;
      std::thread other([&] {
        take(own[0]);
        NVM(bench->left[0]) = 1;
        isHalf = true;
        usleep(ends ? 30000 : 30000000);
        NVM(bench->right[0]) = 1;
        give(own[0]);
        for (;;)
          pause();
      });
      other.detach();
      while (!isHalf)
        usleep(100);
      take(own[1]);
      NVM(bench->left[1])++;
      NVM(bench->right[1])++;
      ends ? give(own[1]) : exit(0); // the latter in a section of its own
      exit(0);
    });
    EXPECT_TRUE(e.fine()) << e;
    then([&] { REQUIRE(bench->left[0] == 1 && bench->left[1] == 1); });
  }
}

/// The child of a fork sees no half of another thread's section.
TEST_P(Beside, AForkSeesWholeOnes) {
  Ending e = first(LongMs, [&] {
    std::atomic<bool> isHalf = false;
    std::thread other([&] {
      take(own[0]);
      NVM(bench->left[0]) = 1;
      isHalf = true;
      usleep(20000);
      NVM(bench->right[0]) = 1;
      give(own[0]);
    });
    while (!isHalf)
      usleep(100);
    nvm_begin();
    pid_t child = fork();
    if (child == 0) {
      REQUIRE(isWhole());
      nvm_end();
      take(own[1]);
      give(own[1]);
      _exit(0);
    }
    nvm_end();
    int status = 1;
    waitpid(child, &status, 0);
    REQUIRE(status == 0);
    other.join();
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Where commits come before outputs: the sections that are behind one, or that
/// it may tell of, are durable before it.
class BesideUntilOutputs : public Beside {
protected:
  Ending first(const std::function<void()> &body) {
    return Beside::first(-1, [&] {
      nvm_commit_at_output();
      body();
    });
  }
};

INSTANTIATE_TEST_SUITE_P(Of, BesideUntilOutputs,
                         testing::ValuesIn(enginesThat(
                             {&nvm_engine::side_by_side, &nvm_engine::goes_back,
                              &nvm_engine::hooked})),
                         ByParameter());

TEST_P(BesideUntilOutputs, AllAreInsideAtTheSameTime) {
  for (bool says : {false, true}) {
    Ending e = first([&] {
      allInside(says);
      if (says)
        nvm_output();
      raise(SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
    then([&] {
      for (int t = 0; t < Threads; t++)
        REQUIRE(bench->left[t] == (says ? 5 : 0));
    });
  }
}

/// Handlers that answer in their middle: each has a commit of what it did so
/// far, and none waits for the end of another.
TEST_P(BesideUntilOutputs, AHandlerLetsOthersCommitWhileItAnswers) {
  Ending e = first([&] {
    std::barrier all(Threads);
    letALockMakeOne();
    std::vector<std::thread> threads;
    for (int t = 0; t < Threads; t++)
      threads.emplace_back([&, t] {
        nvm_begin();
        NVM(bench->left[t]) = NVM(bench->right[t]) = 1;
        all.arrive_and_wait();
        nvm_output();
        take(own[t]);
        NVM(bench->left[t]) = 2;
        give(own[t]);
        NVM(bench->right[t]) = 2;
        nvm_end();
      });
    for (auto &thread : threads)
      thread.join();
    raise(SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  EXPECT_EQ(e.text.find("left before its commit"), std::string::npos) << e;
  then([] {
    for (int t = 0; t < Threads; t++)
      REQUIRE(bench->left[t] >= 1);
  });
}

/// Four threads acknowledge what they did; somebody else kills them.
TEST_P(BesideUntilOutputs, WhatIsAcknowledgedIsDurable) {
  SharedLong said[Threads];
  for (int round = 0; round < 6; round++) {
    Ending e = first([&] {
      std::vector<std::thread> threads;
      for (int t = 0; t < Threads; t++)
        threads.emplace_back([&, t] {
          for (long n = bench->left[t];; work(t, 5), n += 5) {
            nvm_output();
            said[t].set(n);
          }
        });
      usleep(30000 + 5000 * unsigned(round));
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
    then([&] {
      for (int t = 0; t < Threads; t++)
        REQUIRE(bench->left[t] >= said[t].get());
    });
  }
  EXPECT_GT(said[0].get(), 0);
}

TEST_P(BesideUntilOutputs, AnOutputWaitsForSectionsThatItMayTellOf) {
  Ending e = first([&] {
    std::atomic<bool> isHalf = false, isRead = false;
    std::thread writer([&] {
      take(own[0]);
      take(common);
      NVM(bench->last) = 1;
      give(common);
      isHalf = true;
      while (!isRead)
        usleep(100);
      usleep(20000);
      NVM(bench->sum[0]) = 1;
      give(own[0]);
      pause();
    });
    while (!isHalf)
      usleep(100);
    take(common);
    REQUIRE(bench->last == 1);
    give(common);
    isRead = true;
    nvm_output();
    raise(SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  then([] { REQUIRE(bench->last == 1); });
}

/// An output within a section has the section to itself from there on.
TEST_P(BesideUntilOutputs, AnOutputInASectionEndsWhatIsBeside) {
  Ending e = first([&] {
    std::atomic<bool> isInside = false, mayEnd = false;
    std::thread other([&] {
      take(own[1]);
      NVM(bench->left[1]) = 1;
      isInside = true;
      usleep(20000);
      NVM(bench->right[1]) = 1;
      give(own[1]);
      take(own[1]);
      REQUIRE(mayEnd);
      give(own[1]);
    });
    take(own[0]);
    while (!isInside)
      usleep(100);
    NVM(bench->left[0]) = NVM(bench->right[0]) = 2;
    nvm_output();
    usleep(20000);
    mayEnd = true;
    give(own[0]);
    other.join();
    raise(SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  then([] { REQUIRE(bench->left[0] == 2 && bench->left[1] == 1); });
}

/// The other section waits for a lock that this one has: neither can go on.
TEST_P(BesideUntilOutputs, AnOutputThatCannotWaitIsTold) {
  Ending e = first([&] {
    std::atomic<bool> isInside = false;
    take(own[0]);
    std::thread other([&] {
      take(own[1]);
      NVM(bench->left[1]) = 1;
      isInside = true;
      take(own[0]);
      NVM(bench->right[1]) = 1;
      give(own[0]);
      give(own[1]);
    });
    while (!isInside)
      usleep(100);
    NVM(bench->left[0]) = NVM(bench->right[0]) = 2;
    nvm_output();
    nvm_stats stats;
    nvm_get_stats(&stats);
    REQUIRE(stats.early_outputs == 1);
    give(own[0]);
    other.join();
    nvm_output();
    raise(SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  EXPECT_NE(e.text.find("an output left before its commit"), std::string::npos)
      << e;
  then([] { REQUIRE(bench->left[0] == 2 && bench->left[1] == 1); });
}

} // namespace
