//===- tool_test.cpp - nvm-pool -------------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include "world.h"
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
#define _Static_assert static_assert
#include "layout.h"
#undef _Static_assert
}

using namespace nvmtest;

namespace {

class PoolTool : public testing::Test {
protected:
  /// Runs nvm-pool; its stdout goes where inChild() collects stderr.
  Ending tool(const std::string &verb, const std::string &file) {
    return inChild([&] {
      dup2(STDERR_FILENO, STDOUT_FILENO);
      execl(NVM_POOL_TOOL, "nvm-pool", verb.c_str(), file.c_str(), nullptr);
      _exit(127);
    });
  }
  void makePool(bool commit) {
    Ending e = inChild([&] {
      registerWorld();
      openPool(pool, ofSize(16 * MiB));
      if (!commit)
        return;
      nvm_restore();
      nvm_ready();
      for (int i = 0; i < 25; i++) {
        nvm_begin();
        stepWorld();
        nvm_end();
      }
    });
    ASSERT_TRUE(e.fine()) << e;
  }
  void expectText(const Ending &e, const std::string &text) {
    EXPECT_NE(e.text.find(text), std::string::npos) << text << "\nin " << e;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

TEST_F(PoolTool, InfoTellsWhatThePoolHolds) {
  makePool(true);
  std::string before = readFile(pool);
  Ending e = tool("info", pool);
  EXPECT_TRUE(e.fine()) << e;
  expectText(e, "16.0 MiB, format 2");
  expectText(e, "state      commit 26; ");
  expectText(e, "root       steps  8 bytes, 0x19\n");
  expectText(e, "type       Node\n");
  EXPECT_EQ(e.text.find("in use,"), std::string::npos);
  EXPECT_TRUE(readFile(pool) == before);
}

TEST_F(PoolTool, CheckReadsAllOfIt) {
  makePool(true);
  std::string before = readFile(pool);
  Ending e = tool("check", pool);
  EXPECT_TRUE(e.fine()) << e;
  expectText(e, "sound: commit 26, ");
  EXPECT_TRUE(readFile(pool) == before);
  // A bit in the bitmap of a page that is no slab.
  uint64_t root;
  memcpy(&root, before.data() + 6144, sizeof(root));
  nvm_disk_header h;
  memcpy(&h, before.data() + (root + 63) / 64 * 64, sizeof(h));
  size_t bitmap =
      h.arena_offset + h.bitmap_offset + (h.page_count - 1) * NVM_BITMAP_BYTES;
  patchFile(pool, bitmap, "\1");
  e = tool("check", pool);
  EXPECT_EQ(e.exitStatus, 1);
  expectText(e, "is damaged [pool-damaged]");
}

TEST_F(PoolTool, APoolWithoutACommit) {
  makePool(false);
  Ending e = tool("info", pool);
  EXPECT_TRUE(e.fine()) << e;
  expectText(e, "no commit yet");
  e = tool("check", pool);
  EXPECT_TRUE(e.fine()) << e;
}

TEST_F(PoolTool, APoolInUse) {
  makePool(true);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t user = fork();
  if (user == 0) {
    registerWorld();
    openPool(pool);
    REQUIRE(write(ends[1], "r", 1) == 1);
    pause();
  }
  char c;
  ASSERT_EQ(read(ends[0], &c, 1), 1);
  expectText(tool("info", pool), ", in use\n");
  Ending e = tool("check", pool);
  EXPECT_EQ(e.exitStatus, 1);
  expectText(e, "[pool-busy]");
  kill(user, SIGKILL);
  waitpid(user, nullptr, 0);
}

TEST_F(PoolTool, WhatIsNoPoolIsSaidSo) {
  writeFile(pool, std::string(20000, 'x'));
  Ending e = tool("check", pool);
  EXPECT_EQ(e.exitStatus, 1);
  expectText(e, "nvm-pool: error: " + pool + " is not a pool [pool-foreign]");
  e = tool("info", dir / "none");
  EXPECT_EQ(e.exitStatus, 1);
  expectText(e, "[pool-missing]");
  EXPECT_EQ(tool("repair", pool).exitStatus, 2);
}

} // namespace
