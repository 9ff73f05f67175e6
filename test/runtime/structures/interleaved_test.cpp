//===- interleaved_test.cpp - versions that a second thread makes durable -===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/region.h"
#include "sim.h"
#include "support.h"
#include <cerrno>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

using namespace nvmtest;

namespace {

constexpr unsigned Objects = 40;
constexpr size_t Bytes = 150;
constexpr long Units = 300;

struct Kind {
  const char *engine;
  unsigned versions;
};

void openIt(const std::string &path, const Kind &kind) {
  nvm_options o = ofSize(16 * MiB);
  o.engine = kind.engine;
  openPool(path, o);
  nvm_restore();
  nvm_ready();
}

nvm_interleaved *setOf(const Kind &kind) {
  nvm_interleaved *s =
      nvm_interleaved_open("swaps", Objects, Bytes, kind.versions);
  REQUIRE(s);
  return s;
}

/// Object 0 holds the number of units; the others change places.
void fill(nvm_interleaved *s, unsigned object, long value) {
  auto *p = static_cast<unsigned char *>(nvm_interleaved_write(s, object));
  for (size_t i = 0; i + sizeof(value) <= Bytes; i += sizeof(value))
    memcpy(p + i, &value, sizeof(value));
}

long valueOf(nvm_interleaved *s, unsigned object) {
  auto *p = static_cast<const unsigned char *>(nvm_interleaved_read(s, object));
  long first, value;
  memcpy(&first, p, sizeof(first));
  for (size_t i = 0; i + sizeof(value) <= Bytes; i += sizeof(value)) {
    memcpy(&value, p + i, sizeof(value));
    REQUIRE(value == first); // else it is torn
  }
  return first;
}

std::pair<unsigned, unsigned> pairOf(long unit) {
  std::minstd_rand draw{unsigned(unit) * 7919u + 1};
  draw.discard(3);
  unsigned a = 1 + unsigned(draw() % (Objects - 1));
  return {a, 1 + unsigned(draw() % (Objects - 1))};
}

void begin(nvm_interleaved *s) {
  for (unsigned i = 1; i < Objects; i++)
    fill(s, i, i);
  fill(s, 0, 0);
  nvm_interleaved_wait(s);
}

void unit(nvm_interleaved *s, long k) {
  auto [a, b] = pairOf(k);
  long of_a = valueOf(s, a), of_b = valueOf(s, b);
  fill(s, a, of_b);
  fill(s, b, of_a);
  fill(s, 0, k);
  nvm_interleaved_commit(s);
}

/// The whole state is the one after some unit; gives back which.
long check(nvm_interleaved *s) {
  std::vector<long> wanted(Objects);
  std::iota(wanted.begin(), wanted.end(), 0);
  long k = valueOf(s, 0);
  REQUIRE(k >= 0 && k <= 2 * Units);
  for (long i = 1; i <= k; i++) {
    auto [a, b] = pairOf(i);
    std::swap(wanted[a], wanted[b]);
  }
  for (unsigned i = 1; i < Objects; i++)
    REQUIRE(valueOf(s, i) == wanted[i]);
  return k;
}

class Interleaved : public testing::TestWithParam<Kind> {
protected:
  Directory dir;
  std::string base = dir / "base", pool = dir / "pool", left = dir / "left";
  SharedLong acknowledged, primitives;

  void makeBase() {
    Ending e = inChild([&] {
      openIt(base, GetParam());
      begin(setOf(GetParam()));
      nvm_close();
    });
    ASSERT_TRUE(e.fine()) << e;
  }

  /// All units, cut before primitive `at`; 0: never.
  Ending run(long at, unsigned seed, sim_fault fault) {
    copyFile(base, pool);
    acknowledged.set(0);
    return inChild([&] {
      setenv("NVM_THREAD_THRESHOLD", "0.2", 1);
      sim_plan sim = {};
      sim.pool_path = pool.c_str();
      sim.left_path = left.c_str();
      sim.medium = SIM_FENCE_IS_ENOUGH;
      sim.fault = fault;
      sim.seed = seed;
      sim.cut_at = at;
      sim.at_cut = [] { _exit(7); };
      sim_install(&sim);
      openIt(pool, GetParam());
      nvm_interleaved *s = setOf(GetParam());
      for (long k = 1; k <= Units; k++) {
        unit(s, k);
        if (k % 50 == 0) {
          nvm_interleaved_wait(s);
          acknowledged.set(k);
        }
      }
      nvm_close();
      primitives.set(sim_count());
    });
  }

  /// Opens what a cut left, goes on, and looks once more.
  Ending look() {
    return inChild([&] {
      openIt(left, GetParam());
      nvm_interleaved *s = setOf(GetParam());
      long k = check(s);
      REQUIRE(k >= acknowledged.get());
      for (long more = 1; more <= 20; more++)
        unit(s, k + more);
      REQUIRE(check(s) == k + 20);
      nvm_interleaved_close(s);
      REQUIRE(check(setOf(GetParam())) == k + 20);
      nvm_close();
    });
  }

  /// How many of some states were wrong.
  long wrong(int states, sim_fault fault) {
    Ending e = run(0, 1, SIM_NO_FAULT);
    EXPECT_TRUE(e.fine()) << e;
    std::mt19937 random{23};
    long count = 0, most = primitives.get();
    for (int i = 0; i < states && most; i++) {
      e = run(1 + long(random() % (unsigned long)most), unsigned(i), fault);
      if (e.exitStatus != 7)
        continue; // the thread took fewer batches this time
      e = look();
      if (!e.fine() && !count++)
        text = testing::PrintToString(e);
    }
    return count;
  }
  std::string text;
};

TEST_P(Interleaved, NothingIsTornByPowerCuts) {
  makeBase();
  EXPECT_EQ(wrong(25, SIM_NO_FAULT), 0) << text;
}

TEST_P(Interleaved, AMissingFlushIsNoticed) {
  makeBase();
  EXPECT_GT(wrong(8, SIM_NO_FLUSH), 0);
}

TEST_P(Interleaved, AMissingFenceIsNoticed) {
  makeBase();
  EXPECT_GT(wrong(8, SIM_NO_FENCE), 0);
}

/// What has no commit is lost when the pool is closed, with its batch.
TEST_P(Interleaved, AnUnfinishedUnitIsNotCommitted) {
  makeBase();
  Ending e = inChild([&] {
    openIt(base, GetParam());
    nvm_interleaved *s = setOf(GetParam());
    unit(s, 1);
    nvm_interleaved_wait(s);
    fill(s, 3, 1000);
    nvm_close();
    openIt(base, GetParam());
    REQUIRE(check(setOf(GetParam())) == 1);
    nvm_close();
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// exit() makes durable what is committed; a child's writes are its own.
TEST_P(Interleaved, ExitFinishesAndChildrenAreApart) {
  makeBase();
  Ending e = inChild([&] {
    openIt(base, GetParam());
    nvm_interleaved *s = setOf(GetParam());
    for (long k = 1; k <= Units; k++) {
      unit(s, k);
      if (k == Units / 2) {
        Ending child = inChild([&] {
          for (long more = k + 1; more <= Units; more++)
            unit(s, more);
          REQUIRE(check(s) == Units);
          nvm_interleaved_wait(s);
        });
        REQUIRE(child.fine());
        REQUIRE(check(s) == k);
      }
    }
    exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] {
    openIt(base, GetParam());
    REQUIRE(check(setOf(GetParam())) == Units);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// With two versions the program waits for the thread, under whatever engine.
std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const char *engine :
       enginesThat({&nvm_engine::atomic, &nvm_engine::direct})) {
    all.push_back({engine, 3});
    if (engineNamed(engine).goes_back && engineNamed(engine).epoch_ms == 0)
      all.push_back({engine, 2});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Of, Interleaved, testing::ValuesIn(kinds()),
                         [](const auto &info) {
                           return info.param.engine +
                                  std::to_string(info.param.versions);
                         });

TEST(InterleavedSet, WhatCannotBeServedIsRefused) {
  Ending e = inChild([] {
    Directory dir;
    auto refused = [](unsigned count, size_t bytes, unsigned versions) {
      errno = 0;
      return !nvm_interleaved_open("one", count, bytes, versions) &&
             errno == EINVAL && strstr(nvm_errormsg(), "[interleaved]");
    };
    REQUIRE(refused(4, 8, 2)); // no pool
    openIt(dir / "pool", {"undo", 2});
    nvm_interleaved *s = nvm_interleaved_open("one", 4, 8, 2);
    REQUIRE(s);
    REQUIRE(*static_cast<const long *>(nvm_interleaved_read(s, 3)) == 0);
    nvm_interleaved_close(s);
    REQUIRE(refused(4, 9, 2)); // the region is as large
    REQUIRE(refused(0, 8, 2) && refused(4, 0, 2));
    REQUIRE(refused(4, 8, 1) && refused(4, 8, 4));
    nvm_begin();
    REQUIRE(refused(4, 8, 2));
    nvm_end();
    setenv("NVM_THREAD_THRESHOLD", "2", 1);
    REQUIRE(!nvm_interleaved_open("one", 4, 8, 2) && errno == EINVAL);
    unsetenv("NVM_THREAD_THRESHOLD");
    nvm_close();
    openIt(dir / "redo", {"redo", 2});
    REQUIRE(refused(4, 8, 2));
    nvm_close();
    nvm_options o = ofSize(16 * MiB);
    o.engine = "undo";
    o.verify = 1;
    openPool(dir / "verified", o);
    nvm_restore();
    REQUIRE(refused(4, 8, 2)); // before nvm_ready()
    nvm_ready();
    REQUIRE(refused(4, 8, 2));
    nvm_close();
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
