//===- roots_test.cpp - roots, arrays, keeps, twins, layouts --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <pthread.h>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(record);
NVM_TYPE(shape);

namespace {

class Roots : public testing::Test {
protected:
  Directory dir;
  std::string pool = dir / "pool";
};

long counter;
char name[40];

void registerCounter() {
  NVM_ROOT(counter);
  NVM_ROOT(name);
}

int table[2000];

TEST_F(Roots, OfAnArrayACommitSavesTheLinesThatChanged) {
  for (int run = 0; run < 2; run++) {
    Ending e = inChild([&] {
      NVM_ROOT(table);
      openPool(pool);
      REQUIRE(nvm_restore() == (run > 0));
      REQUIRE(table[999] == 7 * run && table[1999] == 8 * run &&
              table[1998] == 0);
      nvm_ready();
      nvm_stats before, after;
      nvm_get_stats(&before);
      nvm_begin();
      table[999] = 7;
      table[1999] = 8;
      nvm_end();
      nvm_get_stats(&after);
      REQUIRE(after.lines_logged - before.lines_logged <= 4);
      raise(SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  }
}

struct Plugged {
  int n;
  void *plug;
} plugged[3];

TEST_F(Roots, PointersInThemToWhatEndsWithTheProcessAreAsStartUpLeavesThem) {
  for (int run = 0; run < 2; run++) {
    Ending e = inChild([&] {
      plugged[2].plug = &dir;
      NVM_ROOT(plugged);
      NVM_ENDING(plugged, plugged[0], plug);
      openPool(pool);
      REQUIRE(nvm_restore() == (run > 0));
      REQUIRE(plugged[0].plug == nullptr && plugged[2].plug == &dir);
      REQUIRE((plugged[1].plug != nullptr) == (run > 0));
      REQUIRE(plugged[2].n == 4 * run);
      nvm_ready();
      nvm_begin();
      plugged[0].plug = ::operator new(16);
      plugged[1].plug = nvm_alloc(&nvm_type_bytes, 16);
      plugged[2] = {4, ::operator new(16)};
      nvm_end();
      raise(SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  }
}

struct Guarded {
  int n;
  pthread_mutex_t lock;
  int more;
} guarded[5];

TEST_F(Roots, LocksInThemAreOfEachProcess) {
  for (int run = 0; run < 2; run++) {
    Ending e = inChild([&] {
      NVM_ROOT(guarded);
      NVM_LOCK(guarded, guarded[0], lock);
      openPool(pool);
      REQUIRE(nvm_restore() == (run > 0));
      nvm_ready();
      for (int i = 0; i < 5; i++) {
        REQUIRE(guarded[i].n == 7 * i * run && guarded[i].more == -i * run);
        REQUIRE(pthread_mutex_trylock(&guarded[i].lock) == 0);
        nvm_begin();
        guarded[i].n = 7 * i;
        guarded[i].more = -i;
        nvm_end();
      }
      nvm_stats before, after;
      nvm_get_stats(&before);
      nvm_begin();
      pthread_mutex_unlock(&guarded[3].lock);
      nvm_end();
      nvm_get_stats(&after);
      REQUIRE(after.sections == before.sections);
      raise(SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  }
}

TEST_F(Roots, ATallyGoesWithTheNextCommitThatHasSomethingElse) {
  for (int run = 0; run < 2; run++) {
    Ending e = inChild([&] {
      registerCounter();
      NVM_TALLY(counter);
      openPool(pool);
      REQUIRE(nvm_restore() == (run > 0));
      REQUIRE(run == 0 || (counter == 2 && name[0] == 'b'));
      nvm_ready();
      nvm_stats stats;
      nvm_get_stats(&stats);
      const unsigned long before = stats.sections;
      for (const char letter : {'\0', 'b', '\0'}) {
        nvm_begin();
        counter++;
        if (letter)
          name[0] = letter;
        nvm_output();
        nvm_end();
      }
      nvm_get_stats(&stats);
      REQUIRE(run > 0 || stats.sections == before + 1);
      raise(SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  }
}

TEST_F(Roots, ATallyThatIsNoRootIsAnError) {
  Ending e = inChild([&] {
    NVM_ROOT(name);
    NVM_TALLY(counter);
  });
  EXPECT_EQ(e.signal, SIGABRT) << e;
  EXPECT_NE(e.text.find("no root of 8 bytes is registered"), std::string::npos);
}

struct Bits {
  int before;
  unsigned busy : 1, level : 4;
  int after;
  unsigned last : 9;
} bits;

TEST_F(Roots, BitFieldsComeBack) {
  for (unsigned run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      NVM_ROOT_BITS(bits, "busy:1,level:4", &bits.before + 1, &bits.after);
      NVM_ROOT_BITS(bits, "last:9", &bits.after + 1, &bits + 1);
      openPool(pool);
      bits.before = bits.after = 1;
      REQUIRE(nvm_restore() == (run > 0));
      REQUIRE(bits.busy == run % 2 && bits.level == 3 * run &&
              bits.last == 100 * run);
      REQUIRE(bits.before == 1 && bits.after == 1);
      nvm_ready();
      nvm_begin();
      bits.before = bits.after = 2;
      bits.busy ^= 1;
      bits.level += 3;
      bits.last += 100;
      nvm_end();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

unsigned char large[300000];

TEST_F(Roots, LargeOnesComeBack) {
  for (unsigned run = 0; run < 4; run++) {
    Ending e = inChild([&] {
      nvm_root("large", large, sizeof(large));
      openPool(pool);
      REQUIRE(nvm_restore() == (run > 0));
      for (unsigned i = 0; i < sizeof(large); i += 7000)
        REQUIRE(large[i] ==
                (run ? (i / 7000 % 3 < run ? run - i / 7000 % 3 : 0) : 0));
      nvm_ready();
      for (unsigned part = 0; part < 3; part++) { // a commit each
        nvm_begin();
        for (unsigned i = part * 7000; i < sizeof(large); i += 21000)
          if (part <= run)
            large[i]++;
        nvm_end();
      }
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  }
}

TEST_F(Roots, StaticsComeBack) {
  for (long run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      registerCounter();
      openPool(pool);
      REQUIRE(counter == 0);
      REQUIRE(nvm_restore() == (run > 0));
      REQUIRE(nvm_restore() == (run > 0)); // asking again changes nothing
      REQUIRE(counter == 10 * run);
      REQUIRE(run == 0 || strcmp(name, "name") == 0);
      nvm_ready();
      nvm_begin();
      strcpy(name, "name"); // roots are compared, not announced
      counter += 10;
      nvm_end();
      nvm_begin();
      counter += 1000; // this section does not end
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

long &countInFunction() {
  static long count;
  NVM_ROOT_HERE("countInFunction():count", count);
  return count;
}

/// Registered when control gets there: before the pool is opened, before the
/// roots come back, or behind that, in a section or outside.
TEST_F(Roots, StaticsOfFunctionsComeBack) {
  for (int when = 0; when < 4; when++)
    for (long run = 0; run < 3; run++) {
      Ending e = inChild([&] {
        NVM_ROOT(counter);
        if (when == 0)
          countInFunction() = 77;
        openPool(dir / std::to_string(when));
        if (when == 1)
          countInFunction() = 77;
        REQUIRE(nvm_restore() == (run > 0));
        if (run == 0)
          countInFunction() = 1;
        nvm_ready();
        REQUIRE(when != 2 || countInFunction() == (run == 0 ? 1 : run * 10));
        nvm_begin();
        countInFunction() = (run + 1) * 10;
        nvm_end();
      });
      EXPECT_TRUE(e.fine()) << when << ": " << e;
    }
}

TEST_F(Roots, AFunctionThatIsNotCalledKeepsItsValue) {
  for (int run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      openPool(pool);
      nvm_restore();
      nvm_ready();
      nvm_begin();
      if (run == 0)
        countInFunction() = 5;
      REQUIRE(run != 2 || countInFunction() == 5);
      nvm_end();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

TEST_F(Roots, TwoStaticsOfOneNameAreRefused) {
  Ending e = inChild([&] {
    static long one, other;
    openPool(pool);
    NVM_ROOT_HERE("f():n", one);
    NVM_ROOT_HERE("f():n", one);
    NVM_ROOT_HERE("f():n", other);
  });
  EXPECT_NE(e.text.find("[root-twice]"), std::string::npos) << e;
}

TEST_F(Roots, WhatAPlugInRegistersTooLateIsRefused) {
  Ending e = inChild([&] {
    static long late;
    openPool(pool);
    nvm_root("late", &late, sizeof late);
  });
  EXPECT_NE(e.text.find("root late is registered after the pool was opened"),
            std::string::npos)
      << e;
  EXPECT_NE(e.text.find("[registered-late]"), std::string::npos) << e;
}

[[gnu::noinline]] void sessionWithLocal(long expected) {
  long count = 0;
  NVM_ROOTS_END_WITH(count);
  NVM_ROOT_HERE("main():count", count);
  nvm_restore();
  nvm_ready();
  REQUIRE(count == expected);
  count = expected + 1; // in no section
}

[[gnu::noinline]] long overwritten() {
  volatile long frame[64];
  for (long i = 0; i < 64; i++)
    frame[i] = -i;
  return frame[7];
}

/// When the function has returned, commits keep what it had.
TEST_F(Roots, LocalsEndWithTheirBlock) {
  for (long run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      openPool(pool);
      sessionWithLocal(run);
      REQUIRE(overwritten() == -7);
      nvm_begin();
      nvm_end();
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

TEST_F(Roots, TheLoadIsSkippedAndItsResultRemembered) {
  for (int run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      int loads = 0;
      openPool(pool);
      errno = 0;
      int result = NVM_LOAD((loads++, errno = ENOENT, -3));
      REQUIRE(result == -3 && errno == ENOENT && loads == (run == 0));
      nvm_begin();
      nvm_end();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

TEST_F(Roots, NothingToLoadIsTheAnswerOfTheFirstRunAlone) {
  for (int run = 0; run < 3; run++)
    for (int first : {-3, 5, 7}) {
      Ending e = inChild([&] {
        int loads = 0;
        openPool(pool + std::to_string(first));
        int result = NVM_LOAD_OR((loads++, first), -3, 7);
        // Until a section, what is made without a file is not there.
        REQUIRE(result == (run == 2 && first == -3 ? 7 : first));
        REQUIRE(loads == (run == 0));
        if (run == 1) {
          nvm_begin();
          nvm_end();
        }
      });
      EXPECT_TRUE(e.fine()) << e;
    }
}

// A crash before the first section changes nothing.
TEST_F(Roots, WhatTheLoadGivesBackIsInTheRootBeforeTheCommit) {
  for (int run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      int loads = 0;
      registerCounter();
      openPool(pool);
      counter = NVM_LOAD_AS((loads++, -3), counter);
      REQUIRE(counter == (run < 2 ? -3 : 8) && loads == (run == 0));
      if (run == 0)
        return;
      nvm_begin();
      NVM(counter) = 8;
      nvm_end();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

TEST_F(Roots, OfSeveralLoadsEachGivesAgainWhatItGave) {
  for (int run = 0; run < 4; run++) {
    Ending e = inChild([&] {
      int loads = 0;
      registerCounter();
      openPool(pool);
      long first = NVM_LOAD_PART("main():first()", (loads++, -3L));
      char second = NVM_LOAD_PART("main():second()", (char)(loads++, 'b'));
      if (run == 0)
        return; // nothing is committed
      counter = NVM_LOAD_PART_AS((loads++, 5), counter);
      int last = NVM_LOAD((loads++, 9));
      REQUIRE(first == -3 && second == 'b' && last == 9);
      REQUIRE(counter == (run < 3 ? 5 : 8) && loads == (run == 1 ? 4 : 0));
      nvm_begin();
      if (run == 2)
        NVM(counter) = 8;
      nvm_end();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

TEST_F(Roots, AStartThatDoesNotGetReadyLeavesThePoolAsItWas) {
  for (int run = 0; run < 4; run++) {
    Ending e = inChildWithExit([&] {
      registerCounter();
      openPool(pool);
      REQUIRE(nvm_restore() == (run > 2));
      REQUIRE(counter == (run > 2 ? 7 : 0));
      counter = run == 2 ? 7 : 5;
      if (run == 2)
        nvm_ready();
      // exit() in the start-up section: nothing is committed
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

TEST_F(Roots, ExitCommitsAtDepthOneAndNotDeeper) {
  auto run = [&](int depth) {
    Ending e = inChildWithExit([&] {
      registerCounter();
      openPool(pool);
      nvm_restore();
      nvm_ready();
      for (int i = 0; i < depth; i++)
        nvm_begin();
      counter++;
    });
    EXPECT_TRUE(e.fine()) << e;
  };
  run(1);
  run(0);
  run(2);
  Ending e = inChild([&] {
    registerCounter();
    openPool(pool);
    nvm_restore();
    REQUIRE(counter == 2);
  });
  EXPECT_TRUE(e.fine()) << e;
}

struct Record { // as redisDb: volatile and persistent fields mixed
  void *cache;
  char *data;
  int id, hits;
};
Record *records;
size_t prefix;

/// A wrapper as many programs have: the size stands before the block.
void *wrapped(size_t n) {
  auto *p = static_cast<char *>(nvm_malloc(n + prefix));
  if (prefix)
    NVM(*reinterpret_cast<size_t *>(p)) = n;
  return p + prefix;
}

void makeRecords(int n) {
  records = static_cast<Record *>(
      NVM_ALLOC(record, wrapped(size_t(n) * sizeof(Record))));
  for (int i = 0; i < n; i++) {
    NVM_OBJ(&records[i])->cache = &records;
    records[i].data = nullptr;
    records[i].id = i;
    records[i].hits = 0;
  }
}

void registerRecords() {
  NVM_ROOT_ARRAY(records, Record, NVM_FIELD(Record, data),
                 NVM_FIELD(Record, hits));
}

class Arrays : public Roots, public testing::WithParamInterface<size_t> {
protected:
  void SetUp() override { prefix = GetParam(); }
  void firstRun(int n) {
    Ending e = inChild([&] {
      registerRecords();
      openPool(pool);
      makeRecords(n);
      REQUIRE(nvm_restore() == 0);
      nvm_ready();
      nvm_begin();
      NVM(records[1].data) = NVM_ALLOC(bytes, nvm_strdup("kept"));
      NVM(records[1].hits) = 5;
      nvm_end();
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  Ending nextRun(int n) {
    return inChild([&] {
      registerRecords();
      openPool(pool);
      makeRecords(n);
      Record *fresh = records;
      REQUIRE(nvm_restore() == 1 && records == fresh);
      nvm_ready();
      REQUIRE(records[1].hits == 5 && strcmp(records[1].data, "kept") == 0);
      REQUIRE(records[0].hits == 0 && !records[0].data);
      for (int i = 0; i < n; i++)
        REQUIRE(records[i].id == i && records[i].cache == &records);
      nvm_close();
    });
  }
};

TEST_P(Arrays, PersistentFieldsGoIntoTheNewArray) {
  firstRun(16);
  for (int run = 0; run < 3; run++) {
    Ending e = nextRun(16);
    EXPECT_TRUE(e.fine()) << e;
  }
}

TEST_P(Arrays, TheKeptArrayIsFreed) {
  firstRun(3000); // larger than a slab holds
  Ending e = inChild([&] {
    nvm_stats stats;
    unsigned long used = 0;
    for (int run = 0; run < 20; run++) {
      if (run == 0)
        registerRecords();
      openPool(pool);
      makeRecords(3000);
      REQUIRE(nvm_restore() == 1);
      nvm_ready();
      nvm_get_stats(&stats);
      REQUIRE(run == 0 || stats.heap_used_bytes == used);
      used = stats.heap_used_bytes;
      nvm_close();
    }
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Arrays, AnArrayMayGrowAndShrinkWhereItIsEmpty) {
  firstRun(16);
  for (int n : {40, 2, 1000, 7}) {
    Ending e = nextRun(n);
    EXPECT_TRUE(e.fine()) << n << ": " << e;
  }
}

TEST_P(Arrays, AnArrayThatWouldLoseAValueIsRefused) {
  firstRun(16);
  Ending grow = inChild([&] {
    registerRecords();
    openPool(pool);
    makeRecords(100);
    nvm_restore();
    NVM(records[99].hits) = 1;
    nvm_ready();
  });
  EXPECT_TRUE(grow.fine()) << grow;
  std::string bytes = readFile(pool);
  Ending e = nextRun(16);
  EXPECT_EQ(e.exitStatus, 78) << e;
  EXPECT_NE(e.text.find("element 99 has a value in hits [pool-layout]"),
            std::string::npos)
      << e;
  EXPECT_TRUE(nextRun(100).fine());
}

Record *others;

Ending keepBoth(const std::string &pool, const std::function<void()> &load,
                const std::function<void()> &then) {
  return inChild([&] {
    NVM_ROOT_ARRAY(records, Record, NVM_FIELD(Record, hits));
    NVM_ROOT_ARRAY(others, Record, NVM_FIELD(Record, hits));
    openPool(pool);
    makeRecords(4);
    std::swap(records, others);
    makeRecords(4);
    if (!nvm_restore())
      load();
    nvm_ready();
    then();
    nvm_close();
  });
}

// others = records; others = &records[2];
TEST_P(Arrays, TwoPointersIntoOneArrayAreThatAgain) {
  for (int at : {0, 2}) {
    std::string path = pool + std::to_string(at);
    auto load = [&] {
      others = &records[at];
      NVM(others[1].hits) = 7;
    };
    for (int run = 0; run < 3; run++) {
      Ending e = keepBoth(path, load, [&] {
        REQUIRE(others == &records[at] && others[1].hits == 7 + run);
        nvm_begin();
        NVM(records[at + 1].hits)++;
        nvm_end();
      });
      EXPECT_TRUE(e.fine()) << e;
    }
  }
}

// Start-up makes one array for both, and the load another for one of them.
TEST_F(Roots, TwoArraysAreNotMergedIntoOne) {
  for (int run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      NVM_ROOT_ARRAY(records, Record, NVM_FIELD(Record, hits));
      NVM_ROOT_ARRAY(others, Record, NVM_FIELD(Record, hits));
      openPool(pool);
      prefix = 0;
      makeRecords(4);
      others = records;
      if (!nvm_restore()) {
        makeRecords(4);
        NVM(records[1].hits) = 1;
        NVM(others[1].hits) = 2;
      }
      nvm_ready();
      REQUIRE(records[1].hits == 1 && others[1].hits == 2);
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

INSTANTIATE_TEST_SUITE_P(Prefix, Arrays, testing::Values(0, 16), ByParameter());

struct Part {
  long before;
  char *data;
  int hits;
};
struct Whole {
  long option;
  Part part;
} *whole;
Part *part;

Ending keepBehind(const std::string &pool, const std::function<void()> &body) {
  return inChild([&] {
    NVM_ROOT_POINTERS_BEHIND(part, Part, data);
    NVM_ROOT_BEHIND(part, Part, hits);
    openPool(pool);
    body();
  });
}

// Two files have a static pointer of one name.
TEST_F(Roots, APrefixTellsFieldsBehindPointersApart) {
  Ending e = inChild([&] {
#undef NVM_PREFIX
#define NVM_PREFIX "a.c:"
    NVM_ROOT_BEHIND(part, Part, hits);
    NVM_ROOT_POINTERS_BEHIND(part, Part, data);
#undef NVM_PREFIX
#define NVM_PREFIX "b.c:"
    NVM_ROOT_BEHIND(part, Part, hits);
    NVM_ROOT_POINTERS_BEHIND(part, Part, data);
#undef NVM_PREFIX
#define NVM_PREFIX ""
    openPool(pool);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Roots, FieldsBehindAPointerAreKeptByValueWhereverTheyLie) {
  for (int run = 0; run < 4; run++) {
    Ending e = keepBehind(pool, [&] {
      whole = static_cast<Whole *>(
          run % 2 ? NVM_ALLOC(record, nvm_calloc(1, sizeof(Whole)))
                  : calloc(1, sizeof(Whole)));
      part = &whole->part;
      NVM(whole->option) = NVM(part->before) = run;
      REQUIRE(nvm_restore() == (run > 0));
      nvm_ready();
      REQUIRE(whole->option == run && part->before == run);
      REQUIRE(part->hits == run);
      REQUIRE(run == 0 || strcmp(part->data, "kept") == 0);
      nvm_begin();
      if (run == 0)
        NVM(part->data) = NVM_ALLOC(bytes, nvm_strdup("kept"));
      NVM(part->hits)++;
      nvm_end();
      part = nullptr; // the last value stays
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  Ending later = keepBehind(pool, [] { // of several loads, for the second
    part = nullptr;
    REQUIRE(nvm_restore());
    part = static_cast<Part *>(calloc(1, sizeof(Part)));
    REQUIRE(nvm_restore() && part->hits == 4);
    part->hits--;
    nvm_restore();
    nvm_ready();
    REQUIRE(part->hits == 3);
    nvm_begin();
    NVM(part->hits)++;
    nvm_end();
    nvm_close();
  });
  EXPECT_TRUE(later.fine()) << later;
  Ending e = keepBehind(pool, [] {
    part = nullptr;
    nvm_restore();
    nvm_ready();
  });
  EXPECT_EQ(e.exitStatus, 78) << e;
  EXPECT_NE(e.text.find("[root-behind]"), std::string::npos) << e;
}

// In records that each start makes.
TEST_F(Roots, WhatEndedWithAnotherProcessGivesWayToThisStarts) {
  static char other[] = "start";
  for (int run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      NVM_ROOT_VOLATILE_BEHIND(part, Part, data);
      NVM_ROOT_ARRAY(records, Record, NVM_VOLATILE(Record, data),
                     NVM_FIELD(Record, hits));
      openPool(pool);
      prefix = 0;
      makeRecords(4);
      part = static_cast<Part *>(calloc(1, sizeof(Part)));
      NVM(part->data) = NVM(records[1].data) = other;
      bool again = nvm_restore();
      nvm_ready();
      if (again) {
        REQUIRE(part->data == other);
        REQUIRE(records[1].data == other && records[1].hits == 1);
        REQUIRE(strcmp(records[2].data, "kept") == 0);
      }
      nvm_begin();
      NVM(part->data) = NVM(records[1].data) = strdup("gone");
      NVM(records[1].hits) = 1;
      if (!again)
        NVM(records[2].data) = NVM_ALLOC(bytes, nvm_strdup("kept"));
      nvm_end();
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

unsigned long seed;

TEST_F(Roots, TheFirstKeptValueWins) {
  for (unsigned long run = 1; run < 4; run++) {
    Ending e = inChild([&] {
      if (run == 2) { // written before the pool is open
        seed = run;
        NVM_KEEP(seed);
      }
      openPool(pool);
      if (run != 2) {
        seed = run;
        NVM_KEEP(seed);
      }
      REQUIRE(seed == 1);
      seed = run * 100;
      NVM_KEEP(seed);
      REQUIRE(seed == 1);
      nvm_restore();
      nvm_ready();
      REQUIRE(seed == 1);
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

struct Kind {
  int (*act)();
  int number;
};
int actOne() { return 1; }
int actTwo() { return 2; }
Kind kinds[2] = {{actOne, 10}, {actTwo, 20}};
struct Thing {
  const Kind *kind;
};
Thing *thing;

TEST_F(Roots, TwinsKeepTheirAddressAndFollowTheProgram) {
  for (int run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      static char larger[3][100]; // the rebuilt program has other statics, in
                                  // another order
      if (run == 1)
        nvm_register_twin("larger", larger, sizeof(larger));
      NVM_TWIN(kinds);
      if (run > 1)
        nvm_register_twin("larger", larger, sizeof(larger));
      NVM_ROOT(thing);
      kinds[1].number = 20 + run;
      openPool(pool);
      if (nvm_restore() == 0) {
        thing =
            static_cast<Thing *>(NVM_ALLOC(record, nvm_malloc(sizeof(Thing))));
        NVM(thing->kind) = nvm_twin(&kinds[1]);
        REQUIRE(thing->kind != &kinds[1] && nvm_contains(thing->kind));
      }
      nvm_ready();
      REQUIRE(thing->kind->act() == 2 && thing->kind->number == 20 + run);
      REQUIRE(nvm_twin(&kinds[1]) == thing->kind);
      REQUIRE(nvm_twin(kinds) == nvm_twin(&kinds[0]));
      int local;
      REQUIRE(nvm_twin(&local) == &local);
    });
    EXPECT_TRUE(e.fine()) << run << ": " << e;
  }
}

TEST_F(Roots, ATwinMayGrowIntoItsRoomAndNotBeyond) {
  static char object[4000];
  auto run = [&](size_t size) {
    return inChild([&] {
      nvm_register_twin("object", object, size);
      nvm_options options = ofSize(32 * MiB);
      REQUIRE(nvm_open(pool.c_str(), &options) == 0);
      nvm_restore();
      nvm_ready();
    });
  };
  EXPECT_TRUE(run(100).fine());
  EXPECT_TRUE(run(200).fine());
  Ending e = run(4000);
  EXPECT_NE(e.text.find("static object has grown to 4000 bytes, but has only "
                        "256 in the pool [pool-layout]"),
            std::string::npos)
      << e;
  EXPECT_TRUE(run(50).fine());
}

/// Each variant of a program is refused, and the message names what differs.
struct Variant {
  const char *what;
  std::function<void()> registrations;
  const char *message;
};

/// The type as it was, and as it might have become.
struct Shape {
  double width;
  long height;
  char points[];
};
struct Moved {
  double width;
  char more[8];
  int height;
  char points[];
};
struct Retyped {
  long width;
  Shape *height;
  char points[];
};
const nvm_field shapeFields[] = {NVM_FIELD(Shape, width),
                                 NVM_FIELD(Shape, height),
                                 NVM_FLEXIBLE(Shape, points)};
const nvm_field movedFields[] = {NVM_FIELD(Moved, width),
                                 NVM_FIELD(Moved, height),
                                 NVM_FLEXIBLE(Moved, points)};
const nvm_field renamedFields[] = {{"width", 0, 8, 0, nullptr},
                                   {"depth", 8, 8, 0, nullptr},
                                   {"points", 16, 0, 0, nullptr}};
const nvm_field retypedFields[] = {NVM_FIELD(Retyped, width),
                                   NVM_POINTER(Retyped, height),
                                   NVM_FLEXIBLE(Retyped, points)};
const nvm_field embeddedFields[] = {NVM_RECORD(Moved, more, inner)};
const nvm_field otherEmbeddedFields[] = {NVM_RECORD(Moved, more, outer)};
long one, two;

void baseline() {
  nvm_layout(&nvm_type_shape, 16, shapeFields, 3);
  nvm_root("one", &one, sizeof(one));
  nvm_root_array("two", &two, 16, shapeFields, 2);
}

const Variant variants[] = {
    {"moved",
     [] {
       nvm_layout(&nvm_type_shape, 24, movedFields, 3);
       nvm_root("one", &one, sizeof(one));
       nvm_root_array("two", &two, 16, shapeFields, 2);
     },
     "type shape (16 bytes, now 24): field height had 8 bytes at offset 8 and "
     "now has 4 bytes at offset 16; field points had 0 bytes at offset 16 and "
     "now has 0 bytes at offset 20 [pool-layout]"},
    {"other types",
     [] {
       nvm_layout(&nvm_type_shape, 16, retypedFields, 3);
       nvm_root("one", &one, sizeof(one));
       nvm_root_array("two", &two, 16, shapeFields, 2);
     },
     "field width was a real number and is now an integer; field height was "
     "an integer and is now a pointer or an array [pool-layout]"},
    {"renamed",
     [] {
       nvm_layout(&nvm_type_shape, 16, renamedFields, 3);
       nvm_root("one", &one, sizeof(one));
       nvm_root_array("two", &two, 16, shapeFields, 2);
     },
     "type shape (16 bytes, now 16): field height was removed; field depth is "
     "new [pool-layout]"},
    {"fewer fields",
     [] {
       nvm_layout(&nvm_type_shape, 16, shapeFields, 2);
       nvm_root("one", &one, sizeof(one));
       nvm_root_array("two", &two, 16, shapeFields, 2);
     },
     "type shape (16 bytes, now 16): field points was removed [pool-layout]"},
    {"size",
     [] {
       nvm_layout(&nvm_type_shape, 24, shapeFields, 3);
       nvm_root("one", &one, sizeof(one));
       nvm_root_array("two", &two, 16, shapeFields, 2);
     },
     "type shape: its size was 16 and is 24 [pool-layout]"},
    {"no type",
     [] {
       nvm_root("one", &one, sizeof(one));
       nvm_root_array("two", &two, 16, shapeFields, 2);
     },
     "type shape, which this program does not have [pool-layout]"},
    {"no root",
     [] {
       nvm_layout(&nvm_type_shape, 16, shapeFields, 3);
       nvm_root_array("two", &two, 16, shapeFields, 2);
     },
     "root one, which this program does not have [pool-layout]"},
    {"root's size",
     [] {
       nvm_layout(&nvm_type_shape, 16, shapeFields, 3);
       nvm_root("one", &one, 4);
       nvm_root_array("two", &two, 16, shapeFields, 2);
     },
     "root one had 8 bytes and now has 4 [pool-layout]"},
    {"array's element",
     [] {
       nvm_layout(&nvm_type_shape, 16, shapeFields, 3);
       nvm_root("one", &one, sizeof(one));
       nvm_root_array("two", &two, 24, shapeFields, 2);
     },
     "an element of root array two had 16 bytes and now has 24 [pool-layout]"},
    {"array's fields",
     [] {
       nvm_layout(&nvm_type_shape, 16, shapeFields, 3);
       nvm_root("one", &one, sizeof(one));
       nvm_root_array("two", &two, 16, shapeFields, 3);
     },
     "root array two has another layout: field points is new [pool-layout]"},
};

TEST_F(Roots, AnotherLayoutIsRefusedNamedAndLeftAlone) {
  Ending made = inChild([&] {
    baseline();
    openPool(pool);
    nvm_ready();
    for (int i = 0; i < 3; i++) { // leaves a log, too
      nvm_begin();
      one++;
      nvm_end();
    }
  });
  ASSERT_TRUE(made.fine()) << made;
  std::string before = readFile(pool);
  for (const Variant &variant : variants) {
    Ending e = inChild([&] {
      variant.registrations();
      nvm_options options = {};
      REQUIRE(nvm_open(pool.c_str(), &options) == ENOEXEC);
      dprintf(2, "%s", nvm_errormsg());
    });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_NE(e.text.find(variant.message), std::string::npos)
        << variant.what << ": " << e;
    EXPECT_TRUE(readFile(pool) == before) << variant.what;
  }
  Ending same = inChild([&] {
    baseline();
    openPool(pool);
    REQUIRE(nvm_restore() && one == 3);
    nvm_ready();
  });
  EXPECT_TRUE(same.fine()) << same;
}

/// What is known about a field may become more or less; a type that takes the
/// place of another may not.
TEST_F(Roots, KindsOfFieldsAreTheProgramsOwn) {
  auto run = [&](const nvm_field *fields, int expected) {
    return inChild([&, fields, expected] {
      nvm_layout(&nvm_type_shape, 24, fields, 1);
      nvm_options options = ofSize(32 * MiB);
      REQUIRE(nvm_open(pool.c_str(), &options) == expected);
      dprintf(2, "%s", nvm_errormsg());
      if (expected)
        return;
      nvm_restore();
      nvm_ready();
    });
  };
  static const nvm_field unknown[] = {{"more", 8, 8, 0, nullptr}},
                         plain[] = {NVM_FIELD(Moved, more)};
  for (const nvm_field *fields : {embeddedFields, plain, embeddedFields,
                                  unknown, plain, embeddedFields}) {
    Ending e = run(fields, 0);
    EXPECT_TRUE(e.fine()) << e;
  }
  Ending e = run(otherEmbeddedFields, ENOEXEC);
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(
      e.text.find("field more was of type inner and is now of type outer"),
      std::string::npos)
      << e;
}

TEST_F(Roots, NewTypesAndRootsAreTaken) {
  EXPECT_TRUE(inChild([&] {
                registerCounter();
                openPool(pool);
                counter = 4;
                nvm_ready();
              }).fine());
  Ending e = inChild([&] {
    registerCounter();
    baseline();
    one = 9;
    openPool(pool);
    REQUIRE(nvm_restore() && counter == 4);
    nvm_ready();
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Roots, RegisteringTwiceIsAnError) {
  Ending e = inChild([&] {
    registerCounter();
    registerCounter();
  });
  EXPECT_EQ(e.exitStatus, 78);
  EXPECT_NE(e.text.find("[root-twice]"), std::string::npos) << e;
}

TEST_F(Roots, ReadyWithoutRestoreIsCaught) {
  EXPECT_TRUE(inChild([&] {
                registerCounter();
                openPool(pool);
                nvm_ready();
              }).fine());
  Ending e = inChild([&] {
    registerCounter();
    openPool(pool);
    nvm_ready();
  });
  EXPECT_EQ(e.signal, SIGABRT) << e;
}

} // namespace
