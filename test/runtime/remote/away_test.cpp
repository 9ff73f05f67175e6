//===- away_test.cpp - a replica that does not answer, or not in time -----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stopped process is a partition: connections stay, and nothing answers.
//
//===----------------------------------------------------------------------===//
#include "program.h"
#include "replica_process.h"
#include "support.h"
#include <csignal>
#include <cstring>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

using namespace nvmtest;

namespace {

class ReplicaAway : public testing::Test {
protected:
  void SetUp() override {
    if (!hasReplicas())
      GTEST_SKIP() << "built without libfabric";
    replica.emplace(directory / "replica");
  }
  static bool says(const Program &program, const std::string &what) {
    for (int i = 0; i < 1000; i++) {
      if (program.text().find(what) != std::string::npos)
        return true;
      usleep(10000);
    }
    return false;
  }
  /// Runs `body` with the pool open, and the start-up over.
  Ending inProgram(const std::function<void()> &body) {
    return inChild([&] {
      setenv("NVM_REPLICA", replica->address().c_str(), 1);
      NVM_ROOT(block);
      nvm_options options = {};
      options.size_bytes = 16 * MiB;
      options.max_size_bytes = mostBytes;
      REQUIRE(nvm_open((directory / "pool").c_str(), &options) == 0);
      nvm_restore();
      nvm_ready();
      body();
      nvm_close();
    });
  }
  /// Looks at the replica's pool.
  Ending onReplica(const std::function<void()> &body) {
    replica->kill();
    return inChild([&] {
      NVM_ROOT(block);
      REQUIRE(nvm_open(replica->pool.c_str(), nullptr) == 0);
      REQUIRE(nvm_restore());
      body();
    });
  }
  int timesByPages(size_t bytes, int times);
  static unsigned char *block;
  unsigned long mostBytes = 256 * MiB;
  Directory directory;
  std::optional<Replica> replica;
};
unsigned char *ReplicaAway::block;

/// A block of so many bytes is made, and changed `times` over, each in one
/// section. How often the replica was sent pages.
int ReplicaAway::timesByPages(size_t bytes, int times) {
  Ending ending = inProgram([&] {
    static nvm_type type = {"bytes", 0, 0, 0, 0};
    for (int k = 0; k <= times; k++) {
      nvm_begin();
      if (!block)
        block = static_cast<unsigned char *>(nvm_alloc(&type, bytes));
      nvm_store(block, bytes);
      for (size_t i = 0; i < bytes; i++)
        block[i] = static_cast<unsigned char>((i * 7 >> 5) + size_t(k));
      nvm_end();
      nvm_output();
      nvm_begin();
      NVM(block[5]) = 77;
      nvm_end();
      nvm_output();
    }
    _exit(0);
  });
  EXPECT_TRUE(ending.fine()) << ending;
  std::string said = replica->text();
  Ending there = onReplica([&] {
    REQUIRE(block[5] == 77);
    for (size_t i = 6; i < bytes; i++)
      REQUIRE(block[i] ==
              static_cast<unsigned char>((i * 7 >> 5) + size_t(times)));
  });
  EXPECT_TRUE(there.fine()) << there;
  int count = 0;
  for (size_t at = 0; (at = said.find("pages up to", at)) != std::string::npos;
       at++)
    count++;
  return count;
}

TEST_F(ReplicaAway, IsWaitedForInAPartition) {
  Program program(directory / "pool", *replica);
  program.env("NVM_REPLICA_TIMEOUT_MS", "300");
  program.start("redo");
  program.awaitSteps(20);
  replica->signal(SIGSTOP);
  EXPECT_TRUE(says(program, "waiting for it"));
  EXPECT_NE(program.text().find("[replica-away]"), std::string::npos);
  long before = program.acknowledged.get();
  usleep(300000);
  EXPECT_EQ(program.acknowledged.get(), before);
  replica->signal(SIGCONT);
  program.awaitSteps(before + 20);
  EXPECT_NE(program.text().find("is connected again"), std::string::npos);
  program.kill();
  replica->kill();
  expectWorld(replica->pool, program.acknowledged.get());
}

TEST_F(ReplicaAway, IsGoneOnWithoutInAPartition) {
  Program program(directory / "pool", *replica);
  program.env("NVM_REPLICA_TIMEOUT_MS", "300");
  program.env("NVM_REPLICA_PARTITION", "go-on");
  program.start("undo");
  program.awaitSteps(20);
  replica->signal(SIGSTOP);
  EXPECT_TRUE(says(program, "continuing without it"));
  long before = program.acknowledged.get();
  program.awaitSteps(before + 100);
  replica->signal(SIGCONT);
  EXPECT_TRUE(says(program, "is connected again"));
  program.awaitSteps(program.acknowledged.get() + 20);
  program.kill();
  replica->kill();
  expectWorld(replica->pool, program.acknowledged.get());
}

TEST_F(ReplicaAway, NeedNotBeThereAtTheStart) {
  Program program(directory / "pool", *replica);
  replica->kill();
  program.start("redo", 50);
  EXPECT_TRUE(says(program, "waiting for it"));
  EXPECT_EQ(program.acknowledged.get(), -1);
  replica->start();
  EXPECT_EQ(program.end(), 0);
  replica->kill();
  expectWorld(replica->pool, 50);
}

TEST_F(ReplicaAway, LagIsCounted) {
  SharedLong lag, atEnd;
  setenv("NVM_REPLICA_MODE", "async", 1);
  Ending ending = inProgram([&] {
    static nvm_type type = {"bytes", 0, 0, 0, 0};
    nvm_begin();
    block = static_cast<unsigned char *>(nvm_zalloc(&type, 64));
    nvm_end();
    nvm_output();
    replica->signal(SIGSTOP);
    for (int i = 0; i < 100; i++) {
      nvm_begin();
      NVM(block[0]) = static_cast<unsigned char>(i);
      nvm_end();
      nvm_output(); /* does not wait */
    }
    nvm_stats stats;
    nvm_get_stats(&stats);
    lag.set(long(stats.replica_lag));
    replica->signal(SIGCONT);
    for (int i = 0; i < 500; i++, usleep(10000)) {
      nvm_get_stats(&stats);
      if (!stats.replica_lag)
        break;
    }
    atEnd.set(long(stats.replica_lag));
  });
  unsetenv("NVM_REPLICA_MODE");
  EXPECT_TRUE(ending.fine()) << ending;
  EXPECT_GT(lag.get(), 0);
  EXPECT_LE(lag.get(), 101);
  EXPECT_EQ(atEnd.get(), 0);
  Ending there = onReplica([&] { REQUIRE(block[0] == 99); });
  EXPECT_TRUE(there.fine()) << there;
}

/// A replica without a pool gets one by pages, and what comes later as records:
/// its log gets longer.
TEST_F(ReplicaAway, LargeSectionsGoAsRecords) {
  EXPECT_EQ(timesByPages(12 * MiB, 4), 1);
}

TEST_F(ReplicaAway, SectionsThatAreTooLargeForTheRingGoByPages) {
  mostBytes = 1024 * MiB;
  EXPECT_EQ(timesByPages(40 * MiB, 1), 3);
}

/// What is new in the pool is not in the primary's own log, which is as short.
TEST_F(ReplicaAway, SectionsThatAreTooLargeForTheLogGoByPages) {
  mostBytes = 64 * MiB;
  EXPECT_EQ(timesByPages(24 * MiB, 0), 2);
}

/// Many laps of the log, each while records of the one before are on their way.
TEST_F(ReplicaAway, LapsWaitForTheirRecords) {
  constexpr size_t bytes = 256 << 10, parts = 8, commits = 400;
  setenv("NVM_REPLICA_MODE", "async", 1);
  Ending ending = inProgram([&] {
    static nvm_type type = {"bytes", 0, 0, 0, 0};
    for (size_t k = 0; k < commits; k++) {
      nvm_begin();
      if (!block)
        block = static_cast<unsigned char *>(nvm_zalloc(&type, parts * bytes));
      memset(static_cast<unsigned char *>(
                 NVM_BUF(block + k % parts * bytes, bytes)),
             int(k), bytes);
      nvm_end();
    }
  });
  unsetenv("NVM_REPLICA_MODE");
  EXPECT_TRUE(ending.fine()) << ending;
  EXPECT_EQ(ending.text.find("[replica"), std::string::npos) << ending;
  EXPECT_EQ(replica->text().find("refused"), std::string::npos)
      << replica->text();
  Ending there = onReplica([&] {
    for (size_t k = commits - parts; k < commits; k++)
      for (size_t i = 0; i < bytes; i += 64)
        REQUIRE(block[k % parts * bytes + i] == static_cast<unsigned char>(k));
  });
  EXPECT_TRUE(there.fine()) << there;
}

/// More records than either side looks at in one go.
TEST_F(ReplicaAway, ManyRecordsMayBeOnTheirWay) {
  constexpr long commits = 60000;
  setenv("NVM_REPLICA_MODE", "async", 1);
  Ending ending = inProgram([&] {
    static nvm_type type = {"bytes", 0, 0, 0, 0};
    for (long k = 1; k <= commits; k++) {
      if (k == 100)
        replica->signal(SIGSTOP);
      if (k == 15000)
        replica->signal(SIGCONT);
      nvm_begin();
      if (!block)
        block = static_cast<unsigned char *>(nvm_zalloc(&type, 64));
      NVM(*reinterpret_cast<long *>(block)) = k;
      nvm_end();
    }
  });
  unsetenv("NVM_REPLICA_MODE");
  EXPECT_TRUE(ending.fine()) << ending;
  EXPECT_EQ(ending.text.find("[replica-away]"), std::string::npos) << ending;
  Ending there =
      onReplica([&] { REQUIRE(*reinterpret_cast<long *>(block) == commits); });
  EXPECT_TRUE(there.fine()) << there;
}

TEST_F(ReplicaAway, ItsPoolGrows) {
  constexpr size_t bytes = MiB, blocks = 96;
  Ending ending = inProgram([&] {
    static nvm_type type = {"link", 0, 0, 0, 0};
    for (size_t k = 0; k < blocks; k++) {
      nvm_begin();
      auto *p = static_cast<unsigned char *>(nvm_alloc(&type, bytes));
      REQUIRE(p);
      nvm_store(p, bytes);
      memset(p, int(k), bytes);
      memcpy(p, &block, sizeof(block));
      block = p;
      nvm_end();
    }
    nvm_output();
    _exit(0);
  });
  EXPECT_TRUE(ending.fine()) << ending;
  EXPECT_EQ(replica->text().find("pages up to"),
            replica->text().rfind("pages up to"));
  Ending there = onReplica([&] {
    size_t k = blocks;
    for (unsigned char *p = block; p; memcpy(&p, p, sizeof(p)))
      REQUIRE(p[bytes - 1] == --k);
    REQUIRE(k == 0);
  });
  EXPECT_TRUE(there.fine()) << there;
}

TEST_F(ReplicaAway, AForkedChildHasNone) {
  Ending ending = inProgram([&] {
    static nvm_type type = {"bytes", 0, 0, 0, 0};
    for (int i = 0; i < 20; i++) {
      pid_t child = fork();
      if (child == 0) {
        nvm_begin();
        if (block)
          block[0] = 255; /* in its own view */
        nvm_end();
        exit(0);
      }
      nvm_begin();
      if (!block)
        block = static_cast<unsigned char *>(nvm_zalloc(&type, 64));
      NVM(block[0]) = static_cast<unsigned char>(i);
      nvm_end();
      nvm_output();
      REQUIRE(waitpid(child, nullptr, 0) == child);
    }
    _exit(0);
  });
  EXPECT_TRUE(ending.fine()) << ending;
  Ending there = onReplica([&] { REQUIRE(block[0] == 19); });
  EXPECT_TRUE(there.fine()) << there;
}

TEST_F(ReplicaAway, WaitsForItsDiskIfThatIsWanted) {
  replica.emplace(directory / "disk",
                  std::vector<std::string>{"--durability", "power"});
  Program program(directory / "pool", *replica);
  program.start("redo");
  program.awaitSteps(50);
  replica->kill();
  replica->start();
  program.awaitSteps(program.acknowledged.get() + 50);
  program.kill();
  replica->kill();
  expectWorld(replica->pool, program.acknowledged.get());
}

} // namespace
