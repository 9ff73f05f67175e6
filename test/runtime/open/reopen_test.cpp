//===- reopen_test.cpp - what reopening looks at --------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "support.h"
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(brick);

namespace {

struct Brick {
  Brick *next;
  long number;
  char rest[1008];
};
Brick *bricks;

nvm_options optionsOf(const char *engine, unsigned long size) {
  nvm_options options = ofSize(size);
  options.engine = engine;
  return options;
}

/// A pool of so many bricks, of which the last run changed a hundred.
void build(const std::string &pool, const char *engine, long count) {
  Ending e = inChild([&] {
    NVM_ROOT(bricks);
    openPool(pool, optionsOf(engine, 512 * MiB));
    nvm_restore();
    for (long i = 0; i < count; i++) {
      auto *b = static_cast<Brick *>(nvm_alloc(&nvm_type_brick, sizeof(Brick)));
      REQUIRE(b);
      nvm_store(b, sizeof(*b));
      memset(b, 1, sizeof(*b));
      b->next = bricks;
      b->number = i;
      bricks = b;
    }
    nvm_ready();
    nvm_close();
  });
  ASSERT_TRUE(e.fine()) << e;
  e = inChild([&] {
    NVM_ROOT(bricks);
    openPool(pool, optionsOf(nullptr, 0));
    REQUIRE(nvm_restore() == 1);
    nvm_ready();
    nvm_begin();
    int i = 0;
    for (Brick *b = bricks; b && i < 100; b = b->next, i++)
      NVM(b->number) += 1000000;
    _exit(0); // in the middle of the section
  });
  ASSERT_TRUE(e.fine()) << e;
}

/// KiB of the file that this process has seen.
long seen() {
  std::ifstream status("/proc/self/status");
  long sum = 0;
  for (std::string line; std::getline(status, line);)
    if (line.rfind("RssShmem:", 0) == 0 || line.rfind("RssFile:", 0) == 0)
      sum += strtol(line.substr(line.find(':') + 1).c_str(), nullptr, 10);
  return sum;
}

/// By reopening it.
long seenOf(const std::string &pool) {
  SharedLong result;
  Ending e = inChild([&] {
    NVM_ROOT(bricks);
    long before = seen();
    openPool(pool, optionsOf(nullptr, 0));
    REQUIRE(nvm_restore() == 1);
    nvm_ready();
    long last = bricks->number;
    for (Brick *b = bricks; b && last - b->number < 200; b = b->next)
      REQUIRE(b->number < 1000000 && b->rest[1000] == 1);
    result.set(seen() - before);
    _exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  return result.get();
}

class Reopening : public testing::TestWithParam<const char *> {
protected:
  Directory dir;
};
INSTANTIATE_TEST_SUITE_P(Of, Reopening,
                         testing::ValuesIn(enginesThat({&nvm_engine::goes_back,
                                                        &nvm_engine::hooked})),
                         ByParameter());

/// Ten times the heap, 110 MiB more: the page directory alone grows with it.
TEST_P(Reopening, DoesNotLookThroughTheHeap) {
  build(dir / "small", GetParam(), 12000);
  build(dir / "large", GetParam(), 120000);
  EXPECT_LT(seenOf(dir / "large"), seenOf(dir / "small") + 5 * 1024);
}

/// Slabs are listed when blocks are asked for, by whichever thread.
TEST_P(Reopening, FindsTheFreeBlocksOfAllPages) {
  constexpr int Blocks = 32 * 700; // 64 for each of two types in two pages
  struct Pile {
    void *block[Blocks];
  };
  static Pile *pile;
  std::string pool = dir / "pool";
  auto open = [&] {
    NVM_ROOT(pile);
    openPool(pool, optionsOf(GetParam(), 512 * MiB));
    nvm_restore();
    nvm_ready();
  };
  auto take = [](int i) {
    return nvm_alloc(i % 2 ? &nvm_type_brick : &nvm_type_bytes, 2048);
  };
  Ending e = inChild([&] {
    open();
    nvm_begin();
    pile = static_cast<Pile *>(nvm_alloc(&nvm_type_bytes, sizeof(Pile)));
    nvm_store(pile, sizeof(*pile));
    for (int i = 0; i < Blocks; i++)
      REQUIRE(pile->block[i] = take(i));
    nvm_end();
    nvm_begin();
    for (int i = 0; i < Blocks; i++)
      if (i / 2 % 2)
        nvm_free(pile->block[i]);
    nvm_end();
    nvm_close();
  });
  ASSERT_TRUE(e.fine()) << e;
  e = inChild([&] {
    open();
    nvm_stats before, after;
    nvm_get_stats(&before);
    std::mutex turn; // else a thread that finds a lock taken takes a new page
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
      threads.emplace_back([&, t] {
        for (int i = t; i < Blocks / 2; i += 3) {
          std::lock_guard<std::mutex> guard(turn);
          REQUIRE(take(i));
        }
      });
    for (int i = 0; i < Blocks; i += 400) { // blocks of pages not listed yet
      std::lock_guard<std::mutex> guard(turn);
      nvm_free(pile->block[i]);
    }
    for (std::thread &t : threads)
      t.join();
    nvm_get_stats(&after);
    // They would fill 350 pages. Each thread may keep some of its own.
    REQUIRE(after.heap_used_bytes <= before.heap_used_bytes + 16 * 65536);
    _exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// The images of a record are zeros for longer than recovery looks at first,
/// and a copy of the file has left them out.
TEST(ReopeningACopy, FindsACommitOfZerosThatWereLeftOut) {
  Directory dir;
  constexpr size_t Bytes = 40 * MiB;
  static char *block;
  auto open = [&](const std::string &file) {
    NVM_ROOT(block);
    openPool(file, optionsOf("redo", 512 * MiB));
    return nvm_restore();
  };
  Ending e = inChild([&] {
    open(dir / "pool");
    block = static_cast<char *>(nvm_alloc(&nvm_type_bytes, Bytes));
    REQUIRE(block);
    nvm_memset(block, 1, Bytes);
    nvm_ready();
    nvm_begin();
    nvm_memset(block, 0, Bytes);
    nvm_end();
    _exit(0); // the next commit would bring it home
  });
  ASSERT_TRUE(e.fine()) << e;
  std::string copy =
      "cp --sparse=always '" + (dir / "pool") + "' '" + (dir / "copy") + "'";
  ASSERT_EQ(system(copy.c_str()), 0);
  e = inChild([&] {
    REQUIRE(open(dir / "copy") == 1);
    for (size_t i = 0; i < Bytes; i++)
      REQUIRE(block[i] == 0);
    _exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
