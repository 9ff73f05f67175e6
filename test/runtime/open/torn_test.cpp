//===- torn_test.cpp - pages taken outside sections, under tx -------------===//
//-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process takes pages outside sections and is killed. Then its file is made
// what a loss of power might have left: halves of the directory's entries,
// heads without tails, tails without heads, the table without the last type.
// The pool opens, has what was committed, gives the pages out again, zero where
// zero was asked for, and is sound. What no loss of power leaves is refused as
// before.
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include "world.h"
#include <cstring>
#include <unistd.h>

extern "C" {
#define _Static_assert static_assert
#include "base/layout.h"
#undef _Static_assert
}

using namespace nvmtest;

NVM_TYPE(late);

namespace {

class TornPages : public testing::Test {
protected:
  static constexpr long Steps = 9;

  void openTx() {
    nvm_options options = ofSize(32 * MiB);
    options.engine = "tx";
    registerWorld();
    openPool(pool, options);
    nvm_restore();
    nvm_ready();
  }
  static void section() {
    nvm_begin();
    stepWorld();
    nvm_end();
  }
  static unsigned long used() {
    nvm_stats stats;
    nvm_get_stats(&stats);
    return stats.heap_used_bytes;
  }
  static void *takePages() {
    void *large = nvm_zalloc(&nvm_type_bytes, 5 * NVM_PAGE_BYTES - 100);
    REQUIRE(large && nvm_alloc(&nvm_type_late, 24));
    memset(large, 0x5a, 5 * NVM_PAGE_BYTES - 100);
    return large;
  }
  /// Leaves what the pool is before and after the pages were taken.
  void SetUp() override {
    Ending e = inChild([&] {
      openTx();
      for (long i = 0; i < Steps; i++)
        section();
      copyFile(pool, dir / "before");
      usedBefore.set(used());
      takePages();
    });
    ASSERT_TRUE(e.fine()) << e;
    before = readFile(dir / "before");
    after = readFile(pool);
    uint64_t root;
    memcpy(&root, before.data() + 6144, sizeof(root));
    memcpy(&header, before.data() + (root + 63) / 64 * 64, sizeof(header));
    ASSERT_EQ(header.magic, NVM_DISK_MAGIC);
    for (uint32_t page = 0; page < header.page_count; page++)
      if (memcmp(&before[entryAt(page)], &after[entryAt(page)], 16) != 0)
        taken.push_back(page);
    ASSERT_EQ(taken.size(), 6u); // the large block's five and the late type's
  }
  size_t entryAt(uint32_t page) const {
    return header.arena_offset + header.directory_offset +
           page * sizeof(nvm_disk_page);
  }
  nvm_disk_page entryOf(uint32_t page) const {
    nvm_disk_page entry;
    memcpy(&entry, &after[entryAt(page)], sizeof(entry));
    return entry;
  }
  /// As if these bytes had not reached the medium.
  void lose(std::string &file, size_t at, size_t count) {
    memcpy(&file[at], &before[at], count);
  }
  /// So many of the pages taken are in use.
  void expectWhole(const std::string &file, const std::string &what,
                   unsigned inUse) {
    SCOPED_TRACE(what);
    writeFile(pool, file);
    Ending e = inChild([&] {
      openTx();
      REQUIRE(worldSteps() == Steps);
      REQUIRE(used() == unsigned(usedBefore.get()) + inUse * NVM_PAGE_BYTES);
      Model model;
      for (long i = 0; i < Steps; i++)
        model.step();
      requireWorld(model);
      for (int round = 0; round < 8; round++) { // all that is free, and more
        auto *p = static_cast<unsigned char *>(
            nvm_zalloc(&nvm_type_bytes, 4 * NVM_PAGE_BYTES));
        REQUIRE(p);
        for (size_t i = 0; i < 4 * NVM_PAGE_BYTES; i++)
          REQUIRE(p[i] == 0);
        REQUIRE(nvm_alloc(&nvm_type_late, size_t(100) << round));
      }
      section();
      model.step();
      requireWorld(model);
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
    e = inChild([&] {
      execl(NVM_POOL_TOOL, "nvm-pool", "check", pool.c_str(), nullptr);
      _exit(127);
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  void expectRefused(const std::string &file) {
    writeFile(pool, file);
    Ending e = inChild([&] { openTx(); });
    EXPECT_NE(e.text.find("[pool-damaged]"), std::string::npos) << e;
  }
  Directory dir;
  std::string pool = dir / "pool", before, after;
  nvm_disk_header header;
  std::vector<uint32_t> taken;
  SharedLong usedBefore;
};

TEST_F(TornPages, HalfAnEntryIsDropped) {
  expectWhole(after, "all has arrived", 6);
  for (uint32_t page : taken)
    for (size_t half : {0, 8, 16}) {
      std::string file = after;
      lose(file, entryAt(page) + half % 16, half == 16 ? 16 : 8);
      expectWhole(file,
                  "page " + std::to_string(page) + ", " +
                      (half == 16 ? "the entry"
                       : half     ? "the second half"
                                  : "the first half") +
                      " is missing",
                  page == taken.back() ? 5 : 1);
    }
}

TEST_F(TornPages, OfATypeThatTheTableDoesNotHave) {
  std::string file = after;
  lose(file, header.arena_offset, sizeof(nvm_disk_heap));
  expectWhole(file, "the heap's header is missing", 5);
}

TEST_F(TornPages, BitsOfAFreePageAreCleared) {
  std::string file = after;
  for (uint32_t page : taken)
    lose(file, entryAt(page), sizeof(nvm_disk_page));
  expectWhole(file, "no entry has arrived, the bits have", 0);
}

TEST_F(TornPages, WhatNoLossOfPowerLeavesIsRefused) {
  for (uint32_t page : taken) {
    std::string file = after;
    file[entryAt(page) + offsetof(nvm_disk_page, crc)] ^= 1;
    expectRefused(file);
  }
  for (uint32_t page = 0; page < header.page_count; page++)
    if (entryOf(page).state == NVM_PAGE_SLAB && page != taken[0] &&
        page != taken[5]) {
      std::string file = after;
      file[entryAt(page)] ^= 3;
      expectRefused(file);
    }
}

TEST_F(TornPages, APoolThatWasClosedHasNone) {
  Ending e = inChild([&] {
    openTx();
    nvm_close();
  });
  ASSERT_TRUE(e.fine()) << e;
  std::string file = readFile(pool);
  for (size_t half : {0, 8})
    for (uint32_t page : {taken[0], taken[5]}) {
      std::string damaged = file;
      memset(&damaged[entryAt(page) + half], 0, 8);
      expectRefused(damaged);
    }
}

/// In a transaction they are given back when it is committed, or not at all.
TEST_F(TornPages, PagesAreGivenBackInSections) {
  Ending e = inChild([&] {
    openTx();
    void *large = takePages();
    unsigned long taken = used();
    nvm_free(large);
    REQUIRE(used() == taken);
    section();
    REQUIRE(used() < taken);
    void *block = nvm_alloc(&nvm_type_bytes, 3 * NVM_PAGE_BYTES);
    void *larger = NVM_ALLOC(bytes, nvm_realloc(block, 4 * NVM_PAGE_BYTES));
    REQUIRE(larger && larger != block);
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
