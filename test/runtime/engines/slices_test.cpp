//===- slices_test.cpp - threads that save side by side -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under undo each thread adds to slices of the log of its own. Here threads
// fill some each, with entries that grow and, on an emulated medium, with whole
// ones.
//
//===----------------------------------------------------------------------===//
#include "faults.h"
#include "nvmove/restart.h"
#include "support.h"
#include <atomic>
#include <barrier>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern "C" {
#define _Static_assert static_assert
#include "base/layout.h"
#undef _Static_assert
#include "medium/log_limit.h"
}

using namespace nvmtest;

NVM_TYPE(Shelf);

namespace {

constexpr int Threads = 3, LongMs = 3600000;
constexpr long Lines = 150; ///< of each thread: some slices
struct Shelf {
  struct Line {
    long value, rest[7];
  } line[Threads][Lines];
};
Shelf *shelf;

class Slices : public testing::TestWithParam<const char *> {
protected:
  void start(int epochMs = LongMs) {
    if (*GetParam())
      setenv("NVM_MEDIA", GetParam(), 1);
    NVM_ROOT(shelf);
    nvm_options o = ofSize(16 * MiB);
    o.engine = "undo";
    o.epoch_ms = epochMs;
    openPool(pool, o);
    if (!nvm_restore())
      shelf = static_cast<Shelf *>(nvm_zalloc(&nvm_type_Shelf, sizeof(Shelf)));
    nvm_ready();
  }
  static void requireAll(long value) {
    for (auto &row : shelf->line)
      for (auto &line : row)
        REQUIRE(line.value == value);
  }
  /// All of it by each thread, which are between restart points at once.
  static void store(long value, bool thenKilled) {
    std::barrier all(Threads);
    std::vector<std::thread> threads;
    for (int t = 0; t < Threads; t++)
      threads.emplace_back([&, t] {
        nvm_thread_enter();
        all.arrive_and_wait();
        for (long i = 0; i < Lines; i++)
          NVM(shelf->line[t][i].value) = value;
        all.arrive_and_wait();
        if (thenKilled)
          raise(SIGKILL);
        nvm_thread_leave();
      });
    for (auto &t : threads)
      t.join();
  }
  /// Cut when all lines have been saved.
  void makeCut() {
    Ending e = inChild([&] {
      start();
      store(1, false);
      nvm_checkpoint();
      logOffset.set(long(pool_log_offset()));
      epoch.set(long(pool_epoch()) + 1);
      store(2, true);
    });
    ASSERT_TRUE(e.killed()) << e;
  }
  Ending look() {
    return inChild([&] {
      start();
      requireAll(1);
    });
  }
  Directory dir;
  std::string pool = dir / "pool", cut = dir / "cut";
  SharedLong logOffset, epoch;
};

INSTANTIATE_TEST_SUITE_P(Of, Slices, testing::Values("", "dram"),
                         [](const auto &info) {
                           return *info.param ? "WholeEntries" : "OpenEntries";
                         });

/// Entries that grow wait for none.
class Fences : public Slices {};
INSTANTIATE_TEST_SUITE_P(Of, Fences, testing::Values("dram"),
                         [](const auto &) { return "WholeEntries"; });

TEST_P(Slices, OfAllThreadsAreRolledBack) {
  makeCut();
  Ending e = look();
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] { // and goes on from there
    start();
    store(3, false);
    nvm_checkpoint();
    raise(SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  e = inChild([&] {
    start();
    requireAll(3);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Where the marks say nothing: a head, and what a thread had saved when it
/// went on to its next slice.
TEST_P(Slices, DamagedOnesAreRefusedWithoutMarks) {
  makeCut();
  std::string bytes = readFile(pool);
  uint64_t root;
  memcpy(&root, bytes.data() + 6144, sizeof(root));
  size_t headerAt = (root + 63) / 64 * 64;
  nvm_disk_header header;
  memcpy(&header, bytes.data() + headerAt, sizeof(header));
  patchFile(pool, headerAt + NVM_CONTROL_OFFSET + NVM_MARKS_OFFSET,
            std::string(sizeof(nvm_disk_marks), 0));
  copyFile(pool, cut);
  std::string good = readFile(pool);
  size_t log = size_t(logOffset.get()),
         slice = nvmi_log_slice_bytes(header.log_size_bytes);
  auto word = [&](size_t at) {
    uint64_t value;
    memcpy(&value, &good[at], sizeof(value));
    return value;
  };
  int heads = 0, left = 0;
  auto mustBeRefused = [&](size_t at) {
    patchFile(pool, at, std::string(1, char(good[at] ^ 4)));
    Ending e = look();
    EXPECT_NE(e.text.find("the undo log is damaged [pool-damaged]"),
              std::string::npos)
        << at - log << e;
    copyFile(cut, pool);
  };
  for (size_t at = log + slice; word(at) == uint64_t(epoch.get());
       at += slice) {
    heads++;
    for (size_t field : {0, 8, 12, 16, 60})
      mustBeRefused(at + field);
    if (uint64_t end = word(at + 16)) {
      left++;
      mustBeRefused(log + end - 30); // the last image
    }
  }
  EXPECT_GE(heads, 2 * Threads);
  EXPECT_EQ(left, heads - Threads);
  Ending e = look();
  EXPECT_TRUE(e.fine()) << e;
}

/// Each waits for the medium while the others do.
TEST_P(Fences, OfThreadsAreWaitedForAtTheSameTime) {
  Ending e = inChild([&] {
    start();
    std::barrier all(Threads);
    std::vector<std::thread> threads;
    for (int t = 0; t < Threads; t++)
      threads.emplace_back([&, t] {
        nvm_thread_enter();
        NVM(shelf->line[t][0].value) = 1; // now it has a slice
        all.arrive_and_wait();
        if (t == 0)
          fences_meet(Threads);
        all.arrive_and_wait();
        NVM(shelf->line[t][1].value) = 1;
        REQUIRE(fences_met());
        nvm_thread_leave();
      });
    for (auto &t : threads)
      t.join();
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// More than the log holds, between two checkpoints.
TEST_P(Slices, AnEpochEndsBeforeTheLogIsFull) {
  Ending e = inChild([&] {
    start();
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    unsigned long first = pool_epoch();
    constexpr size_t Size = 3 * MiB;
    auto *bytes =
        static_cast<unsigned char *>(nvm_alloc(&nvm_type_bytes, Size));
    NVM(shelf->line[0][0].value) = long(bytes != nullptr);
    nvm_checkpoint();
    for (size_t at = 0; at < Size; at += 4096) {
      REQUIRE(nvm_pthread_mutex_lock(&lock) == 0);
      nvm_memset(bytes + at, 1, 4096);
      REQUIRE(nvm_pthread_mutex_unlock(&lock) == 0);
    }
    REQUIRE(pool_epoch() > first + 1);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// A few lines of each are no reason to put their commit off any longer.
TEST_P(Slices, ThereMayBeMoreThreadsThanSlices) {
  for (bool atOutput : {false, true}) {
    Ending e = inChild([&] {
      nvmi_log_slice_limit_bytes = 256 << 10; // eight
      if (atOutput)
        nvm_commit_at_output();
      start(atOutput ? -1 : LongMs);
      unsigned long first = pool_epoch();
      pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
      std::atomic<bool> end = false;
      std::vector<std::thread> threads;
      for (int t = 0; t < 12; t++) {
        std::atomic<bool> isDone = false;
        threads.emplace_back([&, t] {
          REQUIRE(nvm_pthread_mutex_lock(&lock) == 0);
          NVM(shelf->line[0][t].value) = 1;
          REQUIRE(nvm_pthread_mutex_unlock(&lock) == 0);
          isDone = true;
          while (!end)
            usleep(1000);
        });
        while (!isDone)
          usleep(100);
      }
      REQUIRE(pool_epoch() > first);
      end = true;
      for (auto &t : threads)
        t.join();
    });
    EXPECT_TRUE(e.fine()) << atOutput << e;
  }
}

} // namespace
