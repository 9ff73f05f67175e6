//===- line_log_test.cpp - records with the copy of a word in their line --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a loss of power leaves is in proof_test.cpp, scenario "logged".
//
//===----------------------------------------------------------------------===//
#include "nvmove/collect.h"
#include "nvmove/restart.h"
#include "support.h"
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace nvmtest;

namespace {
struct Knot {
  Knot *next;
  long count;
  int left, right;
  NVM_LINE_LOG_64(24);
};
} // namespace
NVM_TYPE(Knot);

namespace {

Knot *knots;

class LineLogs : public testing::Test {
protected:
  enum Layout { Logged, Plain };
  static void registerKnot(Layout layout = Logged) {
    static const nvm_field logged[] = {
        NVM_POINTER(Knot, next), NVM_FIELD(Knot, count), NVM_FIELD(Knot, left),
        NVM_FIELD(Knot, right), NVM_LINE_LOG(Knot)};
    static const nvm_field plain[] = {
        NVM_POINTER(Knot, next), NVM_FIELD(Knot, count), NVM_FIELD(Knot, left),
        NVM_FIELD(Knot, right), NVM_FIELD(Knot, nvm_line_log)};
    nvm_layout(&nvm_type_Knot, sizeof(Knot), layout == Logged ? logged : plain,
               5);
    NVM_ROOT_POINTERS(knots);
  }
  void start() {
    registerKnot();
    nvm_options o = ofSize(16 * MiB);
    o.engine = "incll";
    o.epoch_ms = 3600000;
    o.verify = verifies;
    openPool(pool, o);
    if (!nvm_restore()) {
      knots = static_cast<Knot *>(nvm_zalloc(&nvm_type_Knot, 8 * sizeof(Knot)));
      for (int i = 0; i < 7; i++)
        NVM(knots[i].next) = &knots[i + 1];
    }
    nvm_ready();
    nvm_checkpoint();
  }
  Ending run(const std::function<void()> &body) {
    return inChild([&] {
      start();
      body();
    });
  }
  void fine(const std::function<void()> &body) {
    Ending e = run(body);
    EXPECT_TRUE(e.fine()) << e;
  }
  /// In a section; then the process is killed.
  void killed(const std::function<void()> &body) {
    Ending e = run([&] {
      nvm_begin();
      body();
      kill(getpid(), SIGKILL);
    });
    EXPECT_TRUE(e.killed()) << e;
  }
  static unsigned long fences() {
    nvm_stats s;
    nvm_get_stats(&s);
    return s.fences;
  }
  Ending tool(const std::vector<const char *> &words) {
    return inChild([&] {
      std::vector<char *> arguments;
      for (const char *word : words)
        arguments.push_back(const_cast<char *>(word));
      arguments.push_back(nullptr);
      dup2(STDERR_FILENO, STDOUT_FILENO);
      execv(NVM_POOL_TOOL, arguments.data());
      _exit(127);
    });
  }
  Directory dir;
  std::string pool = dir / "pool";
  int verifies = 0;
};

TEST_F(LineLogs, OneWordOfARecordNeedsNoFence) {
  setenv("NVM_STATS", "1", 1);
  fine([] {
    nvm_begin();
    NVM(knots[0].count) = 1; // says where recovery is to look
    unsigned long before = fences();
    for (long i = 0; i < 1000; i++) {
      NVM(knots[0].count) = i;
      NVM(knots[1].next) = nullptr;
      NVM(knots[2].left) = int(i); // the same word
      NVM(knots[2].right) = int(i);
    }
    REQUIRE(fences() == before);
    NVM(knots[0].left) = 1; // another word
    REQUIRE(fences() == before + 1);
    for (int i = 0; i < 1000; i++)
      NVM(knots[0].right)++, NVM(knots[0].count)++;
    REQUIRE(fences() == before + 1);
    nvm_end();
    nvm_checkpoint();
    before = fences();
    nvm_begin();
    NVM(knots[0].left) = 2; // of the next epoch
    REQUIRE(fences() == before + 1);
    NVM(knots[1].left) = 2;
    REQUIRE(fences() == before + 1);
    nvm_end();
  });
  unsetenv("NVM_STATS");
  fine([] {
    REQUIRE(knots[0].count == 1999 && knots[0].left == 1);
    REQUIRE(knots[1].next == nullptr && knots[1].left == 0);
  });
}

TEST_F(LineLogs, ACrashLeavesTheLastCheckpoint) {
  fine([] {
    nvm_begin();
    for (int i = 0; i < 8; i++)
      NVM(knots[i].count) = 100 + i;
    nvm_end();
    nvm_checkpoint();
  });
  for (int round = 0; round < 3; round++)
    killed([] {
      for (int i = 0; i < 8; i++) {
        REQUIRE(knots[i].count == 100 + i && knots[i].left == 0);
        NVM(knots[i].count) = 1;
        if (i % 2)
          NVM(knots[i].left) = 1;
        if (i % 3 == 0) {
          Knot copy = knots[(i + 1) % 8];
          *NVM_OBJ(&knots[i]) = copy;
        }
        NVM(knots[i].count)++;
      }
    });
  fine([] { REQUIRE(knots[7].count == 107 && knots[6].next == &knots[7]); });
}

/// Each has its own word of one record; some of the stores are outside of
/// sections.
TEST_F(LineLogs, ThreadsShareARecord) {
  killed([] {
    nvm_end();
    for (int round = 0; round < 50; round++) {
      std::vector<std::thread> threads;
      threads.emplace_back([] {
        for (int i = 0; i < 200; i++)
          NVM(knots[3].count)++;
      });
      threads.emplace_back([] {
        for (int i = 0; i < 200; i++)
          NVM(knots[3].left)++;
      });
      for (int i = 0; i < 20; i++) {
        nvm_begin();
        NVM(knots[4].count)++;
        nvm_end();
        if (i % 10 == 5)
          nvm_checkpoint();
      }
      for (auto &t : threads)
        t.join();
    }
    nvm_checkpoint();
    nvm_begin();
    NVM(knots[3].count)++;
  });
  fine([] {
    REQUIRE(knots[3].count == 10000 && knots[3].left == 10000);
    REQUIRE(knots[4].count == 1000);
  });
}

TEST_F(LineLogs, BelongToTheLayout) {
  fine([] {});
  Ending e = inChild([&] {
    registerKnot(Plain);
    REQUIRE(nvm_open(pool.c_str(), nullptr) != 0);
    REQUIRE(
        std::string(nvm_errormsg())
            .find("field nvm_line_log was the log of its line and is now none "
                  "[pool-layout]") != std::string::npos);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// The copy in a log leads to a block that nothing else leads to any more.
TEST_F(LineLogs, KeepNothingAlive) {
  fine([] {
    nvm_begin();
    Knot *lost = static_cast<Knot *>(nvm_zalloc(&nvm_type_Knot, sizeof(Knot)));
    NVM(knots[7].next) = lost;
    nvm_end();
    nvm_checkpoint();
    nvm_begin();
    NVM(knots[7].next) = nullptr;
    nvm_end();
    nvm_checkpoint();
    REQUIRE(std::end(knots[7].nvm_line_log)[-1] ==
            reinterpret_cast<unsigned long>(lost));
  });
  Ending e = inChild([&] {
    registerKnot();
    openPool(pool);
    REQUIRE(nvm_collect(nullptr) == 0);
    REQUIRE(nvm_restore());
    nvm_ready();
    nvm_collection c;
    REQUIRE(nvm_collect(&c) == 0);
    REQUIRE(c.objects == 1);
  });
  EXPECT_TRUE(e.fine()) << e;
}

/// An old address in a log is nothing that a pool at another one depends on.
TEST_F(LineLogs, MoveWithTheirPool) {
  fine([] {
    nvm_begin();
    for (int i = 0; i < 7; i++)
      NVM(knots[i].next) = knots;
    nvm_end();
    nvm_checkpoint();
  });
  Ending e = tool({"nvm-pool", "relocate", pool.c_str()});
  EXPECT_TRUE(e.fine()) << e;
  killed([] {
    for (int i = 0; i < 7; i++) {
      REQUIRE(knots[i].next == knots);
      NVM(knots[i].next) = nullptr;
    }
  });
  fine([] { REQUIRE(knots[6].next == knots); });
}

TEST_F(LineLogs, AreNotDumped) {
  fine([] {});
  Ending e = tool({"nvm-pool", "dump", pool.c_str()});
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("\"right\":0}"), std::string::npos) << e;
  EXPECT_EQ(e.text.find("line_log"), std::string::npos) << e;
  e = tool({"nvm-pool", "check", pool.c_str()});
  EXPECT_TRUE(e.fine()) << e;
}

/// What the runtime writes into them is no store that a hook forgot.
TEST_F(LineLogs, AreNoStoresOfTheProgram) {
  auto unannounced = [] {
    nvm_checkpoint();
    nvm_stats s;
    nvm_get_stats(&s);
    return s.unannounced;
  };
  verifies = 1;
  fine([&] {
    NVM(knots[2].count) = 1;
    REQUIRE(unannounced() == 0);
    NVM(knots[2].count) = 2;
    knots[5].count = 1;
    REQUIRE(unannounced() == 1);
  });
}

void *withHeader(size_t size_bytes) {
  char *block = static_cast<char *>(nvm_malloc(size_bytes + 64));
  return block ? block + 64 : nullptr;
}

/// A record that does not begin its block: its line is saved as any other.
TEST_F(LineLogs, AreForBlocksOfRecords) {
  setenv("NVM_STATS", "1", 1);
  fine([] {
    nvm_begin();
    NVM(knots[0].count) = 1;
    Knot *k = static_cast<Knot *>(NVM_ALLOC(Knot, withHeader(sizeof(Knot))));
    REQUIRE(k);
    unsigned long before = fences();
    NVM(knots[1].count) = 1;
    REQUIRE(fences() == before + 1);
    nvm_end();
  });
  unsetenv("NVM_STATS");
}

} // namespace
