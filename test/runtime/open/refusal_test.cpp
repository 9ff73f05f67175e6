//===- refusal_test.cpp - files that are not opened, and left alone -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include "world.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <libpmemobj.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#define _Static_assert static_assert
#include "base/layout.h"
#undef _Static_assert
}

using namespace nvmtest;

namespace {

class Refusal : public testing::Test {
protected:
  /// Tries to open; the child prints the error.
  Ending open(const std::string &path, nvm_options options = ofSize(16 * MiB)) {
    return inChild([&] {
      registerWorld();
      int error = nvm_open(path.c_str(), &options);
      dprintf(2, "%d %s", error, nvm_errormsg());
      _exit(error ? 1 : 0);
    });
  }
  void expectRefused(const std::string &path, int error,
                     const std::string &text) {
    Ending e = open(path);
    EXPECT_EQ(e.exitStatus, 1) << e;
    EXPECT_EQ(e.text.substr(0, e.text.find(' ')), std::to_string(error)) << e;
    EXPECT_NE(e.text.find(text), std::string::npos) << text << "\n" << e;
  }
  /// A pool with commits, at home and in the log.
  void makePool() {
    Ending e = inChild([&] {
      registerWorld();
      openPool(pool, ofSize(16 * MiB));
      nvm_restore();
      for (int i = 0; i < 20; i++)
        stepWorld();
      nvm_ready();
      for (int i = 0; i < 10; i++) {
        nvm_begin();
        stepWorld();
        nvm_end();
      }
    });
    ASSERT_TRUE(e.fine()) << e;
    good = readFile(pool);
    locate();
  }
  /// Where the parts lie in the file.
  void locate() {
    uint64_t root;
    memcpy(&root, good.data() + 6144, sizeof(root));
    headerAt = (root + 63) / 64 * 64;
    memcpy(&header, good.data() + headerAt, sizeof(header));
    ASSERT_EQ(header.magic, NVM_DISK_MAGIC);
  }
  /// Flips one bit at each of these offsets, in turn: refused with this text,
  /// byte for byte unchanged.
  void flip(const std::vector<size_t> &offsets, const std::string &text) {
    for (size_t at : offsets) {
      std::string bad = good;
      bad[at] = char(bad[at] ^ 4);
      writeFile(pool, bad);
      expectRefused(pool, EINVAL, text);
      EXPECT_TRUE(readFile(pool) == bad) << "flipped at " << at;
    }
    writeFile(pool, good);
  }
  void expectWorld(long low, long high) {
    Ending e = inChild([&] {
      registerWorld();
      openPool(pool);
      REQUIRE(nvm_restore());
      REQUIRE(worldSteps() >= low && worldSteps() <= high);
      Model model;
      while (model.steps < worldSteps())
        model.step();
      requireWorld(model);
      _exit(0);
    });
    EXPECT_TRUE(e.fine()) << e;
  }

  Directory dir;
  std::string pool = dir / "pool", good;
  size_t headerAt = 0;
  nvm_disk_header header = {};
};

TEST_F(Refusal, AMissingDirectory) {
  expectRefused(dir / "no/pool", ENOENT, "no such directory [pool-missing]");
  EXPECT_NE(access((dir / "no").c_str(), F_OK), 0);
}

TEST_F(Refusal, ALinkToNothing) {
  ASSERT_EQ(symlink("nothing", pool.c_str()), 0);
  expectRefused(pool, ENOENT, "is a dangling symbolic link [pool-missing]");
}

TEST_F(Refusal, ALinkToAPoolIsThePool) {
  makePool();
  ASSERT_EQ(symlink(pool.c_str(), (dir / "link").c_str()), 0);
  pool = dir / "link";
  expectWorld(30, 30);
}

TEST_F(Refusal, ForeignFiles) {
  for (size_t size : {0, 1, 100, 10000, 9000000}) {
    writeFile(pool, std::string(size, 'f'));
    expectRefused(pool, EINVAL, "is not a pool [pool-foreign]");
    EXPECT_TRUE(readFile(pool) == std::string(size, 'f'));
  }
  expectRefused(dir.path, EINVAL, "is a directory [pool-foreign]");
  ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
  expectRefused(dir / "fifo", EINVAL, "is not a regular file [pool-foreign]");
}

TEST_F(Refusal, ThePoolOfAnotherProgram) {
  ASSERT_TRUE(inChild([&] {
                setenv("PMEM_IS_PMEM_FORCE", "1", 1);
                PMEMobjpool *pop =
                    pmemobj_create(pool.c_str(), "other", 16 * MiB, 0600);
                REQUIRE(pop);
                pmemobj_close(pop);
              }).fine());
  std::string before = readFile(pool);
  expectRefused(pool, EINVAL, "another program (layout other) [pool-foreign]");
  EXPECT_TRUE(readFile(pool) == before);
}

TEST_F(Refusal, APoolOfLibpmemobjWithoutOurRoot) {
  ASSERT_TRUE(inChild([&] {
                setenv("PMEM_IS_PMEM_FORCE", "1", 1);
                PMEMobjpool *pop =
                    pmemobj_create(pool.c_str(), "nvmove", 16 * MiB, 0600);
                REQUIRE(pop);
                pmemobj_close(pop);
              }).fine());
  std::string before = readFile(pool);
  expectRefused(pool, EINVAL, "[pool-damaged]");
  EXPECT_TRUE(readFile(pool) == before);
}

TEST_F(Refusal, ATruncatedOrGrownPool) {
  makePool();
  for (size_t size : {5000ul, 100000ul, good.size() / 4, good.size() / 2,
                      good.size() - 1, good.size() + 4096}) {
    std::string bad = good;
    bad.resize(size);
    writeFile(pool, bad);
    expectRefused(pool, EINVAL,
                  size < 6168 ? "is not a pool" : "size is damaged");
    EXPECT_TRUE(readFile(pool) == bad) << size;
  }
}

TEST_F(Refusal, FlippedBitsInTheHeaders) {
  makePool();
  flip({0, 5}, "is not a pool [pool-foreign]");
  flip({16, 100, 500, 4090}, "libpmemobj's header is damaged [pool-damaged]");
  flip({4096 + 1030, 4096 + 1500, 4096 + 2045},
       "libpmemobj's descriptor is damaged [pool-damaged]");
  flip({headerAt, headerAt + 7},
       "the header's magic number is damaged [pool-damaged]");
  std::string version = std::to_string(NVM_DISK_VERSION);
  flip({headerAt + 8}, "has version " + std::to_string(NVM_DISK_VERSION ^ 4) +
                           "; this program has version " + version +
                           " [pool-version]");
  std::vector<size_t> fields;
  for (size_t at = 12; at < sizeof(header); at += 4)
    fields.push_back(headerAt + at);
  flip(fields, "the header (checksum) is damaged [pool-damaged]");
}

TEST_F(Refusal, BothControlSlots) {
  makePool();
  size_t slot = headerAt + NVM_CONTROL_OFFSET;
  good[slot + 3] = char(good[slot + 3] ^ 1);
  flip({slot + 64, slot + 72, slot + 80},
       "the control record is damaged [pool-damaged]");
}

TEST_F(Refusal, OneDamagedControlSlot) {
  makePool();
  size_t slot = headerAt + NVM_CONTROL_OFFSET;
  nvm_disk_control c[2];
  memcpy(c, good.data() + slot, sizeof(c));
  size_t older = c[0].sequence < c[1].sequence ? 0 : 1;
  // The newer one, and the log has been used since: it cannot have been torn.
  flip({slot + 64 * (1 - older), slot + 64 * (1 - older) + 9},
       "the control record is damaged [pool-damaged]");
  patchFile(pool, slot + 64 * older + 8, "torn");
  expectWorld(30, 30);
}

TEST_F(Refusal, ATornControlSlotIsRecoveredFromTheOther) {
  makePool();
  // The next owner brings the log home and is cut while it writes the slot that
  // says so; or it has written it and nothing more.
  for (bool brought : {false, true}) {
    writeFile(pool, good);
    nvm_disk_marks marks; // before that slot was whole
    size_t slot = headerAt + NVM_CONTROL_OFFSET;
    memcpy(&marks, good.data() + slot + NVM_MARKS_OFFSET, sizeof(marks));
    if (brought)
      expectWorld(30, 30);
    std::string bytes = readFile(pool);
    patchFile(pool, slot + NVM_MARKS_OFFSET,
              std::string(reinterpret_cast<char *>(&marks), sizeof(marks)));
    nvm_disk_control c[2];
    memcpy(c, bytes.data() + slot, sizeof(c));
    size_t newer = c[0].sequence > c[1].sequence ? 0 : 1;
    patchFile(pool, slot + 64 * (brought ? newer : 1 - newer) + 16, "torn");
    expectWorld(30, 30);
    expectWorld(30, 30);
  }
}

TEST_F(Refusal, ADamagedRecordInTheMiddleOfTheLog) {
  makePool();
  size_t at = header.log_offset; // first record; nine follow
  nvm_disk_record r;
  memcpy(&r, good.data() + at, sizeof(r));
  ASSERT_EQ(r.magic, NVM_RECORD_MAGIC);
  flip({at, at + 8, at + 16, at + 60, at + 64, at + r.size_bytes - 1},
       "the log's record of commit 2 is damaged [pool-damaged]");
}

TEST_F(Refusal, ADamagedLastRecordIsATornOneAndDropped) {
  makePool();
  size_t at = header.log_offset;
  nvm_disk_record r;
  for (int i = 0; i < 9; i++) {
    memcpy(&r, good.data() + at, sizeof(r));
    ASSERT_EQ(r.magic, NVM_RECORD_MAGIC);
    at += r.size_bytes;
  }
  memcpy(&r, good.data() + at, sizeof(r));
  patchFile(pool, at + r.size_bytes / 2, "torn");
  expectWorld(29, 29);
}

long value;

TEST_F(Refusal, RecordsBehindATornOneNeverComeBack) {
  // With power durability nothing is promised before the output: a record may
  // have reached the disk before its predecessor.
  auto live = [&](long expected, const std::vector<long> &values) {
    Ending e = inChild([&] {
      NVM_ROOT(value);
      nvm_options power = ofSize(16 * MiB);
      power.power = 1;
      openPool(pool, power);
      nvm_restore();
      nvm_ready();
      REQUIRE(value == expected);
      for (long v : values) {
        nvm_begin();
        value = v;
        nvm_end();
      }
    });
    EXPECT_TRUE(e.fine()) << e;
  };
  live(0, {});
  live(0, {1, 2, 3});
  good = readFile(pool);
  locate();
  nvm_disk_record r;
  memcpy(&r, good.data() + header.log_offset, sizeof(r));
  ASSERT_EQ(r.magic, NVM_RECORD_MAGIC);
  patchFile(pool, header.log_offset + r.size_bytes - 8, "torn");
  live(0, {9}); // a record of the same size in the same place
  live(9, {});
}

TEST_F(Refusal, FlippedBitsInTheTablesAndThePageDirectory) {
  makePool();
  // Brought home first, so that no image in the log covers the bits.
  ASSERT_TRUE(inChild([&] {
                registerWorld();
                openPool(pool);
                nvm_restore();
                nvm_ready();
                nvm_close();
              }).fine());
  good = readFile(pool);
  locate();
  size_t arena = header.arena_offset;
  std::vector<size_t> heapHeader;
  for (size_t at = 0; at < sizeof(nvm_disk_heap); at += 4)
    heapHeader.push_back(arena + at);
  flip(heapHeader, "the heap's header is damaged [pool-damaged]");
  size_t table = arena + header.table_offset;
  flip({table, table + 4, table + 12, table + 30, table + 41},
       "entry 0 of the tables is damaged");
  size_t directory = arena + header.directory_offset;
  flip({directory, directory + 1, directory + 2, directory + 13},
       "entry 0 of the page directory is damaged [pool-damaged]");
  flip({directory + 16 * 50},
       "entry 50 of the page directory is damaged [pool-damaged]");
}

TEST_F(Refusal, APoolInUse) {
  makePool();
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t user = fork();
  if (user == 0) {
    registerWorld();
    openPool(pool);
    nvm_restore();
    nvm_ready();
    REQUIRE(write(ends[1], "r", 1) == 1);
    pause();
  }
  char c;
  ASSERT_EQ(read(ends[0], &c, 1), 1);
  std::string before = readFile(pool);
  expectRefused(pool, EBUSY, "is used by another process [pool-busy]");
  EXPECT_TRUE(readFile(pool) == before);
  kill(user, SIGKILL);
  waitpid(user, nullptr, 0);
  expectWorld(30, 30);
}

TEST_F(Refusal, APoolThatLibpmemobjHasOpenElsewhere) {
  makePool();
  Ending e = inChild([&] {
    PMEMobjpool *pop = pmemobj_open(pool.c_str(), "nvmove");
    REQUIRE(pop);
    std::string before = readFile(pool);
    expectRefused(pool, EBUSY, "[pool-busy]");
    REQUIRE(readFile(pool) == before);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(Refusal, AReadOnlyFile) {
  makePool();
  chmod(pool.c_str(), 0444);
  if (geteuid() != 0) {
    expectRefused(pool, EACCES,
                  "is not writable: Permission denied [pool-read-only]");
  } else {
    chmod(dir.path.c_str(), 0755);
    Ending e = inChild([&] {
      REQUIRE(setuid(65534) == 0);
      nvm_options options = {};
      REQUIRE(nvm_open(pool.c_str(), &options) == EACCES);
      dprintf(2, "%s", nvm_errormsg());
    });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_NE(e.text.find("[pool-read-only]"), std::string::npos) << e;
  }
  EXPECT_TRUE(readFile(pool) == good);
}

TEST_F(Refusal, ADirectoryThatCannotBeWritten) {
  if (geteuid() != 0)
    GTEST_SKIP() << "needs another user";
  chmod(dir.path.c_str(), 0755);
  Ending e = inChild([&] {
    REQUIRE(setuid(65534) == 0);
    nvm_options options = ofSize(16 * MiB);
    REQUIRE(nvm_open(pool.c_str(), &options) == EACCES);
    dprintf(2, "%s", nvm_errormsg());
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("[pool-read-only]"), std::string::npos) << e;
}

TEST_F(Refusal, AFullDisk) {
  std::string mount = dir / "small";
  mkdir(mount.c_str(), 0700);
  if (::mount("none", mount.c_str(), "tmpfs", 0, "size=20m") != 0)
    GTEST_SKIP() << "cannot mount: " << strerror(errno);
  nvm_options options = ofSize(64 * MiB);
  Ending e = open(mount + "/pool", options);
  EXPECT_NE(e.text.find("has no space for the pool [pool-full]"),
            std::string::npos)
      << e;
  writeFile(mount + "/other", std::string(19 * MiB, 'x'));
  e = open(mount + "/pool", ofSize(16 * MiB));
  EXPECT_NE(e.text.find("[pool-full]"), std::string::npos) << e;
  unlink((mount + "/other").c_str());
  EXPECT_NE(access((mount + "/pool").c_str(), F_OK), 0); // nothing left behind
  EXPECT_NE(access((mount + "/pool.nvmove-new").c_str(), F_OK), 0);
  EXPECT_TRUE(open(mount + "/pool", ofSize(16 * MiB)).fine());
  umount(mount.c_str());
}

TEST_F(Refusal, ALimitOnTheSizeOfFiles) {
  Ending e = inChild([&] {
    rlimit limit = {8 * MiB, 8 * MiB};
    setrlimit(RLIMIT_FSIZE, &limit);
    nvm_options options = ofSize(16 * MiB);
    REQUIRE(nvm_open(pool.c_str(), &options) == ENOSPC);
    dprintf(2, "%s", nvm_errormsg());
  });
  EXPECT_TRUE(e.fine()) << e; // in particular no SIGXFSZ
  EXPECT_NE(e.text.find("[pool-full]"), std::string::npos) << e;
  EXPECT_NE(access(pool.c_str(), F_OK), 0);
}

TEST_F(Refusal, ATakenAddress) {
  makePool();
  Ending e = inChild([&] {
    registerWorld();
    void *at = reinterpret_cast<void *>(NVM_HEAP_ADDRESS + MiB);
    REQUIRE(mmap(at, 4096, PROT_READ,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
                 0) == at);
    nvm_options options = {};
    REQUIRE(nvm_open(pool.c_str(), &options) == ENOMEM);
    dprintf(2, "%s", nvm_errormsg());
    munmap(at, 4096);
    openPool(pool); // the failure left nothing behind
    REQUIRE(nvm_restore());
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("[address-taken]"), std::string::npos) << e;
}

TEST_F(Refusal, UnknownWordsInTheEnvironment) {
  auto start = [&](const char *name, const char *value) {
    return inChild([&] {
      setenv("NVM_POOL", pool.c_str(), 1);
      setenv(name, value, 1);
      nvm_start();
    });
  };
  for (auto [name, value] : {std::pair("NVM_SIZE", "much"),
                             {"NVM_SIZE", "-1"},
                             {"NVM_SIZE", "5X"},
                             {"NVM_ENGINE", "steam"},
                             {"NVM_DURABILITY", "eternal"},
                             {"NVM_SIZE", "1M"},
                             {"NVM_POOL", "/no/such/pool"}}) {
    Ending e = start(name, value);
    EXPECT_EQ(e.exitStatus, 78) << e;
    EXPECT_EQ(e.text.find("nvmove: error: "), 0u) << e;
    EXPECT_NE(access(pool.c_str(), F_OK), 0) << name << value;
  }
}

TEST_F(Refusal, AHalfMadePoolNeverHasTheFinalName) {
  // A process that dies while making the pool leaves the draft at most.
  writeFile(dir / "pool.nvmove-new", "half");
  EXPECT_TRUE(open(pool).fine());
  EXPECT_NE(access((dir / "pool.nvmove-new").c_str(), F_OK), 0);
}

/// One gets it, and the others are told why they do not.
TEST(ANewPool, MayHaveManyStartersAtOnce) {
  for (const char *engine : {"redo", "tx"})
    for (int round = 0; round < 25; round++) {
      Directory dir;
      std::string pool = dir / "pool";
      if (round % 2)
        writeFile(dir / "pool.nvmove-new", std::string(100000, 'x'));
      SharedLong ready, opened, busy;
      std::vector<pid_t> starters(5);
      for (pid_t &child : starters)
        if ((child = fork()) == 0) {
          nvm_options o = ofSize(64 * MiB);
          o.engine = engine;
          ready.add(1);
          while (ready.get() < long(starters.size()))
            ;
          int error = nvm_open(pool.c_str(), &o);
          if (!error)
            opened.add(1);
          else if (error == EBUSY && strstr(nvm_errormsg(), "[pool-busy]"))
            busy.add(1);
          else
            fprintf(stderr, "%d %s\n", error, nvm_errormsg());
          for (int i = 0;
               i < 2000 && opened.get() + busy.get() < long(starters.size());
               i++)
            usleep(1000);
          _exit(0);
        }
      for (pid_t child : starters)
        waitpid(child, nullptr, 0);
      ASSERT_EQ(opened.get(), 1) << engine << " round " << round;
      ASSERT_EQ(busy.get(), long(starters.size()) - 1);
      ASSERT_NE(access((pool + ".nvmove-new").c_str(), F_OK), 0);
    }
}

} // namespace
