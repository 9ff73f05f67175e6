//===- commit_test.cpp - sections, log, orphans, output, verify -----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include "world.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <set>
#include <sys/socket.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(cell);

namespace {

long *cells;
long cellCount;

class Commits : public testing::Test {
protected:
  /// First process: makes n cells that are 0. Then `body`, then it dies.
  void first(long n, const std::function<void()> &body,
             nvm_options options = {}) {
    Ending e = inChild([&] {
      start(n, options);
      body();
    });
    EXPECT_TRUE(e.fine() || e.killed()) << e;
  }
  void start(long n, nvm_options options) {
    NVM_ROOT(cells);
    NVM_ROOT(cellCount);
    openPool(pool, options);
    if (!nvm_restore()) {
      cells = static_cast<long *>(
          nvm_zalloc(&nvm_type_cell, size_t(n) * sizeof(long)));
      cellCount = n;
    }
    nvm_ready();
  }
  /// Next process: looks.
  void then(const std::function<void()> &body, nvm_options options = {}) {
    Ending e = inChild([&] {
      start(0, options);
      body();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  static nvm_stats stats() {
    nvm_stats s;
    nvm_get_stats(&s);
    return s;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_F(Commits, OnlyTheOutermostEndCommits) {
  first(10, [] {
    nvm_begin();
    NVM(cells[0]) = 1;
    nvm_begin();
    NVM(cells[1]) = 1;
    nvm_end();
    nvm_end();
    nvm_begin();
    NVM(cells[2]) = 1;
    nvm_begin();
    NVM(cells[3]) = 1;
    nvm_end();
  });
  then([] {
    REQUIRE(cells[0] == 1 && cells[1] == 1 && cells[2] == 0 && cells[3] == 0);
  });
}

TEST_F(Commits, ASectionWithoutStoresIsNone) {
  first(10, [] {
    nvm_stats before = stats();
    for (int i = 0; i < 100; i++) {
      nvm_begin();
      nvm_end();
    }
    REQUIRE(stats().sections == before.sections);
  });
}

TEST_F(Commits, AnOrphanIsDurableWithTheNextCommit) {
  first(100, [] {
    NVM(cells[50]) = 5; // outside every section
    REQUIRE(stats().orphan_stores == 1);
    nvm_begin();
    NVM(cells[0]) = 1;
    nvm_end();
    NVM(cells[90]) = 9;
  });
  then([] { REQUIRE(cells[0] == 1 && cells[50] == 5 && cells[90] == 0); });
}

TEST_F(Commits, OtherThreadsAllocateFreeAndStoreMeanwhile) {
  first(1000, [] {
    bool stop = false;
    std::vector<std::thread> threads;
    for (int t = 1; t < 4; t++)
      threads.emplace_back([&, t] {
        std::vector<long *> mine;
        while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
          auto *p =
              static_cast<long *>(NVM_ALLOC(cell, nvm_malloc(size_t(t) * 40)));
          REQUIRE(p);
          NVM(*p) = t;
          mine.push_back(p);
          if (mine.size() > 100) {
            for (long *q : mine) {
              REQUIRE(*q == t);
              nvm_free(q);
            }
            mine.clear();
          }
        }
        for (long *q : mine)
          nvm_free(q);
      });
    for (int i = 0; i < 20000; i++) {
      nvm_begin();
      NVM(cells[i % 1000]) = i;
      nvm_end();
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (auto &thread : threads)
      thread.join();
    nvm_begin();
    nvm_end();
  });
  then([] {
    for (int i = 0; i < 1000; i++)
      REQUIRE(cells[i] == 19000 + i);
    REQUIRE(stats().heap_used_bytes <
            30 * 65536); // what the threads freed is free
  });
}

TEST_F(Commits, SectionsOfThreadsExcludeEachOther) {
  first(10, [] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([] {
        for (int i = 0; i < 2000; i++) {
          nvm_begin();
          long x = cells[0];
          NVM(cells[0]) = x + 1;
          NVM(cells[8]) = x + 1;
          REQUIRE(cells[0] == cells[8]);
          nvm_end();
        }
      });
    for (auto &thread : threads)
      thread.join();
  });
  then([] { REQUIRE(cells[0] == 8000 && cells[8] == 8000); });
}

TEST_F(Commits, TheLogIsAppliedWhenItIsFull) {
  first(4096, [] {
    for (long round = 1; round <= 500;
         round++) { // 500 x 32 KiB through 4 MiB of log
      nvm_begin();
      for (long i = 0; i < cellCount; i++)
        NVM(cells[i]) = round * i;
      nvm_end();
    }
    REQUIRE(stats().checkpoints > 2);
    nvm_begin();
    for (long i = 0; i < cellCount; i++)
      NVM(cells[i]) = -1;
  });
  then([] {
    for (long i = 0; i < cellCount; i++)
      REQUIRE(cells[i] == 500 * i);
  });
}

TEST_F(Commits, ASectionMayBeLargerThanTheSoftLimit) {
  first(600000, [] { // 4.8 MB in one section, soft limit 2 MiB
    for (long round = 1; round < 4; round++) {
      nvm_begin();
      for (long i = 0; i < cellCount; i++)
        NVM(cells[i]) = round + i;
      nvm_end();
    }
  });
  then([] {
    for (long i = 0; i < cellCount; i++)
      REQUIRE(cells[i] == 3 + i);
  });
}

TEST_F(Commits, NewObjectsMayBeLargerThanTheWholeLog) {
  first(
      10,
      [] { // 16 MB of new objects, 12 MiB of log
        nvm_begin();
        NVM(cells[0]) = 1;
        for (int i = 0; i < 160; i++) {
          auto *p =
              static_cast<long **>(NVM_ALLOC(cell, nvm_calloc(1, 100000)));
          REQUIRE(p);
          nvm_memset(p, i + 1, 100000);
          NVM(*p) = i == 0 ? nullptr : reinterpret_cast<long *>(cells[1]);
          NVM(cells[1]) = reinterpret_cast<long>(p);
        }
        nvm_end();
        nvm_begin();
        NVM(cells[2]) = 2;
        nvm_end();
      },
      ofSize(64 * MiB));
  then([] {
    REQUIRE(cells[0] == 1 && cells[2] == 2);
    auto *p = reinterpret_cast<char *>(cells[1]);
    for (int i = 159; i >= 0; i--) {
      for (int k = 8; k < 100000; k++)
        REQUIRE(p[k] == char(i + 1));
      memcpy(&p, p, sizeof(p));
    }
    REQUIRE(!p);
  });
}

TEST_F(Commits, ACutWhileNewPagesAreWrittenHomeLosesNothing) {
  // Half of the pages were written; afterwards they are free and not zero.
  for (const char *at : {"20", "312600", "314000", "316000", "317300"}) {
    unlink(pool.c_str());
    first(10, [] {}, ofSize(64 * MiB));
    Ending cut = inChild([&] {
      setenv("NVM_CRASH_AT", at, 1);
      start(0, {});
      nvm_begin();
      auto *p = static_cast<char *>(NVM_ALLOC(cell, nvm_malloc(20000000)));
      REQUIRE(p);
      nvm_memset(p, -1, 20000000);
      NVM(cells[1]) = reinterpret_cast<long>(p);
      nvm_end();
    });
    ASSERT_TRUE(cut.killed() || cut.fine()) << cut;
    then([] {
      auto *p = reinterpret_cast<char *>(cells[1]);
      for (int i = 0; p && i < 20000000; i++)
        REQUIRE(p[i] == -1);
      nvm_begin();
      auto *zero =
          static_cast<char *>(NVM_ALLOC(cell, nvm_calloc(20000000, 1)));
      REQUIRE(zero);
      for (int i = 0; i < 20000000; i++)
        REQUIRE(zero[i] == 0);
      NVM(cells[2]) = reinterpret_cast<long>(zero);
      nvm_end();
    });
    then([] {
      auto *zero = reinterpret_cast<char *>(cells[2]);
      for (int i = 0; i < 20000000; i++)
        REQUIRE(zero[i] == 0);
    });
  }
}

TEST_F(Commits, ASectionThatCannotBeLoggedEndsTheProcessAndNothingElse) {
  first(1800000, [] { // 14 MB
    nvm_begin();
    NVM(cells[7]) = 7;
    nvm_end();
  });
  Ending e = inChild([&] {
    start(0, {});
    nvm_begin();
    for (long i = 0; i < cellCount; i++)
      NVM(cells[i]) = -1;
    nvm_end();
  });
  EXPECT_EQ(e.exitStatus, 75) << e;
  EXPECT_NE(e.text.find("[log-full]"), std::string::npos) << e;
  then([] {
    for (long i = 0; i < cellCount; i++)
      REQUIRE(cells[i] == (i == 7 ? 7 : 0));
  });
}

TEST_F(Commits, OutputCommitsFirst) {
  first(10, [] {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    iovec part = {const_cast<char *>("v"), 1};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    nvm_begin();
    NVM(cells[0]) = 1;
    REQUIRE(nvm_write(ends[0], "w", 1) == 1);
    NVM(cells[1]) = 1;
    REQUIRE(nvm_writev(ends[0], &part, 1) == 1);
    NVM(cells[2]) = 1;
    REQUIRE(nvm_send(ends[0], "s", 1, 0) == 1);
    NVM(cells[3]) = 1;
    REQUIRE(nvm_sendto(ends[0], "t", 1, 0, nullptr, 0) == 1);
    NVM(cells[4]) = 1;
    REQUIRE(nvm_sendmsg(ends[0], &message, 0) == 1);
    NVM(cells[5]) = 1;
    nvm_output();
    NVM(cells[6]) = 1;
    nvm_begin();
    FILE *file = tmpfile();
    REQUIRE(nvm_write(fileno(file), "d", 1) == 1); // deeper: does not commit
    REQUIRE(stats().early_outputs == 1);
    NVM(cells[7]) = 1;
    REQUIRE(nvm_write(ends[0], "d", 1) == 1); // to a peer: does
    REQUIRE(stats().early_outputs == 1);
    int pipe_ends[2];
    REQUIRE(pipe(pipe_ends) == 0);
    NVM(cells[8]) = 1;
    REQUIRE(nvm_write(pipe_ends[1], "p", 1) == 1); // as does this
    NVM(cells[9]) = 1;
    char got[8] = {};
    for (int i = 0; i < 6; i++)
      REQUIRE(read(ends[1], got + i, 1) == 1);
    REQUIRE(strcmp(got, "wvstvd") == 0);
  });
  then([] {
    for (int i = 0; i < 9; i++)
      REQUIRE(cells[i] == 1);
    REQUIRE(cells[9] == 0);
  });
}

TEST_F(Commits, InputLandsInTheHeapAndOnlyWhatCameIsLogged) {
  first(10000, [] {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    char *to = reinterpret_cast<char *>(cells);
    nvm_begin();
    nvm_stats before = stats();
    REQUIRE(write(ends[0], "hello", 5) == 5);
    REQUIRE(nvm_read(ends[1], to, 80000) == 5);
    REQUIRE(write(ends[0], "again", 5) == 5);
    REQUIRE(nvm_recv(ends[1], to + 128, 70000, 0) == 5);
    nvm_end();
    REQUIRE(stats().lines_logged - before.lines_logged <= 3);
    nvm_begin();
    REQUIRE(write(ends[0], "a, b;;c", 8) == 8);
    REQUIRE(nvm_recvfrom(ends[1], to + 1024, 70000, 0, nullptr, nullptr) == 8);
    nvm_end();
    nvm_begin();
    char *rest = to + 1024;
    REQUIRE(nvm_strtok(to + 1024, " ,") == to + 1024);
    nvm_end();
    nvm_begin(); // goes on in a section of its own
    REQUIRE(nvm_strtok(nullptr, " ,") == to + 1027);
    REQUIRE(nvm_strtok(nullptr, " ,") == nullptr);
    rest = to + 1027;
    REQUIRE(nvm_strsep(&rest, ";") == to + 1027 && rest == to + 1029);
    REQUIRE(strcmp(nvm_strsep(&rest, ";"), "") == 0);
    REQUIRE(nvm_strtok_r(nullptr, ";", &rest) == to + 1030);
    REQUIRE(nvm_strtok_r(nullptr, ";", &rest) == nullptr);
    nvm_end();
    FILE *file = tmpfile();
    REQUIRE(file && fputs("line one\nline two and the rest", file) >= 0);
    rewind(file);
    nvm_begin();
    REQUIRE(nvm_fgets(to + 256, 100, file) == to + 256);
    REQUIRE(nvm_fread(to + 512, 5, 40000 / 5, file) == 4);
    REQUIRE(nvm_pread(fileno(file), to + 60000, 4, 5) == 4);
    REQUIRE(nvm_fgets(to + 256, 100, file) == nullptr);
    nvm_end();
    fclose(file);
  });
  then([] {
    const char *at = reinterpret_cast<char *>(cells);
    REQUIRE(memcmp(at, "hello", 6) == 0 && memcmp(at + 128, "again", 6) == 0);
    REQUIRE(strcmp(at + 256, "line one\n") == 0);
    REQUIRE(memcmp(at + 1024, "a\0 b\0\0c", 8) == 0);
    REQUIRE(memcmp(at + 512, "line two and the rest", 21) == 0);
    REQUIRE(memcmp(at + 60000, "one\n", 4) == 0);
  });
}

/// A tree of <search.h> whose root is the first cell, and whose keys are
/// others.
void **tree() { return reinterpret_cast<void **>(cells); }
int compareCells(const void *a, const void *b) {
  long x = *static_cast<const long *>(a), y = *static_cast<const long *>(b);
  return (x > y) - (x < y);
}
long cellAt(const void *node) {
  return **static_cast<const long *const *>(node);
}
std::vector<long> walked;
unsigned deepest;
void note(const void *node, unsigned visit, int depth) {
  if (visit == 1 || visit == 3) // postorder, leaf
    walked.push_back(cellAt(node));
  deepest = std::max(deepest, unsigned(depth));
}
std::set<long> changeTree(bool really) {
  std::set<long> expected;
  std::minstd_rand random(7);
  for (int i = 0; i < 6000; ++i) {
    long value = 1 + random() % 2000;
    if (i < 2000)
      value = i + 1; // sorted, as a file of state may be
    bool deletes = i >= 2000 && random() % 2;
    if (really) {
      nvm_begin();
      bool there = expected.count(value);
      REQUIRE((nvm_tfind(&cells[value], tree(), compareCells) != nullptr) ==
              there);
      if (deletes)
        REQUIRE((nvm_tdelete(&cells[value], tree(), compareCells) != nullptr) ==
                there);
      else
        REQUIRE(cellAt(nvm_tsearch(&cells[value], tree(), compareCells)) ==
                value);
      nvm_end();
    }
    if (deletes)
      expected.erase(value);
    else
      expected.insert(value);
  }
  return expected;
}

TEST_F(Commits, TreesOfSearchComeBack) {
  first(2001, [] {
    nvm_begin();
    for (long i = 1; i <= 2000; ++i)
      NVM(cells[i]) = i;
    nvm_end();
    changeTree(true);
  });
  then([] {
    std::set<long> expected = changeTree(false);
    nvm_twalk(*tree(), note);
    REQUIRE(walked == std::vector<long>(expected.begin(), expected.end()));
    REQUIRE(deepest < 40); // balanced: 2000 sorted ones would be 2000 deep
    nvm_begin();
    static long released;
    nvm_tdestroy(*tree(), [](void *key) { released += key != nullptr; });
    NVM(*tree()) = nullptr;
    nvm_end();
    REQUIRE(size_t(released) == expected.size());
  });
}

TEST_F(Commits, TheNoneEngineNeverChangesThePool) {
  first(100, [] {
    nvm_begin();
    NVM(cells[0]) = 1;
    nvm_end();
  });
  std::string before = readFile(pool);
  nvm_options none = {};
  none.engine = "none";
  then(
      [] {
        REQUIRE(cells[0] == 1);
        for (int i = 0; i < 100; i++) {
          nvm_begin();
          NVM(cells[i]) = 5;
          nvm_free(NVM_ALLOC(cell, nvm_malloc(100)));
          nvm_end();
        }
        REQUIRE(fork() != 0 || (cells[1] == 5 && (_exit(0), true)));
        nvm_close();
      },
      none);
  EXPECT_TRUE(readFile(pool) == before);
  then([] { REQUIRE(cells[0] == 1 && cells[1] == 0); });
}

TEST_F(Commits, TheNoneEngineOnAHalfImportedPoolStartsAfresh) {
  Ending cut = inChild([&] {
    setenv("NVM_CRASH_AT", "12600",
           1); // 12 500 lines announced, then the commit
    NVM_ROOT(cells);
    NVM_ROOT(cellCount);
    openPool(pool);
    cells = static_cast<long *>(nvm_alloc(&nvm_type_cell, 800000));
    nvm_memset(cells, -1, 800000);
    nvm_ready();
  });
  ASSERT_TRUE(cut.killed()) << cut;
  nvm_options none = {};
  none.engine = "none";
  Ending e = inChild([&] {
    start(1000, none);
    for (int i = 0; i < 1000; i++)
      REQUIRE(cells[i] == 0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Commits, PowerDurabilityWaitsBeforeOutputOnly) {
  Directory disk("/tmp");
  pool = disk / "pool";
  nvm_options power = {};
  power.power = 1;
  first(
      100,
      [] {
        unsigned long before = stats().media_waits;
        for (int i = 0; i < 50; i++) {
          nvm_begin();
          NVM(cells[i]) = 1;
          nvm_end();
        }
        unsigned long appended = stats().media_waits;
        REQUIRE(appended <= before + 1); // at most by the clock
        nvm_output();
        nvm_output();
        REQUIRE(stats().media_waits <=
                appended + 1); // one wait for all of them
        REQUIRE(stats().media_waits > before);
        nvm_begin();
        NVM(cells[50]) = 1;
        int nowhere = open("/dev/null", O_WRONLY);
        unsigned long waits = stats().media_waits;
        REQUIRE(nvm_write(nowhere, "x", 1) == 1);
        REQUIRE(stats().media_waits == waits + 1);
        nvm_end();
      },
      power);
  then(
      [] {
        for (int i = 0; i <= 50; i++)
          REQUIRE(cells[i] == 1);
      },
      power);
}

TEST_F(Commits, PowerDurabilitySyncsWhatIsOlderThanATenthOfASecond) {
  Directory disk("/tmp");
  pool = disk / "pool";
  nvm_options power = {};
  power.power = 1;
  first(
      100,
      [] {
        unsigned long before = stats().media_waits;
        for (int i = 0; i < 2; i++) {
          nvm_begin();
          NVM(cells[i]) = 1;
          nvm_end();
          usleep(150000);
        }
        REQUIRE(stats().media_waits == before + 1);
      },
      power);
}

TEST_F(Commits, PowerDurabilityOutlivesAProgramThatClosesTheDescriptor) {
  Directory disk("/tmp");
  pool = disk / "pool";
  nvm_options power = {};
  power.power = 1;
  first(
      100,
      [] {
        for (int fd = 3; fd < 100; fd++)
          close(fd);
        int other = open("/dev/null", O_WRONLY); // takes the number
        nvm_begin();
        NVM(cells[0]) = 1;
        nvm_end();
        unsigned long before = stats().media_waits;
        nvm_output();
        REQUIRE(stats().media_waits == before + 1);
        close(other);
      },
      power);
  then([] { REQUIRE(cells[0] == 1); });
}

TEST_F(Commits, VerifyFindsAndRepairsAnUnannouncedStore) {
  nvm_options verify = {};
  verify.verify = 1;
  Ending e = inChild([&] {
    start(100, verify);
    nvm_begin();
    NVM(cells[0]) = 1;
    cells[20] = 2; // no hook
    nvm_end();
    REQUIRE(stats().unannounced == 1);
    nvm_begin();
    NVM(cells[1]) = 1;
    nvm_end();
    REQUIRE(stats().unannounced == 1);
    cells[21] = 3;
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("unannounced store to 0x2000"), std::string::npos) << e;
  EXPECT_NE(e.text.find("cell, offset 160 of the object of 896 bytes"),
            std::string::npos)
      << e;
  then([] { REQUIRE(cells[0] == 1 && cells[20] == 2 && cells[21] == 0); });
}

// Also a section that announced nothing is compared, and what it stored is
// kept.
TEST_F(Commits, VerifyLooksAtEverySection) {
  nvm_options verify = {};
  verify.verify = 1;
  Ending e = inChild([&] {
    start(100, verify);
    for (int i = 0; i < 3; i++) {
      nvm_begin();
      cells[20 + i] = 2; // no hook at all
      nvm_end();
      REQUIRE(stats().unannounced == static_cast<unsigned long>(i + 1));
    }
    nvm_begin();
    nvm_end();
    REQUIRE(stats().unannounced == 3);
  });
  EXPECT_TRUE(e.fine()) << e;
  then([] { REQUIRE(cells[20] == 2 && cells[22] == 2); });
}

namespace {
struct Part {
  long id;
  char name[24];
  Part *next;
};
struct Text {
  long length;
  char bytes[];
};
} // namespace
static nvm_type partType = {"part", 0, nullptr, 0, 0},
                textType = {"text", 0, nullptr, 0, 0},
                headedType = {"headed", 0, nullptr, 0, 0};

// What a report names: the field, of an array's element, too; a flexible array;
// padding; a type without a layout; no object.
TEST_F(Commits, VerifyNamesTheField) {
  nvm_options verify = {};
  verify.verify = 1;
  static const nvm_field partFields[] = {NVM_FIELD(Part, id),
                                         NVM_FIELD(Part, name)};
  static const nvm_field textFields[] = {
      NVM_FIELD(Text, length), {"bytes", offsetof(Text, bytes), 0, 0, nullptr}};
  Ending e = inChild([&] {
    nvm_layout(&partType, sizeof(Part), partFields, 2);
    nvm_layout(&textType, sizeof(Text), textFields, 2);
    nvm_layout(&headedType, sizeof(Part), partFields, 2);
    start(100, verify);
    nvm_begin();
    Part *parts = static_cast<Part *>(nvm_zalloc(&partType, 3 * sizeof(Part)));
    Text *text = static_cast<Text *>(nvm_zalloc(&textType, 700));
    nvm_end();
    nvm_begin();
    parts[2].name[1] = 'x';
    nvm_end();
    nvm_begin();
    memset(&parts[0].next, 1, 1); // a field that has no name
    nvm_end();
    nvm_begin();
    text->bytes[600] = 'x';
    nvm_end();
    nvm_begin();
    memset(reinterpret_cast<char *>(nvm_hot.base) + 48, 1, 1);
    nvm_end();
    // An allocator of the program's that keeps a word before each object.
    nvm_begin();
    nvm_place(&headedType);
    auto *block = static_cast<char *>(nvm_malloc(8 + sizeof(Part)));
    Part *behind = static_cast<Part *>(nvm_placed(block + 8));
    memset(nvm_store(block, 8 + sizeof(Part)), 0, 8 + sizeof(Part));
    nvm_end();
    nvm_begin();
    behind->name[0] = 'x';
    nvm_end();
    nvm_begin();
    block[0] = 'x';
    nvm_end();
    REQUIRE(stats().unannounced == 6);
    _exit(0);
  });
  EXPECT_TRUE(e.fine()) << e;
  for (const char *part :
       {"part[2].name, offset 89 of", "part, offset 32 of",
        "text.bytes, offset 608 of", "headed.name, offset 16 of",
        "the memory before headed, offset 0 of", "outside of all objects"})
    EXPECT_NE(e.text.find(part), std::string::npos) << part << "\n" << e;
}

TEST_F(Commits, VerifyIsSilentWhenAllIsAnnounced) {
  nvm_options verify = ofSize(32 * MiB);
  verify.verify = 1;
  for (int run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      static int twin = 1;
      registerWorld();
      NVM_TWIN(twin);
      openPool(pool, verify);
      nvm_restore();
      nvm_ready();
      for (int i = 0; i < 60; i++) {
        nvm_begin();
        stepWorld();
        nvm_end();
      }
      REQUIRE(stats().unannounced == 0);
    });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_EQ(e.text, "");
  }
}

TEST_F(Commits, VerifyCanTrap) {
  nvm_options verify = {};
  verify.verify = 1;
  Ending e = inChild([&] {
    setenv("NVM_VERIFY_TRAP", "1", 1);
    start(100, verify);
    nvm_begin();
    cells[20] = 2;
    NVM(cells[0]) = 1;
    nvm_end();
  });
  EXPECT_EQ(e.signal, SIGTRAP) << e;
}

TEST_F(Commits, TheStartLineSaysWhatACommitSurvives) {
  Directory memory("/dev/shm");
  pool = memory / "pool";
  auto line = [&](const char *engine, const char *durability) {
    return inChild([&] {
             setenv("NVM_POOL", pool.c_str(), 1);
             setenv("NVM_SIZE", "32M", 1);
             setenv("NVM_MAX_SIZE", "32M", 1);
             setenv("NVM_ENGINE", engine, 1);
             setenv("NVM_DURABILITY", durability, 1);
             nvm_start();
           })
        .text;
  };
  std::string start = "nvmove: pool " + pool + " (32.0 MiB, ";
  std::string text = line("redo", "process");
  EXPECT_EQ(text.find(start), 0u) << text;
  EXPECT_NE(
      text.find("): engine redo; a commit survives a crash of the process\n"),
      std::string::npos)
      << text;
  EXPECT_NE(line("redo", "power")
                .find("a crash of the process (this medium does not survive"),
            std::string::npos);
  Directory disk("/tmp");
  pool = disk / "pool";
  EXPECT_NE(
      line("redo", "power").find("a crash of the process and power loss\n"),
      std::string::npos);
  EXPECT_NE(line("none", "process").find("engine none; nothing survives\n"),
            std::string::npos);
}

TEST_F(Commits, StatisticsAtExit) {
  Ending e = inChildWithExit([&] {
    setenv("NVM_STATS", "1", 1);
    setenv("NVM_CRASH_COUNT", "1", 1);
    start(10, {});
    nvm_begin();
    NVM(cells[0]) = 1;
    nvm_end();
  });
  EXPECT_NE(e.text.find("{\"sections\":2,"), std::string::npos) << e;
  EXPECT_NE(e.text.find(" crash events\n"), std::string::npos) << e;
}

} // namespace
