//===- allocator_test.cpp - the malloc family over the heap ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <random>
#include <thread>
#include <vector>

using namespace nvmtest;

NVM_TYPE(item);
NVM_TYPE(other);

namespace {

char *take(size_t n) {
  return static_cast<char *>(NVM_ALLOC(item, nvm_malloc(n)));
}

bool holds(const char *p, size_t n, char c) {
  for (size_t i = 0; i < n; i++)
    if (p[i] != c)
      return false;
  return true;
}

class Allocator : public testing::Test {
protected:
  void run(const std::function<void()> &body, unsigned long size = 64 * MiB) {
    Ending e = inChild([&] {
      openPool(dir / "pool", ofSize(size));
      nvm_ready();
      body();
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  Directory dir;
};

TEST_F(Allocator, EverySizeIsAlignedUsableAndApart) {
  run([] {
    for (size_t n = 0; n < 70000; n += n < 300 ? 1 : n / 23) {
      char *a = take(n), *b = take(n);
      REQUIRE(a && b && nvm_contains(a) && nvm_contains(b));
      REQUIRE(reinterpret_cast<uintptr_t>(a) % 16 == 0);
      REQUIRE(nvm_usable_size(a) >= n && nvm_usable_size(b) >= n);
      nvm_memset(a, 'a', nvm_usable_size(a));
      nvm_memset(b, 'b', nvm_usable_size(b));
      REQUIRE(holds(a, nvm_usable_size(a), 'a'));
      nvm_free(a);
      nvm_free(b);
    }
  });
}

TEST_F(Allocator, BlocksAreAlignedAsAskedFor) {
  run([] {
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2)
      for (size_t n : {1ul, 100ul, 5000ul, 40000ul, 300000ul}) {
        char *p =
            static_cast<char *>(NVM_ALLOC(item, nvm_memalign(alignment, n)));
        REQUIRE(p && nvm_contains(p));
        REQUIRE(reinterpret_cast<uintptr_t>(p) % alignment == 0);
        REQUIRE(nvm_usable_size(p) >= n);
        nvm_memset(p, 'a', nvm_usable_size(p));
        nvm_free(p);
      }
    void *q = nullptr;
    nvm_place(&nvm_type_item);
    REQUIRE(nvm_posix_memalign(&q, 64, 1000) == 0 && nvm_contains(q));
    REQUIRE(nvm_posix_memalign(&q, 24, 1000) == EINVAL);
    nvm_free(q);
    REQUIRE(!nvm_aligned_alloc(3, 1000) && errno == EINVAL);
    q = nvm_aligned_alloc(256, 1024);
    REQUIRE(nvm_contains(q) && reinterpret_cast<uintptr_t>(q) % 256 == 0);
    REQUIRE(!nvm_memalign(1 << 20, 1000) && errno == ENOMEM);
    nvm_placed(q);
    nvm_free(q);
    q = nvm_memalign(64, 100); // outside NVM_ALLOC
    REQUIRE(q && !nvm_contains(q));
    nvm_free(q);
  });
}

TEST_F(Allocator, CallocGivesZerosAlsoInUsedMemory) {
  run([] {
    for (size_t n : {1ul, 16ul, 100ul, 5000ul, 40000ul, 70000ul, 300000ul}) {
      nvm_begin();
      char *a = take(n);
      nvm_memset(a, 'x', n);
      nvm_end();
      nvm_begin();
      nvm_free(a);
      nvm_end();
      nvm_begin();
      for (int i = 0; i < 4; i++) {
        char *b = static_cast<char *>(NVM_ALLOC(item, nvm_calloc(n, 1)));
        REQUIRE(holds(b, n, 0));
        nvm_memset(b, 'y', n);
      }
      nvm_end();
    }
    errno = 0;
    REQUIRE(NVM_ALLOC(item, nvm_calloc(~0ul / 2, 3)) == nullptr &&
            errno == ENOMEM);
  });
}

TEST_F(Allocator, ReallocKeepsContent) {
  run([] {
    for (size_t from : {10ul, 100ul, 3000ul, 33000ul, 200000ul})
      for (size_t to : {1ul, 90ul, 2500ul, 32768ul, 66000ul, 500000ul}) {
        char *p = take(from);
        nvm_memset(p, 'r', from);
        p = static_cast<char *>(
            nvm_realloc(p, to)); // outside NVM_ALLOC: stays in the heap
        REQUIRE(nvm_contains(p) && nvm_usable_size(p) >= to);
        REQUIRE(holds(p, std::min(from, to), 'r'));
        nvm_free(p);
      }
  });
}

TEST_F(Allocator, ReallocOfALargeBlockGrowsInPlaceWhenItCan) {
  run([] {
    char *p = take(100000);
    REQUIRE(nvm_realloc(p, 1000000) == p);
    REQUIRE(nvm_usable_size(p) >= 1000000);
    REQUIRE(nvm_usable_size(p + 500000) == nvm_usable_size(p) - 500000);
  });
}

TEST_F(Allocator, ReallocInsideAllocMovesDramToTheHeap) {
  run([] {
    char *p = static_cast<char *>(nvm_malloc(100));
    REQUIRE(!nvm_contains(p));
    memset(p, 'd', 100);
    p = static_cast<char *>(NVM_ALLOC(item, nvm_realloc(p, 200)));
    REQUIRE(nvm_contains(p) && holds(p, 100, 'd'));
    char *q = static_cast<char *>(
        nvm_realloc(nvm_malloc(10), 20)); // outside: stays in DRAM
    REQUIRE(!nvm_contains(q));
    nvm_free(q);
    char *s = NVM_ALLOC(bytes, nvm_strdup("text"));
    REQUIRE(nvm_contains(s) && strcmp(s, "text") == 0);
    char *t = NVM_ALLOC(bytes, nvm_strndup("text", 2));
    REQUIRE(nvm_contains(t) && strcmp(t, "te") == 0);
  });
}

TEST_F(Allocator, TextOfTheLibraryIsCopiedIntoTheHeap) {
  run([] {
    char *text = nullptr;
    REQUIRE(NVM_ALLOC_OUT(bytes, nvm_asprintf(&text, "%d-%s", 7, "x")) == 3);
    REQUIRE(nvm_contains(text) && strcmp(text, "7-x") == 0);
    REQUIRE(nvm_asprintf(&text, "%d", 8) == 1 && !nvm_contains(text));
    nvm_free(text);
    FILE *f = tmpfile();
    fputs("one\nand a longer line\n\nrest", f);
    rewind(f);
    char *line = nullptr, *first;
    size_t n = 0;
    REQUIRE(NVM_ALLOC_OUT(bytes, nvm_getline(&line, &n, f)) == 4);
    REQUIRE(nvm_contains(line) && strcmp(line, "one\n") == 0 && n >= 5);
    // Outside of NVM_ALLOC a block of the heap stays one.
    REQUIRE(nvm_getline(&line, &n, f) == 18 && nvm_contains(line));
    first = line;
    REQUIRE(nvm_getline(&line, &n, f) == 1 && line == first);
    REQUIRE(nvm_getdelim(&line, &n, 0, f) == 4 && strcmp(line, "rest") == 0);
    REQUIRE(nvm_getline(&line, &n, f) == -1 && line == first);
    fclose(f);
    char *path = NVM_ALLOC(bytes, nvm_realpath("/", nullptr));
    REQUIRE(nvm_contains(path) && strcmp(path, "/") == 0);
    char *here = NVM_ALLOC(bytes, nvm_getcwd(nullptr, 0));
    REQUIRE(nvm_contains(here) && *here == '/');
    REQUIRE(!NVM_ALLOC(bytes, nvm_realpath("/no/such/file", nullptr)));
    void *block = nullptr;
    REQUIRE(NVM_ALLOC_OUT(item, nvm_posix_memalign(&block, 64, 100)) == 0);
    REQUIRE(nvm_contains(block) &&
            reinterpret_cast<uintptr_t>(block) % 64 == 0);
    REQUIRE(!NVM_ALLOC(bytes, nvm_reallocarray(block, ~0ul / 2, 3)));
    REQUIRE(nvm_contains(NVM_ALLOC(item, nvm_valloc(10))));
  });
}

static void *wrapper(size_t n) {
  auto *p = static_cast<size_t *>(nvm_malloc(n + 16));
  NVM(*p) = n;
  return p + 2;
}

TEST_F(Allocator, WrappersAndNestingTakeTheInnermostType) {
  run([] {
    char *a = static_cast<char *>(NVM_ALLOC(item, wrapper(100)));
    REQUIRE(nvm_contains(a) && nvm_usable_size(a) >= 100);
    REQUIRE(nvm_usable_size(a) == nvm_usable_size(a - 16) - 16);
    void *inner = nullptr;
    void *outer = NVM_ALLOC(
        item, (inner = NVM_ALLOC(other, nvm_malloc(40)), nvm_malloc(40)));
    // One slab holds one type: the two cannot share a page.
    REQUIRE(reinterpret_cast<uintptr_t>(inner) >> 16 !=
            reinterpret_cast<uintptr_t>(outer) >> 16);
    REQUIRE(!nvm_contains(nvm_malloc(8)));
  });
}

TEST_F(Allocator, AFullHeapGivesNullAndGoesOn) {
  run(
      [] {
        std::vector<char *> all;
        nvm_begin();
        for (char *p; (p = take(100000));)
          all.push_back(p);
        REQUIRE(errno == ENOMEM && all.size() > 50);
        REQUIRE(nvm_realloc(all[0], 90 * MiB) == nullptr);
        while (char *p = take(1000))
          all.push_back(p);
        nvm_end();
        nvm_begin();
        for (char *p : all)
          nvm_free(p);
        REQUIRE(take(100000) == nullptr); // these frees wait for the commit
        nvm_end();
        for (size_t i = 0; i < 50; i++)
          REQUIRE(take(100000));
      },
      32 * MiB);
}

TEST_F(Allocator, AFreedBlockIsReusedOnlyAfterTheCommit) {
  run([] {
    nvm_begin();
    char *old = take(48);
    nvm_end();
    nvm_begin();
    nvm_free(old);
    for (int i = 0; i < 5000; i++)
      REQUIRE(take(48) != old);
    nvm_end();
    bool seen = false;
    for (int i = 0; i < 5000; i++)
      seen |= take(48) == old;
    REQUIRE(seen);
  });
}

TEST_F(Allocator, ABlockOfTheSameSectionIsReusedAtOnce) {
  run([] {
    nvm_begin();
    char *a = take(48);
    nvm_free(a);
    REQUIRE(take(48) == a);
    char *big = take(300000);
    nvm_free(big);
    for (int i = 0; i < 1000; i++) { // far more than the heap holds
      char *p = take(300000);
      REQUIRE(p);
      nvm_free(p);
    }
    nvm_end();
  });
}

// Small blocks leave marks in every word of a page's bitmap; larger ones do not
// use all of the last word.
TEST_F(Allocator, APageMayChangeItsSizeTwiceInOneSection) {
  run(
      [] {
        std::vector<char *> blocks;
        nvm_begin();
        while (char *p = take(16)) // until there is no page that was never used
          blocks.push_back(p);
        for (char *p : blocks)
          nvm_free(p);
        blocks.clear();
        while (char *p = take(48))
          blocks.push_back(p);
        nvm_end();
        for (int round = 0; round < 2; round++) {
          nvm_begin();
          for (size_t i = 0; i < blocks.size(); i += 100)
            nvm_free(blocks[i]);
          nvm_end();
          for (size_t i = 0; i < blocks.size(); i += 100)
            blocks[i] = take(48);
        }
        std::sort(blocks.begin(), blocks.end());
        for (size_t i = 0; i < blocks.size(); i++) {
          auto offset = reinterpret_cast<uintptr_t>(blocks[i]) % 65536;
          REQUIRE(offset % 48 == 0 && offset + 48 <= 65536);
          REQUIRE(i == 0 || blocks[i - 1] + 48 <= blocks[i]);
        }
      },
      16 * MiB);
}

TEST_F(Allocator, MisuseIsNamed) {
  for (int kind = 0; kind < 4; kind++) {
    Ending e = inChild([&] {
      openPool(dir / "pool");
      nvm_ready();
      nvm_begin();
      char *a = take(48);
      nvm_end();
      nvm_begin();
      if (kind == 0)
        nvm_free(a + 16);
      nvm_free(a);
      nvm_end();
      if (kind == 1)
        nvm_free(a);
      if (kind == 2)
        nvm_realloc(a, 1000);
      if (kind == 3)
        nvm_end();
    });
    EXPECT_EQ(e.signal, SIGABRT) << e;
    EXPECT_NE(e.text.find("nvmove: bug: "), std::string::npos) << e;
  }
}

TEST_F(Allocator, ADoubleFreeInOneSectionIsFoundAtOnce) {
  for (int kind = 0; kind < 4; kind++) {
    Ending e = inChild([&] {
      openPool(dir / std::to_string(kind));
      nvm_ready();
      nvm_begin();
      char *a = take(48);
      if (kind < 2)
        nvm_end(); // it is one of the last commit
      if (kind < 2)
        nvm_begin();
      nvm_free(a);
      if (kind == 3) {
        REQUIRE(take(48) == a); // it came back
        nvm_free(a);
      }
      if (kind % 2)
        std::thread([a] { nvm_free(a); }).join();
      else
        nvm_free(a);
      failInChild(__FILE__, __LINE__, "not found");
    });
    EXPECT_EQ(e.signal, SIGABRT) << kind << e;
    EXPECT_NE(e.text.find("freed twice"), std::string::npos) << kind << e;
  }
}

struct Block {
  size_t size;
  char fill;
};

/// Random operations against a model; sections end at random.
void soak(std::map<char *, Block> &model, std::mt19937 &random, int steps) {
  nvm_begin();
  for (int i = 0; i < steps; i++) {
    unsigned kind = random() % 16;
    size_t size = random() % 8 ? random() % 600 : random() % 150000;
    char fill = char('a' + random() % 26);
    if (kind < 8 || model.empty()) {
      char *p =
          kind % 2 ? take(size)
                   : static_cast<char *>(NVM_ALLOC(bytes, nvm_calloc(1, size)));
      REQUIRE(p);
      nvm_memset(p, fill, size);
      REQUIRE(model.emplace(p, Block{size, fill}).second);
      continue;
    }
    auto at = std::next(model.begin(), long(random() % model.size()));
    auto [p, block] = *at; // copies: the entry goes
    REQUIRE(holds(p, block.size, block.fill));
    if (kind < 12) {
      nvm_free(p);
      model.erase(at);
    } else if (kind < 14) {
      model.erase(at);
      char *moved = static_cast<char *>(nvm_realloc(p, size + 1));
      REQUIRE(moved && holds(moved, std::min(block.size, size), block.fill));
      nvm_memset(moved, fill, size + 1);
      REQUIRE(model.emplace(moved, Block{size + 1, fill}).second);
    } else if (kind == 14) {
      nvm_end();
      nvm_begin();
    }
  }
  nvm_end();
}

TEST_F(Allocator, RandomOperationsAgreeWithAModelOverRestarts) {
  std::map<char *, Block> model;
  SharedLong ready;
  Ending e = inChild([&] {
    std::mt19937 random(1);
    for (int round = 0; round < 6; round++) {
      nvm_options options = ofSize(128 * MiB);
      options.verify = round == 2;
      openPool(dir / "pool", options);
      REQUIRE(nvm_restore() == (round > 0));
      nvm_ready();
      for (auto [p, block] : model)
        REQUIRE(holds(p, block.size, block.fill) &&
                nvm_usable_size(p) >= block.size);
      soak(model, random, 3000);
      nvm_stats stats;
      nvm_get_stats(&stats);
      REQUIRE(stats.unannounced == 0);
      nvm_close();
    }
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Waves of blocks of one size, most of which go before the next: pages change
/// their sizes, and their threads, several times between two commits.
void wave(std::map<char *, Block> &model, std::mt19937 &random) {
  size_t size = 1 + (random() % 4 ? random() % 700 : random() % 70000);
  size_t most = 1 + 1500000 / size;
  char fill = char('a' + random() % 26);
  for (size_t i = 0; i < most; i++) {
    size_t own = size + random() % 3;
    char *p = take(own);
    if (!p)
      break;
    nvm_memset(p, fill, nvm_usable_size(p));
    auto [at, isNew] = model.emplace(p, Block{nvm_usable_size(p), fill});
    REQUIRE(isNew);
    auto next = std::next(at);
    REQUIRE(next == model.end() || p + at->second.size <= next->first);
  }
  unsigned kept = random() % 3 ? random() % 20 : 0; // of a thousand
  for (auto at = model.begin(); at != model.end();)
    if (random() % 1000 >= kept) {
      REQUIRE(holds(at->first, at->second.size, at->second.fill));
      nvm_free(at->first);
      at = model.erase(at);
    } else {
      ++at;
    }
}

TEST_F(Allocator, WavesOfSizesBetweenCommitsStayApart) {
  for (const char *engine : {"redo", "undo", "dual", "incll", "none"})
    for (unsigned seed = 1; seed <= 2; seed++) {
      Directory own;
      Ending e = inChild([&] {
        nvm_options options = ofSize(24 * MiB);
        options.engine = engine;
        options.epoch_ms = 30;
        openPool(own / "pool", options);
        nvm_ready();
        std::map<char *, Block> model;
        std::mt19937 random(seed);
        for (int i = 0; i < 8; i++) {
          std::thread([&] {
            for (int k = 0; k < 4; k++) {
              nvm_begin();
              wave(model, random);
              nvm_end();
              wave(model, random);
            }
          }).join();
        }
        nvm_close();
      });
      EXPECT_TRUE(e.fine()) << engine << " " << seed << e;
    }
}

} // namespace
