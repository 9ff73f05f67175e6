//===- collect_test.cpp - what a crash has orphaned is freed --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/collect.h"
#include "nvmove/region.h"
#include "nvmove/restart.h"
#include "support.h"
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(Shared);
NVM_TYPE(Holder);
NVM_TYPE(Numbers);
NVM_TYPE(Pair);
NVM_TYPE(Xored);

namespace {

/// An object that knows how many point to it.
struct Shared {
  int count;
  int value;
  char *text;
};
constexpr int Slots = 16;
struct Holder {
  Shared *slot[Slots];
  Holder *next;
};
const nvm_field sharedFields[] = {NVM_COUNT(Shared, count),
                                  NVM_FIELD(Shared, value),
                                  NVM_POINTER(Shared, text)};
const nvm_field holderFields[] = {NVM_POINTER(Holder, slot),
                                  NVM_POINTER(Holder, next)};

/// What looks like an address in it may be one in `word`, `bytes`, `either` and
/// `typed` alone.
struct Pair {
  int low, high;
  double real;
};
struct Numbers {
  double real;
  Pair pair[2];
  unsigned long word;
  char bytes[24];
  union {
    double real;
    Shared *pointer;
  } either;
  Shared *typed;
  float x, y;
};
const nvm_field pairFields[] = {NVM_FIELD(Pair, low), NVM_FIELD(Pair, high),
                                NVM_FIELD(Pair, real)};
const nvm_field numberFields[] = {
    NVM_FIELD(Numbers, real),   NVM_RECORD(Numbers, pair, Pair),
    NVM_FIELD(Numbers, word),   NVM_FIELD(Numbers, bytes),
    NVM_FIELD(Numbers, either), NVM_POINTER(Numbers, typed),
    NVM_FIELD(Numbers, x),      NVM_FIELD(Numbers, y)};

/// A list whose links are XORed.
struct Xored {
  unsigned long both;
  Shared *held;
};
const nvm_field xoredFields[] = {NVM_COMPUTED_IN_HEAP(Xored, both),
                                 NVM_POINTER(Xored, held)};
bool isXored;

Holder *head;

void registerProgram() {
  if (isXored)
    nvm_layout(&nvm_type_Xored, sizeof(Xored), xoredFields, 2);
  nvm_layout(&nvm_type_Shared, sizeof(Shared), sharedFields, 3);
  nvm_layout(&nvm_type_Holder, sizeof(Holder), holderFields, 2);
  nvm_layout(&nvm_type_Pair, sizeof(Pair), pairFields, 3);
  nvm_layout(&nvm_type_Numbers, sizeof(Numbers), numberFields, 8);
  NVM_ROOT(head);
}

template <typename T> T *make(nvm_type *type) {
  auto *p = static_cast<T *>(nvm_zalloc(type, sizeof(T)));
  REQUIRE(p);
  return p;
}

Shared *makeShared(int value) {
  auto *s = make<Shared>(&nvm_type_Shared);
  NVM_OBJ(s)->count = 1;
  s->value = value;
  s->text = static_cast<char *>(nvm_alloc(&nvm_type_bytes, 24));
  REQUIRE(s->text);
  snprintf(static_cast<char *>(nvm_store(s->text, 24)), 24, "text %d", value);
  return s;
}

void take(Holder *holder, int slot, Shared *s) {
  NVM(s->count)++;
  NVM(holder->slot[slot]) = s;
}

void release(Shared *s) {
  if (--NVM(s->count) == 0) {
    nvm_free(s->text);
    nvm_free(s);
  }
}

bool isWhole(const Shared *s, int value) {
  return s->value == value &&
         std::string(s->text) == "text " + std::to_string(value);
}

/// The head holds the first reference to each of `count` objects.
void makeHolderOf(int count) {
  head = make<Holder>(&nvm_type_Holder);
  for (int i = 0; i < count; i++)
    take(head, i, makeShared(i));
}

class Collection : public testing::TestWithParam<const char *> {
protected:
  nvm_options options() const {
    nvm_options o = ofSize(32 * MiB);
    o.engine = GetParam();
    return o;
  }
  /// A run that makes its pool, or goes on after a crash; ended by _exit().
  void firstRun(const std::function<void()> &body) {
    Ending e = inChild([&] {
      registerProgram();
      openPool(pool, options());
      nvm_restore();
      nvm_ready();
      nvm_begin();
      body();
      nvm_end();
      nvm_checkpoint();
    });
    ASSERT_TRUE(e.fine()) << e;
  }
  /// The next run, with a collection; `restored` is called in the start-up.
  Ending nextRun(
      const std::function<void()> &body,
      const std::function<void()> &restored = [] {}) {
    return inChild([&] {
      registerProgram();
      openPool(pool, options());
      REQUIRE(nvm_collect(nullptr) == 0);
      REQUIRE(nvm_restore());
      restored();
      nvm_ready();
      body();
    });
  }
  static nvm_collection complete() {
    nvm_collection c;
    REQUIRE(nvm_collect(&c) == 0);
    return c;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

/// A pointer where no C program may put it, and where some do.
void putUnaligned(char *to, const void *p) {
  nvm_store(to, sizeof(p));
  memcpy(to, &p, sizeof(p));
}

TEST_P(Collection, FreesNothingWhereAddressesAreComputed) {
  isXored = true;
  firstRun([] {
    auto *first = make<Xored>(&nvm_type_Xored),
         *second = make<Xored>(&nvm_type_Xored);
    NVM(first->both) = ~reinterpret_cast<unsigned long>(second);
    NVM(second->held) = makeShared(1);
    head = make<Holder>(&nvm_type_Holder);
    NVM(head->slot[0]) = reinterpret_cast<Shared *>(first);
  });
  Ending e = nextRun([] { REQUIRE(complete().objects == 0); });
  isXored = false;
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Collection, FreesWhatNothingLeadsToAndNothingElse) {
  firstRun([] {
    makeHolderOf(3);
    // Reached: by the middle of a large block, at odd addresses, with marks in
    // the upper bits, by a region, and by pointers to their inside.
    auto *large = static_cast<char *>(nvm_zalloc(&nvm_type_bytes, 200000));
    putUnaligned(reinterpret_cast<char *>(&head->slot[3]), large + 150000);
    putUnaligned(large + 99991, makeShared(4));
    auto tagged = reinterpret_cast<uintptr_t>(makeShared(5)) | 0xabcdul << 48;
    putUnaligned(large + 65529, reinterpret_cast<void *>(tagged));
    auto *region = static_cast<char *>(nvm_region("region", 40));
    putUnaligned(region + 32, &makeShared(6)->value);
    // Garbage: alone, in a circle, and large.
    makeShared(7);
    auto *a = make<Holder>(&nvm_type_Holder),
         *b = make<Holder>(&nvm_type_Holder);
    NVM(a->next) = b;
    NVM(b->next) = a;
    NVM(b->slot[0]) = head->slot[0]; // leads out, but nobody is there
    nvm_alloc(&nvm_type_bytes, 300000);
  });
  Ending e = nextRun([] {
    nvm_collection c = complete();
    REQUIRE(c.objects == 5);
    REQUIRE(c.bytes >= 300000 + 2 * sizeof(Holder));
    // What is freed is used again, so anything freed wrongly is overwritten.
    nvm_begin();
    for (int i = 0; i < 2000; i++)
      memset(nvm_store(makeShared(1000 + i), sizeof(Shared)), 0x5a, 16);
    void *big = nvm_zalloc(&nvm_type_bytes, 300000);
    nvm_memset(big, 0x5a, 300000);
    nvm_end();
    nvm_checkpoint();
    char *large;
    memcpy(&large, &head->slot[3], sizeof(large));
    large -= 150000;
    uintptr_t tagged;
    memcpy(&tagged, large + 65529, sizeof(tagged));
    Shared *odd;
    memcpy(&odd, large + 99991, sizeof(odd));
    int *inside;
    memcpy(&inside, static_cast<char *>(nvm_region("region", 40)) + 32,
           sizeof(inside));
    for (int i = 0; i < 3; i++)
      REQUIRE(isWhole(head->slot[i], i));
    REQUIRE(isWhole(odd, 4));
    REQUIRE(isWhole(reinterpret_cast<Shared *>(tagged << 16 >> 16), 5));
    REQUIRE(
        isWhole(reinterpret_cast<Shared *>(reinterpret_cast<char *>(inside) -
                                           offsetof(Shared, value)),
                6));
  });
  EXPECT_TRUE(e.fine()) << e;
  // 2000 objects and their texts, and a large one.
  e = nextRun([] { REQUIRE(complete().objects == 4001); });
  EXPECT_TRUE(e.fine()) << e;
  e = nextRun([] { REQUIRE(complete().objects == 0); });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Collection, LowersCountsByWhatVolatileStateHeld) {
  firstRun([] {
    head = make<Holder>(&nvm_type_Holder);
    Shared *s = makeShared(1); // count 1: held by a variable only
    for (int i = 0; i < 4; i++)
      take(head, i, s);
    Shared *pinned = makeShared(2);
    take(head, 4, pinned);
    NVM(pinned->count) = INT32_MAX;
    Shared *exact = makeShared(3);
    take(head, 5, exact);
    release(exact);
  });
  Ending e = nextRun([] {
    nvm_begin();
    take(head, 6, head->slot[0]); // stays: what is lowered is a difference
    nvm_end();
    nvm_collection c = complete();
    REQUIRE(c.counts == 1 && c.objects == 0);
    REQUIRE(head->slot[0]->count == 5);
    REQUIRE(head->slot[4]->count == INT32_MAX);
    REQUIRE(head->slot[5]->count == 1);
    nvm_begin();
    for (int i : {0, 1, 2, 3, 6}) {
      release(head->slot[i]);
      NVM(head->slot[i]) = nullptr;
    }
    nvm_end(); // the last one frees it
  });
  EXPECT_TRUE(e.fine()) << e;
  e = nextRun([] { REQUIRE(complete().objects == 0); });
  EXPECT_TRUE(e.fine()) << e;
}

std::string poolTool(const std::vector<std::string> &arguments) {
  Ending e = inChild([&] {
    std::vector<char *> argv{const_cast<char *>("nvm-pool")};
    for (const std::string &a : arguments)
      argv.push_back(const_cast<char *>(a.c_str()));
    argv.push_back(nullptr);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execv(NVM_POOL_TOOL, argv.data());
    _exit(127);
  });
  return std::to_string(e.exitStatus) + ": " + e.text;
}

/// An allocator of the program's that keeps a header before each object: it is
/// learnt from the first one. A type that has none elsewhere is not counted.
TEST_P(Collection, BehindHeadersOfTheProgramsAllocator) {
  static const auto withHeader = [](size_t n) {
    char *block = static_cast<char *>(nvm_malloc(n + 16));
    REQUIRE(block);
    memset(nvm_store(block, n + 16), 0, n + 16);
    return static_cast<void *>(block + 16);
  };
  auto objects = [](bool alike) {
    head = make<Holder>(&nvm_type_Holder);
    for (int i = 0; i < 4; i++) {
      auto *s = static_cast<Shared *>(
          alike || i ? NVM_ALLOC(Shared, withHeader(sizeof(Shared)))
                     : nvm_zalloc(&nvm_type_Shared, sizeof(Shared)));
      NVM_OBJ(s)->count = 5;
      NVM(head->slot[i]) = s;
    }
  };
  firstRun([&] { objects(true); });
  Ending e = nextRun([] {
    REQUIRE(complete().counts == 4);
    for (int i = 0; i < 4; i++)
      REQUIRE(head->slot[i]->count == 1);
  });
  EXPECT_TRUE(e.fine()) << e;
  e = nextRun([&] {
    REQUIRE(complete().counts == 0);
    nvm_begin();
    objects(false);
    nvm_end();
    nvm_checkpoint();
  });
  EXPECT_TRUE(e.fine()) << e;
  e = nextRun([] {
    nvm_collection c = complete();
    REQUIRE(c.counts == 0 && c.objects == 5);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// A block that grows where it stands says nothing about other blocks, not even
/// in a process that has not allocated of that type.
TEST_P(Collection, AfterABlockWasResizedInPlace) {
  firstRun([] {
    head = make<Holder>(&nvm_type_Holder);
    NVM(head->slot[0]) = static_cast<Shared *>(
        NVM_ALLOC(Shared, nvm_calloc(1, sizeof(Shared) + 10)));
    NVM(head->slot[0]->count) = 9;
  });
  Ending e = nextRun([] {
    nvm_begin();
    auto *same = static_cast<Shared *>(
        NVM_ALLOC(Shared, nvm_realloc(head->slot[0], sizeof(Shared) + 12)));
    REQUIRE(same == head->slot[0]);
    nvm_end();
    REQUIRE(complete().counts == 1);
    REQUIRE(head->slot[0]->count == 1);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// nvm-pool gc knows nothing of the program but what the pool says.
TEST_P(Collection, WithoutTheProgram) {
  firstRun([] {
    makeHolderOf(8);
    for (int i = 0; i < 2000; i++)
      makeShared(i);
  });
  bool tx = engineNamed(GetParam()).opens_first;
  std::string before = readFile(pool);
  if (!tx) {
    EXPECT_EQ(poolTool({"gc", "--dry-run", pool}),
              "0: would free 4000 objects, 96000 bytes; lower 8 counts\n");
    EXPECT_TRUE(readFile(pool) == before);
  }
  EXPECT_EQ(poolTool({"gc", pool}),
            "0: freed 4000 objects, 96000 bytes; lowered 8 counts\n");
  EXPECT_EQ(poolTool({"gc", pool}),
            "0: freed 0 objects, 0 bytes; lowered 0 counts\n");
  EXPECT_EQ(poolTool({"check", pool}).substr(0, 8), "0: sound");
  Ending e = nextRun([] {
    for (int i = 0; i < 8; i++)
      REQUIRE(head->slot[i]->count == 1 && isWhole(head->slot[i], i));
    nvm_begin(); // whatever was freed is used again
    for (int i = 0; i < 2000; i++)
      makeShared(i);
    nvm_end();
    for (int i = 0; i < 8; i++)
      REQUIRE(isWhole(head->slot[i], i));
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// The program may free a counted object before its count is put right.
TEST_P(Collection, LeavesAnObjectThatCameIntoTheSamePlaceAlone) {
  firstRun([] { makeHolderOf(8); });
  Ending e = nextRun([] { complete(); },
                     [] {
                       for (int i = 0; i < 8; i++) {
                         nvm_free(head->slot[i]->text);
                         nvm_free(head->slot[i]); // whatever its count says
                         Shared *s = makeShared(100 + i);
                         NVM(s->count) = 50;
                         NVM(head->slot[i]) = s;
                       }
                       nvm_ready();
                       nvm_begin();
                       for (int i = 0; i < 8; i++) {
                         Shared *s = makeShared(200 + i);
                         NVM(s->count) = 60;
                         NVM(head->slot[8 + i % 8]) = s;
                       }
                       nvm_end();
                     });
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] {
    registerProgram();
    openPool(pool, options());
    REQUIRE(nvm_restore());
    for (int i = 0; i < 8; i++) {
      REQUIRE(head->slot[i]->count == 50 && isWhole(head->slot[i], 100 + i));
      REQUIRE(head->slot[8 + i]->count == 60);
    }
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Marking starts from the roots as they were: what start-up takes off them
/// into a variable of its own is not garbage.
TEST_P(Collection, SparesWhatStartUpHoldsInDram) {
  firstRun([] {
    head = make<Holder>(&nvm_type_Holder);
    take(head, 0, makeShared(1));
    makeShared(2);
  });
  static Shared *held;
  Ending e = nextRun(
      [] {
        REQUIRE(complete().objects == 2);
        nvm_begin();
        for (int i = 0; i < 500; i++)
          makeShared(i);
        NVM(head->slot[1]) = held;
        nvm_end();
        REQUIRE(isWhole(head->slot[1], 1));
      },
      [] {
        held = head->slot[0];
        NVM(head->slot[0]) = nullptr;
      });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Collection, GoesOnInSlicesAtTheEndsOfSections) {
  constexpr int Blocks = 130;
  firstRun([] {
    head = make<Holder>(&nvm_type_Holder);
    for (int i = 0; i < Blocks; i++)
      REQUIRE(nvm_alloc(&nvm_type_bytes, 40000)); // a page each
  });
  Ending e = nextRun([] {
    nvm_stats before, stats;
    nvm_get_stats(&before);
    long sections = 0;
    do {
      nvm_begin();
      nvm_end();
      sections++;
      REQUIRE(sections < 20000);
      usleep(100);
      nvm_checkpoint(); // engines that commit seldom
      nvm_get_stats(&stats);
    } while (stats.heap_used_bytes + Blocks * 65536 > before.heap_used_bytes);
    REQUIRE(stats.heap_used_bytes + Blocks * 65536 == before.heap_used_bytes);
    REQUIRE(sections >= Blocks / 64);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Two threads, whose critical sections wait for the next output of either.
TEST_P(Collection, GoesOnWhileCommitsWaitForOutputs) {
  constexpr int Blocks = 130;
  firstRun([] {
    makeHolderOf(2);
    for (int i = 0; i < Blocks; i++)
      REQUIRE(nvm_alloc(&nvm_type_bytes, 40000)); // a page each
  });
  SharedLong said[2];
  Ending e = inChild([&] {
    registerProgram();
    nvm_commit_at_output();
    nvm_options o = options();
    o.epoch_ms = -1;
    openPool(pool, o);
    REQUIRE(nvm_collect(nullptr) == 0);
    REQUIRE(nvm_restore());
    nvm_ready();
    nvm_stats before;
    nvm_get_stats(&before);
    auto work = [&](int t) {
      pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
      nvm_stats now;
      int turns = 0;
      do {
        nvm_pthread_mutex_lock(&own);
        NVM(head->slot[t]->value)++;
        nvm_pthread_mutex_unlock(&own);
        REQUIRE(++turns < 100000);
        usleep(50);
        nvm_get_stats(&now);
        if (turns % 5 == 0) {
          nvm_output();
          said[t].set(head->slot[t]->value);
        }
      } while (now.heap_used_bytes + Blocks * 65536 > before.heap_used_bytes);
    };
    std::thread other(work, 1);
    work(0);
    other.join();
    nvm_output(); // the last frees, too
    raise(SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  e = nextRun([&] {
    for (int t = 0; t < 2; t++)
      REQUIRE(head->slot[t]->value >= said[t].get() &&
              head->slot[t]->text == "text " + std::to_string(t));
    REQUIRE(complete().objects == 0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// The layout says where no pointer can be; what it does not know of is looked
/// at as ever.
TEST_P(Collection, TypedMarkingPassesOverNumbers) {
  auto makeNumbers = [] {
    constexpr size_t Behind = sizeof(Numbers) + 3;
    auto *block = static_cast<char *>(
        nvm_zalloc(&nvm_type_Numbers, Behind + sizeof(void *)));
    auto *n = reinterpret_cast<Numbers *>(block);
    int value = 0;
    for (void *kept :
         {static_cast<void *>(&n->word), static_cast<void *>(n->bytes + 5),
          static_cast<void *>(&n->either), static_cast<void *>(&n->typed),
          static_cast<void *>(block + Behind)})
      putUnaligned(static_cast<char *>(kept), makeShared(value++));
    for (void *number :
         {static_cast<void *>(&n->real), static_cast<void *>(&n->pair[0].low),
          static_cast<void *>(&n->pair[1].real), static_cast<void *>(&n->x)})
      putUnaligned(static_cast<char *>(number), makeShared(value++));
    return n;
  };
  firstRun([&] {
    head = make<Holder>(&nvm_type_Holder);
    NVM(head->slot[0]) = reinterpret_cast<Shared *>(makeNumbers());
  });
  EXPECT_EQ(poolTool({"gc", pool}),
            "0: freed 0 objects, 0 bytes; lowered 0 counts\n");
  bool tx = engineNamed(GetParam()).opens_first;
  if (!tx) {
    EXPECT_EQ(poolTool({"gc", "--typed", "--dry-run", pool}),
              "0: would free 8 objects, 192 bytes; lower 0 counts\n");
  }
  EXPECT_EQ(poolTool({"gc", "--typed", pool}),
            "0: freed 8 objects, 192 bytes; lowered 0 counts\n");
  Ending e = nextRun([] {
    auto *n = reinterpret_cast<Numbers *>(head->slot[0]);
    int value = 0;
    for (char *kept : {reinterpret_cast<char *>(&n->word), n->bytes + 5,
                       reinterpret_cast<char *>(&n->either),
                       reinterpret_cast<char *>(&n->typed),
                       reinterpret_cast<char *>(n + 1) + 3}) {
      Shared *s;
      memcpy(&s, kept, sizeof(s));
      REQUIRE(isWhole(s, value++));
    }
  });
  EXPECT_TRUE(e.fine()) << e;
}

INSTANTIATE_TEST_SUITE_P(Of, Collection,
                         testing::ValuesIn(alsoThreaded(allEngines())),
                         ByParameter());

class Asking : public testing::Test {
protected:
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_F(Asking, IsRefusedAtTheWrongTime) {
  Ending e = inChild([&] {
    REQUIRE(nvm_collect(nullptr) == EINVAL); // no pool
    registerProgram();
    openPool(pool);
    nvm_restore();
    REQUIRE(nvm_collect(nullptr) == EINVAL); // too late
    nvm_ready();
    REQUIRE(nvm_collect(nullptr) == EINVAL);
  });
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] {
    registerProgram();
    openPool(pool);
    REQUIRE(nvm_collect(nullptr) == 0);
    nvm_restore();
    REQUIRE(nvm_collect(nullptr) == EBUSY); // start-up is a section
    nvm_ready();
    nvm_begin();
    REQUIRE(nvm_collect(nullptr) == EBUSY);
    nvm_end();
    REQUIRE(nvm_collect(nullptr) == 0);
    REQUIRE(nvm_collect(nullptr) == 0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Asking, ByTheEnvironment) {
  auto run = [&](const char *word, bool garbage) {
    return inChild([&, word, garbage] {
      setenv("NVM_POOL", pool.c_str(), 1);
      setenv("NVM_SIZE", "32M", 1);
      setenv("NVM_GC", word, 1);
      registerProgram();
      nvm_start();
      nvm_restore();
      nvm_ready();
      if (garbage) {
        nvm_begin();
        makeShared(1);
        nvm_end();
      }
      nvm_collection c;
      int error = nvm_collect(&c);
      REQUIRE(error == (*word == '0' ? EINVAL : 0));
      dprintf(STDERR_FILENO, "freed %lu", c.objects);
    });
  };
  EXPECT_NE(run("0", true).text.find("freed 0"), std::string::npos);
  EXPECT_NE(run("1", true).text.find("freed 2"), std::string::npos);
  EXPECT_NE(run("typed", false).text.find("freed 2"), std::string::npos);
  Ending e = run("yes", false);
  EXPECT_EQ(e.exitStatus, 78);
  EXPECT_NE(e.text.find("[collect]"), std::string::npos) << e;
}

/// XOR hides an address. That the program frees the block gives it away.
TEST_F(Asking, EndsWhenTheProgramHidesPointers) {
  static uintptr_t hidden;
  Ending e = inChild([&] {
    registerProgram();
    NVM_ROOT(hidden);
    openPool(pool);
    nvm_restore();
    nvm_ready();
    nvm_begin();
    for (int i = 0; i < 300; i++)
      makeShared(i); // more than a slice
    hidden = ~reinterpret_cast<uintptr_t>(makeShared(1000));
    nvm_end();
  });
  ASSERT_TRUE(e.fine()) << e;
  e = inChild([&] {
    registerProgram();
    NVM_ROOT(hidden);
    openPool(pool);
    REQUIRE(nvm_collect(nullptr) == 0);
    REQUIRE(nvm_restore());
    nvm_free(reinterpret_cast<void *>(~hidden));
    nvm_ready();
    nvm_collection c;
    REQUIRE(nvm_collect(&c) == ECANCELED);
    REQUIRE(c.objects == 0); // nothing else was believed
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("[hidden-pointer]"), std::string::npos) << e;
}

/// The marking process is nothing to the program.
TEST_F(Asking, GivesTheProgramNoChild) {
  Ending e = inChild([&] {
    registerProgram();
    openPool(pool);
    nvm_restore();
    nvm_ready();
    nvm_begin();
    makeShared(1);
    nvm_end();
  });
  ASSERT_TRUE(e.fine()) << e;
  static volatile sig_atomic_t signals;
  e = inChild([&] {
    signal(SIGCHLD, [](int) { signals = signals + 1; });
    pthread_atfork([] { _exit(9); }, nullptr, nullptr);
    registerProgram();
    openPool(pool);
    REQUIRE(nvm_collect(nullptr) == 0);
    REQUIRE(nvm_restore());
    REQUIRE(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD);
    nvm_ready();
    nvm_collection c;
    REQUIRE(nvm_collect(&c) == 0 && c.objects == 2);
    REQUIRE(signals == 0);
    REQUIRE(waitpid(-1, nullptr, WNOHANG | __WALL) == -1 && errno == ECHILD);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Asking, TheToolRefusesWhatIsNotThere) {
  EXPECT_NE(poolTool({"gc", pool}).find("1: nvm-pool: error:"),
            std::string::npos);
  EXPECT_NE(access(pool.c_str(), F_OK), 0);
  EXPECT_EQ(poolTool({"gc"})[0], '2');
  Ending e = inChild([&] {
    registerProgram();
    openPool(pool); // and no commit
    _exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  std::string before = readFile(pool);
  EXPECT_NE(poolTool({"gc", pool}).find("[pool-empty]"), std::string::npos);
  EXPECT_TRUE(readFile(pool) == before);
}

/// A daemon forks between nvm_start() and nvm_restore(); a snapshot child
/// later.
TEST_F(Asking, BeforeAndAfterForks) {
  Ending e = inChild([&] {
    registerProgram();
    openPool(pool);
    nvm_restore();
    nvm_ready();
    nvm_begin();
    head = make<Holder>(&nvm_type_Holder);
    take(head, 0, makeShared(7));
    for (int i = 0; i < 500; i++)
      makeShared(i);
    nvm_end();
  });
  ASSERT_TRUE(e.fine()) << e;
  e = inChild([&] {
    registerProgram();
    openPool(pool);
    REQUIRE(nvm_collect(nullptr) == 0);
    pid_t daemon = fork();
    int status = 0;
    if (daemon) {
      waitpid(daemon, &status, 0);
      _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 98);
    }
    REQUIRE(nvm_restore());
    nvm_ready();
    pid_t snapshot = fork();
    if (snapshot == 0) {
      nvm_free(head->slot[0]); // of no consequence
      REQUIRE(nvm_collect(nullptr) == EINVAL);
      _exit(0);
    }
    waitpid(snapshot, &status, 0);
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    nvm_collection c;
    REQUIRE(nvm_collect(&c) == 0 && c.objects == 1000);
    REQUIRE(isWhole(head->slot[0], 7));
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Cut at each event of a collection: nothing that is reached is hurt, no count
/// falls below what the pool holds, and the next collection does the rest.
TEST_F(Asking, CutAtEachEventLeavesTheRestToTheNext) {
  Ending e = inChild([&] {
    registerProgram();
    openPool(pool, ofSize(16 * MiB));
    nvm_restore();
    nvm_ready();
    nvm_begin();
    head = make<Holder>(&nvm_type_Holder);
    for (int i = 0; i < 8; i++) {
      take(head, i, makeShared(i));
      makeShared(100 + i);
    }
    nvm_end();
  });
  ASSERT_TRUE(e.fine()) << e;
  std::string base = dir / "base";
  copyFile(pool, base);
  auto run = [&](long at) {
    return inChild([&] {
      if (at)
        setenv("NVM_CRASH_AT", std::to_string(at).c_str(), 1);
      registerProgram();
      openPool(pool, ofSize(16 * MiB));
      REQUIRE(nvm_collect(nullptr) == 0);
      REQUIRE(nvm_restore());
      for (int i = 0; i < 8; i++) {
        REQUIRE(isWhole(head->slot[i], i));
        REQUIRE(head->slot[i]->count == 1 || head->slot[i]->count == 2);
      }
      nvm_ready();
      REQUIRE(nvm_collect(nullptr) == 0);
      for (int i = 0; i < 8; i++)
        REQUIRE(head->slot[i]->count == 1);
      nvm_close();
    });
  };
  long at = 1;
  for (;; at++) {
    copyFile(base, pool);
    Ending cut = run(at);
    if (!cut.killed()) {
      EXPECT_TRUE(cut.fine()) << cut;
      break;
    }
    Ending next = run(0);
    ASSERT_TRUE(next.fine()) << "after a cut at event " << at << ": " << next;
    Ending last = inChild([&] {
      registerProgram();
      openPool(pool, ofSize(16 * MiB));
      REQUIRE(nvm_collect(nullptr) == 0);
      REQUIRE(nvm_restore());
      nvm_ready();
      nvm_collection c;
      REQUIRE(nvm_collect(&c) == 0 && c.objects == 0 && c.counts == 0);
    });
    ASSERT_TRUE(last.fine()) << "after a cut at event " << at << ": " << last;
  }
  EXPECT_GT(at, 30);
}

} // namespace
