//===- growth_test.cpp - pools that grow, disks that are full -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(brick);

namespace {

struct Brick {
  Brick *next;
  long number;
  char bytes[200000 - 16];
};
Brick *bricks;

constexpr unsigned long GiB = 1024 * MiB;

bool addBrick() {
  auto *b = static_cast<Brick *>(nvm_alloc(&nvm_type_brick, sizeof(Brick)));
  if (!b)
    return false;
  nvm_store(b, sizeof(Brick));
  b->number = bricks ? bricks->number + 1 : 1;
  memset(b->bytes, int(b->number), sizeof(b->bytes));
  b->next = bricks;
  bricks = b;
  return true;
}

/// One section for each; how many there was room for.
long addBricks(long count) {
  for (long n = 0;; n++) {
    bool room = n < count;
    nvm_begin();
    room = room && addBrick();
    nvm_end();
    if (!room)
      return n;
  }
}

void requireBricks(long count) {
  for (Brick *b = bricks; b; b = b->next, count--)
    REQUIRE(b->number == count && b->bytes[0] == char(count) &&
            b->bytes[sizeof(b->bytes) - 1] == char(count));
  REQUIRE(count == 0);
}

void freeBricks() {
  nvm_begin();
  for (Brick *b = bricks, *next; b; b = next) {
    next = b->next;
    nvm_free(b);
  }
  bricks = nullptr;
  nvm_end();
}

void start(const std::string &pool, const char *engine, unsigned long size,
           unsigned long most) {
  nvm_options options = ofSize(size);
  options.max_size_bytes = most;
  options.engine = engine;
  NVM_ROOT(bricks);
  openPool(pool, options);
  nvm_restore();
  nvm_ready();
}

unsigned long blocksOf(const std::string &file) {
  struct stat s;
  EXPECT_EQ(stat(file.c_str(), &s), 0);
  return (unsigned long)(s.st_blocks) * 512;
}

/// Those whose pools grow.
class Growth : public testing::TestWithParam<const char *> {
protected:
  Directory dir;
  std::string pool = dir / "pool";
};
INSTANTIATE_TEST_SUITE_P(Of, Growth,
                         testing::ValuesIn(enginesThat({&nvm_engine::grows})),
                         ByParameter());

class GrowthSteps : public testing::Test {
protected:
  Directory dir;
};

TEST_P(Growth, APoolTakesBlocksAsItNeedsThem) {
  Ending e = inChild([&] {
    start(pool, GetParam(), 16 * MiB, GiB);
    nvm_close();
  });
  ASSERT_TRUE(e.fine()) << e;
  EXPECT_LT(blocksOf(pool), 80 * MiB);
  e = inChild([&] {
    start(pool, GetParam(), 16 * MiB, GiB);
    REQUIRE(addBricks(300) == 300); // 60 MB
    nvm_checkpoint();
    REQUIRE(addBricks(10) == 10); // what is lost here takes blocks with it
    _exit(0);
  });
  ASSERT_TRUE(e.fine()) << e;
  unsigned long grown = blocksOf(pool);
  EXPECT_GT(grown, 60 * MiB);
  EXPECT_LT(grown, 400 * MiB);
  e = inChild([&] {
    start(pool, GetParam(), 16 * MiB, GiB);
    requireBricks(bricks->number);
    REQUIRE(bricks->number >= 300 && bricks->number <= 310);
    freeBricks();
    nvm_checkpoint();
    REQUIRE(addBricks(250) == 250); // in the same pages
    nvm_close();
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_LT(blocksOf(pool), grown + MiB);
}

/// A file system in memory clears the blocks that it gives: no section asks for
/// all of a part of 16 MiB.
TEST_F(GrowthSteps, AreTakenLittleByLittle) {
  for (const char *engine : {"redo", "undo"}) {
    Ending e = inChild([&] {
      struct statfs fs;
      REQUIRE(statfs(dir.path.c_str(), &fs) == 0);
      if (fs.f_type != 0x01021994)
        _exit(77); // a disk gives blocks in no time
      start(dir / engine, engine, 16 * MiB, GiB);
      unsigned long before = blocksOf(dir / engine), most = 0;
      for (int i = 0; i < 300; i++) {
        REQUIRE(addBricks(1) == 1);
        unsigned long now = blocksOf(dir / engine);
        most = now - before > most ? now - before : most;
        before = now;
      }
      REQUIRE(most < 8 * MiB);
    });
    if (e.exitStatus == 77)
      GTEST_SKIP() << "no file system in memory here";
    EXPECT_TRUE(e.fine()) << e;
  }
}

/// A file system of `size` bytes in a mount namespace of its own. False: this
/// process may not make one.
bool mountSmallDisk(const std::string &where, const char *size) {
  return unshare(CLONE_NEWNS) == 0 &&
         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", where.c_str(), "tmpfs", 0, size) == 0;
}

TEST_P(Growth, AFullDiskIsAFailedAllocation) {
  Ending e = inChild([&] {
    if (!mountSmallDisk(dir.path, "size=160m"))
      _exit(77);
    start(pool, GetParam(), 16 * MiB, GiB);
    long most = addBricks(100000);
    REQUIRE(most > 150 && errno == ENOMEM);
    // The program goes on, as far as that takes no more room.
    requireBricks(most);
    REQUIRE(addBricks(1) == 0);
    nvm_begin();
    NVM(bricks->number) = most; // the same
    nvm_end();
    nvm_checkpoint();
    nvm_close();
    bricks = nullptr;
    nvm_options options = {};
    REQUIRE(nvm_open(pool.c_str(), &options) == 0 && nvm_restore() == 1);
    nvm_ready();
    requireBricks(most);
    freeBricks();
    nvm_checkpoint();
    REQUIRE(addBricks(100000) > most / 2);
  });
  if (e.exitStatus == 77)
    GTEST_SKIP() << "no mount namespaces here";
  EXPECT_TRUE(e.fine()) << e;
  size_t first = e.text.find("cannot grow beyond");
  EXPECT_NE(first, std::string::npos) << e;
  EXPECT_NE(e.text.find("No space left on device; allocations will fail"),
            std::string::npos)
      << e;
}

/// Another file fills the disk between two runs: what the pool had it keeps,
/// and a copy that left out blocks is refused, not run into.
TEST_P(Growth, BlocksThatACopyLeftOut) {
  Ending e = inChild([&] {
    if (!mountSmallDisk(dir.path, "size=300m"))
      _exit(77);
    std::string copy = dir / "copy";
    Ending first = inChild([&] {
      start(pool, GetParam(), 16 * MiB, GiB);
      nvm_begin();
      REQUIRE(nvm_zalloc(&nvm_type_brick, 30 * MiB)); // zeros: holes in a copy
      nvm_end();
      nvm_close();
    });
    REQUIRE(first.fine());
    std::string command = "cp --sparse=always " + pool + " " + copy;
    REQUIRE(system(command.c_str()) == 0);
    REQUIRE(blocksOf(copy) + 20 * MiB < blocksOf(pool));
    command = "head -c 300M /dev/zero > " + (dir / "filler") + " 2>/dev/null";
    REQUIRE(system(command.c_str()) != 0);
    Ending refused = inChild([&] { start(copy, GetParam(), 0, 0); });
    REQUIRE(refused.exitStatus == 99);
    REQUIRE(refused.text.find("has no blocks for what it holds: No space left "
                              "on device [pool-full]") != std::string::npos);
    Ending fine = inChild([&] { start(pool, GetParam(), 0, 0); });
    REQUIRE(fine.fine());
    REQUIRE(unlink((dir / "filler").c_str()) == 0);
    fine = inChild([&] { start(copy, GetParam(), 0, 0); });
    REQUIRE(fine.fine());
    REQUIRE(blocksOf(copy) > 30 * MiB);
  });
  if (e.exitStatus == 77)
    GTEST_SKIP() << "no mount namespaces here";
  EXPECT_TRUE(e.fine()) << e;
}

/// In memory of its own: the file stays as it is.
TEST_P(Growth, ASnapshotChildGrowsForItself) {
  Ending e = inChild([&] {
    start(pool, GetParam(), 16 * MiB, GiB);
    REQUIRE(addBricks(10) == 10);
    unsigned long before = blocksOf(pool);
    pid_t child = fork();
    if (child == 0) {
      REQUIRE(addBricks(300) == 300);
      requireBricks(310);
      _exit(0);
    }
    int status;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    REQUIRE(blocksOf(pool) == before);
    REQUIRE(addBricks(300) == 300);
    requireBricks(310);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Growth, ALargeBlockIsLargerThanAStep) {
  Ending e = inChild([&] {
    start(pool, GetParam(), 16 * MiB, GiB);
    nvm_begin();
    char *p = static_cast<char *>(nvm_zalloc(&nvm_type_brick, 200 * MiB));
    REQUIRE(p && p[0] == 0 && p[200 * MiB - 1] == 0);
    nvm_free(p);
    nvm_end();
    REQUIRE(!nvm_alloc(&nvm_type_brick, 2 * GiB) && errno == ENOMEM);
  });
  EXPECT_TRUE(e.fine()) << e;
}

class Sizes : public testing::Test {
protected:
  Ending open(unsigned long size, unsigned long most, const char *engine) {
    return inChild([&] {
      nvm_options options = {};
      options.size_bytes = size;
      options.max_size_bytes = most;
      options.engine = engine;
      if (nvm_open((dir / "pool").c_str(), &options) != 0) {
        dprintf(2, "%s", nvm_errormsg());
        _exit(1);
      }
    });
  }
  Directory dir;
};

TEST_F(Sizes, APoolOfTransactionsHasOneSize) {
  Ending e = open(16 * MiB, 32 * MiB, "tx");
  EXPECT_EQ(e.exitStatus, 1);
  EXPECT_NE(e.text.find("engine tx cannot let a pool grow: redo, "),
            std::string::npos)
      << e;
  EXPECT_TRUE(open(16 * MiB, 0, "tx").fine()); // no limit was asked for
  EXPECT_EQ(std::filesystem::file_size(dir / "pool"), 16 * MiB);
}

TEST_F(Sizes, NoLessThanAtFirst) {
  Ending e = open(64 * MiB, 32 * MiB, "redo");
  EXPECT_NE(e.text.find("no more than it may grow to [pool-size]"),
            std::string::npos)
      << e;
}

TEST_F(Sizes, TheUsualOnes) {
  EXPECT_TRUE(open(0, 0, "redo").fine());
  EXPECT_EQ(std::filesystem::file_size(dir / "pool"), 64 * GiB);
  EXPECT_LT(blocksOf(dir / "pool"), 96 * MiB);
}

TEST_F(Sizes, ALimitOnFilesLowersOnlyTheUsualOne) {
  auto limited = [&](unsigned long most) {
    return inChild([&] {
      rlimit limit = {GiB, GiB};
      REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
      Ending e = open(0, most, "redo");
      dprintf(2, "%s", e.text.c_str());
      _exit(e.exitStatus);
    });
  };
  EXPECT_NE(limited(2 * GiB).text.find("[pool-full]"), std::string::npos);
  EXPECT_TRUE(limited(0).fine());
  EXPECT_EQ(std::filesystem::file_size(dir / "pool"), GiB);
}

/// Reads what the pool has and allocates beyond, without a word to the file.
TEST_F(Sizes, EngineNoneGrowsInMemory) {
  std::string pool = dir / "pool";
  Ending e = inChild([&] {
    start(pool, "redo", 16 * MiB, GiB);
    REQUIRE(addBricks(20) == 20);
    nvm_close();
  });
  ASSERT_TRUE(e.fine()) << e;
  unsigned long before = blocksOf(pool);
  e = inChild([&] {
    start(pool, "none", 0, 0);
    REQUIRE(addBricks(300) == 300);
    requireBricks(320);
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_EQ(blocksOf(pool), before);
}

} // namespace
