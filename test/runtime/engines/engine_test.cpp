//===- engine_test.cpp - what every engine does, and what each refuses ----===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "proof.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(chunk);

namespace {

const Scenario &table() { return scenarioNamed("table"); }

class Engines : public testing::TestWithParam<Setting> {
protected:
  nvm_options options(unsigned long size = 64 * MiB) const {
    nvm_options o = ofSize(size);
    o.engine = GetParam().engine;
    return o;
  }
  static void registerOnce() {
    static bool done; // each test has a process of its own
    if (!done)
      table().registerRoots();
    done = true;
  }
  void start() {
    registerOnce();
    openPool(pool, options());
    nvm_restore();
    table().check(table().steps());
    nvm_ready();
  }
  static void steps(int n) {
    for (int i = 0; i < n; i++) {
      nvm_begin();
      table().step();
      nvm_end();
    }
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_P(Engines, KeepWhatWasCommittedHoweverTheProcessEnds) {
  SharedLong floor;
  for (int round = 0; round < 6; round++) {
    Ending e = inChildWithExit([&] {
      start();
      REQUIRE(table().steps() >= floor.get());
      steps(20);
      nvm_checkpoint();
      floor.set(table().steps());
      if (round % 3 == 0)
        kill(getpid(), SIGKILL);
      if (round % 3 == 1)
        nvm_close();
    });
    EXPECT_TRUE(round % 3 == 0 ? e.killed() : e.fine()) << e;
  }
  EXPECT_EQ(floor.get(), 120);
}

TEST_P(Engines, CommitBeforeAnswersFromNestedSections) {
  for (bool other : {false, true}) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    Ending e = inChild([&] {
      registerOnce();
      nvm_options o = options();
      o.epoch_ms = -1;
      openPool(pool, o);
      nvm_restore();
      table().check(table().steps());
      nvm_ready();
      steps(3);
      nvm_begin();
      nvm_begin();
      table().step();
      nvm_begin();
      if (other)
        NVM_OUTPUT(write)(ends[1], "a", 1);
      else
        nvm_dprintf(ends[1], "%s", "a");
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
    char answer;
    EXPECT_EQ(read(ends[0], &answer, 1), 1);
    EXPECT_EQ(close(ends[0]) + close(ends[1]), 0);
  }
  Ending e = inChild([&] {
    start();
    REQUIRE(table().steps() == 8);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Engines, SectionsMayWaitForTheNextOutput) {
  bool waits = GetParam().goesBack && !isThreaded(GetParam().engine);
  auto each = [&](auto work) {
    Ending e = inChild([&] {
      registerOnce();
      nvm_options o = options();
      o.epoch_ms = -1;
      openPool(pool, o);
      nvm_restore();
      table().check(table().steps());
      nvm_ready();
      nvm_commit_at_output();
      work();
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  };
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  each([&] {
    steps(3);
    REQUIRE(nvm_write(ends[1], "3", 1) == 1);
    steps(2);
    NVM_WAIT(getpid)();
    steps(1);
    NVM_OUTPUT(getpid)();
    steps(4); // lost
  });
  each([&] {
    if (waits)
      REQUIRE(table().steps() == 6);
    else
      REQUIRE(table().steps() >= 6);
    steps(1500); // so many do not wait
  });
  each([&] { REQUIRE(table().steps() > 1000); });
  EXPECT_EQ(close(ends[0]) + close(ends[1]), 0);
}

TEST_P(Engines, AChildSeesTheMomentOfTheFork) {
  Ending e = inChild([&] {
    start();
    steps(40);
    nvm_close();
    start();
    int ends[2];
    REQUIRE(pipe2(ends, O_NONBLOCK) == 0);
    pid_t child = fork();
    if (child == 0) {
      close(ends[1]);
      char c;
      do
        table().check(40);
      while (read(ends[0], &c, 1) != 0);
      table().check(40);
      steps(3); // in its own copy
      table().check(43);
      _exit(0);
    }
    steps(60);
    nvm_checkpoint();
    steps(60);
    nvm_checkpoint();
    close(ends[1]);
    int status;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    table().check(160);
    nvm_close();
    start();
    table().check(160);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Engines, AChildDuringTheLoadSeesTheMoment) {
  Ending e = inChild([&] {
    registerOnce();
    openPool(pool, options());
    REQUIRE(nvm_restore() == 0);
    for (int i = 0; i < 20; i++)
      table().step();
    pid_t child = fork();
    if (child == 0) {
      usleep(30000);
      table().check(20);
      _exit(0);
    }
    for (int i = 0; i < 20; i++)
      table().step();
    nvm_ready();
    int status;
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
    steps(10);
    nvm_close();
    start();
    table().check(50);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Engines, AFullHeapGivesNullAndGoesOn) {
  Ending e = inChild([&] {
    registerOnce();
    openPool(pool, options(32 * MiB));
    nvm_restore();
    nvm_ready();
    for (int round = 0; round < 3; round++) {
      std::vector<void *> all;
      void *p;
      do {
        nvm_begin();
        if ((p = nvm_alloc(&nvm_type_chunk, 50000)))
          all.push_back(nvm_memset(p, round, 50000));
        nvm_end();
      } while (p);
      REQUIRE(errno == ENOMEM && all.size() > 50);
      nvm_begin();
      for (void *q : all)
        nvm_free(q);
      nvm_end();
      nvm_checkpoint();
    }
    steps(5);
    nvm_close();
    start();
    table().check(5);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// Without power and without what a cut may tear: kill -9 at random events.
TEST_P(Engines, SurviveKillsAtEvents) {
  // Without atomicity the state is known between sections only: see PowerCuts.
  SharedLong floor;
  std::mt19937 random(3);
  for (int round = 0; round < 25; round++) {
    Ending e = inChild([&] {
      if (GetParam().atomic)
        setenv("NVM_CRASH_AT", std::to_string(1 + random() % 1500).c_str(), 1);
      start();
      REQUIRE(table().steps() >= floor.get());
      for (int i = 0; i < 12; i++) {
        steps(1);
        if (i % 4 == 3) {
          nvm_checkpoint();
          floor.set(table().steps());
        }
      }
      nvm_close();
    });
    random();
    EXPECT_TRUE(e.fine() || e.killed()) << e;
  }
}

// The tables of a new pool take what the program registers, whatever its size.
TEST_P(Engines, LargeStaticsComeBack) {
  static char root[3 << 20], twin[2 << 20], kept[2 << 20];
  for (bool again : {false, true}) {
    Ending e = inChild([&] {
      NVM_ROOT(root);
      NVM_KEEP(kept);
      NVM_TWIN(twin);
      openPool(pool, options(256 * MiB));
      REQUIRE(nvm_restore() == again);
      nvm_ready();
      REQUIRE(root[5] == (again ? 6 : 0));
      REQUIRE(root[sizeof root - 1] == (again ? 7 : 0));
      nvm_begin();
      root[5] = 6;
      root[sizeof root - 1] = 7;
      nvm_end();
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
}

TEST_P(Engines, NvmPoolNamesThem) {
  Ending e = inChild([&] {
    start();
    steps(10);
    nvm_close();
  });
  ASSERT_TRUE(e.fine()) << e;
  std::string name = GetParam().engine;
  name = name.substr(0, name.find('+'));
  e = inChild([&] {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl(NVM_POOL_TOOL, "nvm-pool", "info", pool.c_str(), nullptr);
  });
  EXPECT_NE(e.text.find("engine     " + name + "\n"), std::string::npos) << e;
  e = inChild([&] {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl(NVM_POOL_TOOL, "nvm-pool", "check", pool.c_str(), nullptr);
  });
  EXPECT_EQ(e.text.find("sound: commit "), 0u) << e;
}

/// The pool's own engine without a word; another one is refused, the file is
/// left as it was; `none` reads it.
TEST_P(Engines, AreThePools) {
  Ending e = inChild([&] {
    start();
    steps(10);
    nvm_checkpoint();
    _exit(0); // a crash: something is left to be rolled back or forward
  });
  ASSERT_TRUE(e.fine()) << e;
  std::string before = readFile(pool), name = GetParam().engine;
  name = name.substr(0, name.find('+'));
  const char *other = name == "undo" ? "redo" : "undo";
  e = inChild([&] {
    table().registerRoots();
    nvm_options o = {};
    o.engine = other;
    REQUIRE(nvm_open(pool.c_str(), &o) == EINVAL);
    dprintf(2, "%s", nvm_errormsg());
  });
  EXPECT_NE(e.text.find("was made with engine " + name + " and cannot be used"),
            std::string::npos)
      << e;
  EXPECT_NE(e.text.find("[pool-engine]"), std::string::npos) << e;
  e = inChild([&] {
    table().registerRoots();
    nvm_options o = {};
    o.engine = "none";
    int error = nvm_open(pool.c_str(), &o);
    REQUIRE(error == (engineNamed(name).opens_first ? EINVAL : 0));
    if (!error) {
      REQUIRE(nvm_restore());
      table().check(table().steps());
      nvm_ready();
      steps(5);
      nvm_close();
    }
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_TRUE(readFile(pool) == before);
  e = inChild([&] {
    table().registerRoots();
    openPool(pool); // names none
    REQUIRE(nvm_restore());
    table().check(table().steps());
    nvm_ready();
    steps(2);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Engines, ADirectOneRefusesADiskForPower) {
  Directory disk("/tmp");
  bool working = engineNamed(GetParam().engine).power_on_disk;
  Ending e = inChild([&] {
    nvm_options o = options(32 * MiB);
    o.power = 1;
    int error = nvm_open((disk / "pool").c_str(), &o);
    dprintf(2, "%s", nvm_errormsg());
    REQUIRE(error == (working ? 0 : EINVAL));
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_EQ(e.text.find("[engine-medium]") != std::string::npos, !working) << e;
  // Nor is one made.
  EXPECT_EQ(access((disk / "pool").c_str(), F_OK) == 0, working);
}

// What an engine keeps about the lines of a section grows with it, up to a part
// of the whole pool and not of what is in use.
TEST_P(Engines, OneSectionMayChangeManyLines) {
  static unsigned char *bytes;
  constexpr size_t Size = 3 * MiB;
  const bool atomic = GetParam().atomic;
  auto open = [&] {
    nvm_root("bytes", &bytes, sizeof(bytes));
    openPool(pool, options(128 * MiB));
    if (!nvm_restore())
      bytes = static_cast<unsigned char *>(nvm_zalloc(&nvm_type_bytes, Size));
    nvm_ready();
  };
  Ending e = inChild([&] {
    open();
    nvm_begin();
    nvm_memset(bytes, 1, Size);
    nvm_end();
    nvm_checkpoint();
    nvm_begin();
    nvm_memset(bytes, 2, Size);
    raise(SIGKILL);
  });
  EXPECT_TRUE(e.killed()) << e;
  e = inChild([&] {
    open();
    for (size_t i = 0; i < Size && atomic; i++)
      REQUIRE(bytes[i] == 1);
  });
  EXPECT_TRUE(e.fine()) << e;
}

// A file that may grow is longer than libpmemobj's heap in it. Where further
// zones of that heap would begin, each 16 GiB, lie data of the engine's or the
// program's.
TEST_P(Engines, ReopenAPoolOfTheDefaultLength) {
  static unsigned char *bytes;
  constexpr size_t Size = 6 * MiB;
  auto open = [&] {
    nvm_root("bytes", &bytes, sizeof(bytes));
    nvm_options o = {};
    o.size_bytes = 256 * MiB;
    o.engine = GetParam().engine;
    openPool(pool, o);
  };
  for (int run = 0; run < 3; run++) {
    Ending e = inChild([&] {
      open();
      REQUIRE(nvm_restore() == (run > 0));
      if (run == 0) {
        bytes = static_cast<unsigned char *>(nvm_alloc(&nvm_type_bytes, Size));
        nvm_memset(bytes, 1, Size);
      }
      nvm_ready();
      for (size_t i = 0; i < Size; i++)
        REQUIRE(bytes[i] == run + (run == 0));
      nvm_begin();
      nvm_memset(bytes, run + 1, Size);
      nvm_end();
      nvm_close();
    });
    ASSERT_TRUE(e.fine()) << e;
  }
}

// Nor does an epoch end early because little of the pool is in use.
TEST_P(Engines, AnEpochMayChangeManyLines) {
  if (engineNamed(GetParam().engine).by_transaction)
    GTEST_SKIP() << "a transaction of libpmemobj ends with its section";
  Ending e = inChild([&] {
    constexpr size_t Part = 1 * MiB;
    nvm_options o = options(128 * MiB);
    o.epoch_ms = 1000000;
    openPool(pool, o);
    auto *bytes =
        static_cast<unsigned char *>(nvm_zalloc(&nvm_type_bytes, 2 * Part));
    nvm_ready();
    nvm_stats before, after;
    nvm_get_stats(&before);
    for (size_t i = 0; i < 2; i++) {
      nvm_begin();
      nvm_memset(bytes + i * Part, 1, Part);
      nvm_end();
    }
    nvm_get_stats(&after);
    REQUIRE(after.sections == before.sections);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST_P(Engines, VerifyIsSilentWhenAllIsAnnounced) {
  Ending e = inChild([&] {
    table().registerRoots();
    nvm_options o = options();
    o.verify = 1;
    openPool(pool, o);
    nvm_restore();
    nvm_ready();
    steps(20);
    nvm_checkpoint();
    nvm_stats s;
    nvm_get_stats(&s);
    REQUIRE(s.unannounced == 0);
  });
  EXPECT_TRUE(e.fine()) << e;
}

INSTANTIATE_TEST_SUITE_P(Of, Engines, testing::ValuesIn(settings()),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(Engine, ASecondThreadIsRefusedWhereItHasNothingToDo) {
  Directory dir;
  for (const char *engine :
       {"undo+thread", "none+thread", "tx+thread", "incll+thread"}) {
    Ending e = inChild([&] {
      nvm_options o = ofSize(16 * MiB);
      o.engine = engine;
      REQUIRE(nvm_open((dir / "pool").c_str(), &o) == EINVAL);
      dprintf(2, "%s", nvm_errormsg());
    });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_NE(e.text.find("[engine]"), std::string::npos) << e;
  }
}

TEST(Engine, AnEpochPutsSeveralSectionsIntoOneCommit) {
  Directory dir;
  Ending e = inChild([&] {
    table().registerRoots();
    nvm_options o = ofSize(32 * MiB);
    o.engine = "dual";
    o.epoch_ms = 3600000;
    openPool(dir / "pool", o);
    nvm_restore();
    nvm_ready();
    unsigned long before = pool_epoch();
    for (int i = 0; i < 30; i++) {
      nvm_begin();
      table().step();
      nvm_output(); // does not commit: counted
      nvm_end();
    }
    REQUIRE(pool_epoch() == before);
    nvm_stats s;
    nvm_get_stats(&s);
    REQUIRE(s.early_outputs == 30);
    nvm_checkpoint();
    REQUIRE(pool_epoch() == before + 1);
    nvm_begin();
    table().step();
    nvm_end();
  });
  EXPECT_TRUE(e.fine()) << e;
  e = inChild([&] {
    table().registerRoots();
    openPool(dir / "pool");
    REQUIRE(nvm_restore());
    table().check(30);
  });
  EXPECT_TRUE(e.fine()) << e;
}

TEST(Engine, TheStartLineSaysHowOftenACommitIsTaken) {
  Directory dir;
  auto line = [&](const char *engine, const char *epoch) {
    return inChild([&] {
             setenv("NVM_POOL", (dir / engine).c_str(), 1);
             setenv("NVM_SIZE", "16M", 1);
             setenv("NVM_ENGINE", engine, 1);
             setenv("NVM_EPOCH_MS", epoch, 1);
             nvm_start();
           })
        .text;
  };
  EXPECT_NE(line("incll", "").find("a crash of the process, one every 64 ms\n"),
            std::string::npos);
  EXPECT_NE(line("undo", "5").find("a crash of the process, one every 5 ms\n"),
            std::string::npos);
  EXPECT_NE(line("dual", "0").find("a crash of the process\n"),
            std::string::npos);
  EXPECT_NE(line("dual", "soon").find("is no number of milliseconds [epoch]"),
            std::string::npos);
}

TEST(Engine, ADamagedUndoLogIsRefused) {
  Directory dir;
  std::string pool = dir / "pool";
  SharedLong logOffset;
  Ending e = inChild([&] {
    table().registerRoots();
    nvm_options o = ofSize(16 * MiB);
    o.engine = "undo";
    openPool(pool, o);
    nvm_restore();
    for (int i = 0; i < 30; i++)
      table().step();
    nvm_ready();
    logOffset.set(long(pool_log_offset()));
    nvm_begin();
    for (int i = 0; i < 400; i++)
      table().step();
    _exit(0); // in the middle
  });
  ASSERT_TRUE(e.fine()) << e;
  auto open = [&] {
    return inChild([&] {
      table().registerRoots();
      openPool(pool);
      REQUIRE(nvm_restore());
      table().check(30);
    });
  };
  std::string good = readFile(pool), bad = good;
  bad[size_t(logOffset.get()) + 70] ^= 4; // an image of the first entry
  writeFile(pool, bad);
  e = open();
  EXPECT_NE(e.text.find("the undo log is damaged [pool-damaged]"),
            std::string::npos)
      << e;
  EXPECT_TRUE(readFile(pool) == bad);
  writeFile(pool, good);
  e = open();
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
