//===- blocks_test.cpp - blocks between two commits
//-------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is allocated and freed reaches the pool's bitmaps at the commit only.
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "faults.h"
#include "nvmove/restart.h"
#include "support.h"
extern "C" {
#include "base/event.h"
}
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(stone);

namespace {

constexpr int Stones = 300;
char *stones[Stones]; // of several sizes: their bits lie in several lines

char *stone(int i) {
  auto *p = static_cast<char *>(nvm_alloc(&nvm_type_stone, 16ul << (i % 5)));
  REQUIRE(p);
  NVM(*p) = char(i);
  return p;
}

class BlocksOf : public testing::TestWithParam<const char *> {
protected:
  void open() {
    nvm_options options = ofSize(16 * MiB);
    options.engine = GetParam();
    options.epoch_ms = -1;
    NVM_ROOT(stones);
    openPool(pool, options);
    nvm_restore();
  }
  /// In a process of its own, that dies without closing the pool.
  void run(const std::function<void()> &body) {
    Ending e = inChild([&] {
      open();
      nvm_ready();
      body();
      _exit(0);
    });
    EXPECT_TRUE(e.fine()) << e;
  }

  unsigned long blocksAfterwards() {
    SharedLong blocks;
    Ending e = inChild([&] {
      open();
      blocks.set(long(pool_blocks("stone")));
      for (char *p : stones)
        REQUIRE(!p || nvm_usable_size(p) >= 16);
      _exit(0);
    });
    EXPECT_TRUE(e.fine()) << e;
    return static_cast<unsigned long>(blocks.get());
  }
  Directory dir;
  std::string pool = dir / "pool";
};
INSTANTIATE_TEST_SUITE_P(Each, BlocksOf, testing::ValuesIn(allEngines()),
                         ByParameter());

TEST_P(BlocksOf, OutsideOfSectionsGoWithTheNextCommit) {
  run([] {
    stones[0] = stone(0);
    stones[1] = stone(1);
    nvm_checkpoint();
    nvm_free(stones[1]);
    stones[1] = nullptr;
    stones[2] = stone(2);
    nvm_checkpoint();
  });
  EXPECT_EQ(blocksAfterwards(), 2u);
}

TEST_P(BlocksOf, AnotherThreadMayFreeThemBeforeTheCommit) {
  run([] {
    nvm_begin();
    char *first = stone(0), *second = stone(0);
    stones[3] = stone(0);
    std::thread([&] {
      nvm_free(first);
      nvm_free(second);
    }).join();
    REQUIRE(stone(0) == first); // a fresh one can be taken again at once
    nvm_end();
    std::thread([&] {
      nvm_free(first);
      first = stone(0);
    }).join();
    nvm_checkpoint();
  });
  EXPECT_EQ(blocksAfterwards(), 2u);
}

TEST_P(BlocksOf, AForkedChildHasItsOwn) {
  run([] {
    nvm_begin();
    stones[0] = stone(0);
    nvm_end();
    nvm_begin();
    stones[1] = stone(1);
    nvm_free(stones[0]);
    Ending e = inChild([] {
      REQUIRE(nvm_usable_size(stones[1]) >= 32);
      nvm_free(stones[1]);
      for (char *&p : stones)
        p = stone(3);
      for (char *p : stones)
        nvm_free(p);
      _exit(0);
    });
    REQUIRE(e.fine());
    stones[0] = nullptr;
    nvm_end();
    nvm_checkpoint();
  });
  EXPECT_EQ(blocksAfterwards(), 1u);
}

/// A section that frees and allocates in many words is cut at each event.
class BlocksOfAtomic : public BlocksOf {};
INSTANTIATE_TEST_SUITE_P(Each, BlocksOfAtomic,
                         testing::ValuesIn(enginesThat({&nvm_engine::atomic})),
                         ByParameter());

TEST_P(BlocksOfAtomic, ACutSectionLeavesAllOrNothing) {
  run([] {
    nvm_begin();
    for (int i = 0; i < Stones / 2; i++)
      stones[i] = stone(i);
    nvm_end();
    nvm_checkpoint();
  });
  std::string base = readFile(pool);
  bool killed = true;
  long cuts = 0, step = getenv("NVMOVE_LONG") ? 1 : 11;
  for (long at = 1; killed; at += step, cuts++) {
    writeFile(pool, base);
    Ending e = inChild([&] {
      open();
      nvm_ready();
      setenv("NVM_CRASH_AT", std::to_string(at).c_str(), 1);
      nvmi_events_start();
      nvm_begin();
      for (int i = 0; i < Stones / 2; i += 3) {
        nvm_free(stones[i]);
        stones[i] = nullptr;
      }
      for (int i = Stones / 2; i < Stones; i++) {
        stones[i] = stone(i);
        nvm_free(stone(i));
      }
      nvm_end();
      nvm_checkpoint();
      _exit(0);
    });
    killed = e.killed();
    ASSERT_TRUE(killed || e.fine()) << e;
    unsigned long blocks = blocksAfterwards();
    EXPECT_TRUE(blocks == Stones / 2 || blocks == Stones - Stones / 6)
        << blocks;
    EXPECT_TRUE(killed || blocks == Stones - Stones / 6) << blocks;
  }
  EXPECT_GT(cuts, 20);
}

class BlocksOfFinal : public BlocksOf {};
INSTANTIATE_TEST_SUITE_P(
    Each, BlocksOfFinal,
    testing::ValuesIn(enginesWithout(&nvm_engine::goes_back)), ByParameter());

/// Where a store outlives a crash before the next commit, so does the block.
TEST_P(BlocksOfFinal, StoresThatAreNeverTakenBackFindTheirBlocks) {
  run([] {
    auto **table =
        static_cast<char **>(nvm_zalloc(&nvm_type_pointers, sizeof(stones)));
    stones[0] = reinterpret_cast<char *>(table);
    nvm_checkpoint();
    for (int i = 0; i < Stones; i++)
      NVM(table[i]) = stone(i);
  });
  EXPECT_EQ(blocksAfterwards(), unsigned(Stones));
}

TEST(Blocks, ThatComeAndGoLeaveNoTrace) {
  Directory dir;
  for (const char *engine : {"redo", "undo", "dual"}) {
    Ending e = inChild([&] {
      nvm_options options = ofSize(16 * MiB);
      options.engine = engine;
      options.epoch_ms = -1;
      openPool(dir / engine, options);
      nvm_ready();
      nvm_begin();
      nvm_alloc(&nvm_type_stone, 112);
      nvm_end();
      nvm_stats before, after;
      nvm_get_stats(&before);
      for (int i = 0; i < 1000; i++) {
        nvm_begin();
        nvm_free(nvm_alloc(&nvm_type_stone, 112));
        nvm_end();
      }
      nvm_get_stats(&after);
      REQUIRE(after.sections == before.sections);
      REQUIRE(after.lines_logged == before.lines_logged);
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

//===-- After a restart ---------------------------------------------------===//

constexpr unsigned long KiB = 1024, PerPage = 64, FullPages = 200;
char **many;
unsigned long hole; // where the one that was freed lay

char *oneMore() { return static_cast<char *>(nvm_alloc(&nvm_type_stone, KiB)); }

class FullPagesAfterARestart : public testing::Test {
protected:
  FullPagesAfterARestart() {
    run([] {
      many = static_cast<char **>(
          nvm_zalloc(&nvm_type_bytes, FullPages * PerPage * sizeof(*many)));
      for (unsigned long i = 0; i < FullPages * PerPage; i++)
        REQUIRE((NVM(many[i]) = oneMore()));
      nvm_ready();
      char **last = &many[FullPages * PerPage - 1];
      hole = reinterpret_cast<unsigned long>(*last);
      nvm_begin();
      nvm_free(*last);
      NVM(*last) = nullptr;
      nvm_end();
    });
  }
  void run(const std::function<void()> &body) {
    Ending e = inChild([&] {
      NVM_ROOT(many);
      NVM_ROOT(hole);
      openPool(pool, ofSize(32 * MiB));
      nvm_restore();
      body();
      _exit(0);
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

/// Else the first allocations would take the longer the larger the pool is.
TEST_F(FullPagesAfterARestart, AreNotAllReadForOneBlock) {
  run([] {
    nvm_ready();
    unsigned long taken = 1;
    while (reinterpret_cast<unsigned long>(oneMore()) != hole)
      taken++;
    REQUIRE(taken > PerPage);     // from a new page first, and from all of it
    REQUIRE(taken < 8 * PerPage); // the others are not forgotten
  });
}

TEST_F(FullPagesAfterARestart, AreWhenNothingElseIsLeft) {
  run([] {
    nvm_ready();
    while (nvm_alloc(&nvm_type_bytes, 64 * KiB)) {
    }
    REQUIRE(reinterpret_cast<unsigned long>(oneMore()) == hole);
    REQUIRE(!oneMore());
  });
}

} // namespace
