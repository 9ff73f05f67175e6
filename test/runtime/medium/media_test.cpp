//===- media_test.cpp - emulated media and counters -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
extern "C" {
#include "medium/media.h"
}
#include <cmath>
#include <cstdlib>
#include <ctime>

using namespace nvmtest;

NVM_TYPE(row);

namespace {

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

/// A row of a new pool, which has been loaded.
long *rowOf(const std::string &pool, const char *engine, size_t size) {
  nvm_options o = ofSize(32 * MiB);
  o.engine = engine;
  openPool(pool, o);
  auto *row = static_cast<long *>(nvm_zalloc(&nvm_type_row, size));
  nvm_ready();
  return row;
}

/// Seconds for sections of one line each, and what was counted.
struct Cost {
  double seconds;
  nvm_stats counted;
  unsigned long energyNJ; ///< of `counted`, but for what is lost by rounding
};
constexpr int Sections = 2000;
Cost costOf(const char *engine, const char *media) {
  setenv("NVM_MEDIA", media, 1);
  Directory dir;
  long *row = rowOf(dir / "pool", engine, 64);
  nvm_stats before, after;
  nvm_get_stats(&before);
  double start = now();
  for (int i = 0; i < Sections; i++) {
    nvm_begin();
    NVM(row[0]) = i;
    nvm_end();
  }
  double seconds = now() - start;
  nvm_get_stats(&after);
  nvm_close();
  after.lines_written -= before.lines_written;
  after.lines_flushed -= before.lines_flushed;
  after.fences -= before.fences;
  after.lines_read -= before.lines_read;
  return {seconds, after, after.energy_nj - before.energy_nj};
}

TEST(Media, CostAtLeastWhatTheySay) {
  Ending e = inChild([] {
    // Undo: entry and image, control slot; one line flushed; three fences.
    Cost c = costOf("undo", "write=1000,flush=500,fence=2000");
    REQUIRE(c.counted.lines_written == 3ul * Sections);
    REQUIRE(c.counted.lines_flushed == 1ul * Sections);
    REQUIRE(c.counted.fences == 3ul * Sections);
    REQUIRE(c.seconds > Sections * (3 * 1000 + 1500 + 3 * 2000) * 1e-9);
    c = costOf("undo", "pcm");
    REQUIRE(c.seconds > Sections * (3 * 300 + 340 + 3 * 500) * 1e-9);
    // Redo: head, numbers, image; some records are brought home meanwhile.
    c = costOf("redo", "stt-ram");
    REQUIRE(c.counted.lines_written >= 3ul * Sections);
    REQUIRE(c.counted.lines_flushed == 0);
    REQUIRE(c.counted.fences >= 1ul * Sections);
    REQUIRE(c.seconds > Sections * (3 * 100 + 200) * 1e-9);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST(Media, NothingIsCountedUnlessAskedFor) {
  Ending e = inChild([] {
    for (const char *media : {"none", "", "dram"})
      REQUIRE(costOf("undo", media).counted.fences == 0);
    setenv("NVM_STATS", "1", 1);
    REQUIRE(costOf("undo", "dram").counted.fences == 3ul * Sections);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// A store is an announcement, whether or not its line was announced before,
/// and whatever the engine makes of it. (Under none and checkpoint programs
/// announce nothing.)
TEST(Media, StoresAreTheSameOnEveryEngine) {
  for (const char *engine : alsoThreaded(enginesThat({&nvm_engine::hooked}))) {
    Ending e = inChild([&] {
      setenv("NVM_STATS", "1", 1);
      Directory dir;
      long *row = rowOf(dir / "pool", engine, 4096);
      nvm_stats before, after;
      nvm_begin();
      nvm_get_stats(&before);
      for (int i = 0; i < 100; i++)
        NVM(row[i % 3 * 64]) = i;
      nvm_memset(row, 1, 4096);
      long local;
      NVM(local) = 1;
      nvm_get_stats(&after);
      nvm_end();
      REQUIRE(after.stores - before.stores == 101);
    });
    EXPECT_TRUE(e.fine()) << engine << e;
  }
}

/// What an engine reads back for a line that changes once in each section.
TEST(Media, LinesReadAndTheEnergyOfAll) {
  Ending e = inChild([] {
    setenv("NVM_STATS", "1", 1);
    const char *media = "energy=2,read-energy=3";
    Cost c = costOf("undo", media);
    const nvm_stats &n = c.counted;
    REQUIRE(n.lines_read == 1ul * Sections);
    double pj = 2.0 * double(n.lines_written + n.lines_flushed) +
                3.0 * double(n.lines_read);
    REQUIRE(std::abs(double(c.energyNJ) - pj * 512 / 1000) <= 1);
    c = costOf("incll", media); // an epoch has many sections
    REQUIRE(n.lines_read > 0 && n.lines_read < Sections);
    REQUIRE(costOf("none", media).counted.lines_read == 0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST(Media, OpeningReadsTheLog) {
  Ending e = inChild([] {
    setenv("NVM_STATS", "1", 1);
    for (const char *engine :
         enginesThat({&nvm_engine::goes_back, &nvm_engine::hooked})) {
      Directory dir;
      Ending crashed = inChild([&] {
        long *row = rowOf(dir / "pool", engine, 64000);
        nvm_begin();
        nvm_memset(row, 1, 64000);
        if (!engineNamed(engine).direct) {
          nvm_end();
          nvm_checkpoint();
        }
        _exit(0);
      });
      REQUIRE(crashed.fine());
      openPool(dir / "pool", ofSize(32 * MiB));
      nvm_stats stats;
      nvm_get_stats(&stats);
      REQUIRE(stats.lines_read >= 1000);
      nvm_restore();
      nvm_ready();
      nvm_close();
    }
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// By the clock. How much longer is bench/media_bench.c's business.
TEST(Media, DelaysAreNoShorterThanAskedFor) {
  setenv("NVM_MEDIA", "fence=1", 1);
  Directory dir;
  openPool(dir / "pool", ofSize(16 * MiB)); // sets the counter's clock
  nvm_close();
  unsetenv("NVM_MEDIA");
  for (uint64_t ns : {40, 300, 2000}) {
    double start = now();
    for (int i = 0; i < 5000; i++)
      nvmi_media_spin(ns);
    EXPECT_GE(now() - start, 5000 * double(ns) * 0.98e-9) << ns;
  }
}

TEST(Media, UnknownOnesAreRefused) {
  for (const char *media :
       {"steam", "write", "write=", "write=x", "write=1,", "write=1;flush=2",
        "write=-1", "pcm,", "read-energy", "read=1"}) {
    Ending e = inChild([&] {
      setenv("NVM_MEDIA", media, 1);
      Directory dir;
      nvm_options o = ofSize(16 * MiB);
      REQUIRE(nvm_open((dir / "pool").c_str(), &o) != 0);
      dprintf(2, "%s", nvm_errormsg());
    });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_NE(e.text.find("[media]"), std::string::npos) << media << e;
  }
}

TEST(Media, TheStartLineAndTheCountersNameThem) {
  Directory dir;
  Ending e = inChildWithExit([&] {
    setenv("NVM_POOL", (dir / "pool").c_str(), 1);
    setenv("NVM_SIZE", "16M", 1);
    setenv("NVM_ENGINE", "undo", 1);
    setenv("NVM_MEDIA", "pcm", 1);
    setenv("NVM_STATS", "1", 1);
    nvm_start();
    nvm_restore();
    nvm_ready();
  });
  EXPECT_NE(e.text.find(", emulated: pcm): engine undo;"), std::string::npos)
      << e;
  EXPECT_NE(e.text.find("\"engine\":\"undo\",\"media\":\"pcm\"}"),
            std::string::npos)
      << e;
  EXPECT_EQ(e.text.find("\"fences\":0,"), std::string::npos) << e;
  EXPECT_EQ(e.text.find("\"energy_nj\":0,"), std::string::npos) << e;
}

} // namespace
