//===- zeroed_test.cpp - zeroed memory is zero, whatever was cut before ---===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "engine_lists.h"
#include "nvmove/restart.h"
#include "support.h"
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

using namespace nvmtest;

NVM_TYPE(Piece);

namespace {

constexpr size_t Large = MiB;
char *piece;
long runs;

class ZeroedMemory : public testing::TestWithParam<const char *> {
protected:
  void start(const std::string &path) {
    NVM_ROOT(piece);
    NVM_ROOT(runs);
    nvm_options o = ofSize(16 * MiB);
    o.engine = GetParam();
    openPool(path, o);
    nvm_restore();
    runs++;
  }
  /// A commit that takes pages which no commit has used.
  Ending cut(long at) {
    return inChild([&] {
      if (at)
        setenv("NVM_CRASH_AT", std::to_string(at).c_str(), 1);
      start(pool);
      nvm_ready();
      nvm_begin();
      piece = static_cast<char *>(nvm_alloc(&nvm_type_Piece, Large));
      memset(NVM_BUF(piece, Large), 0xab, Large);
      nvm_end();
      nvm_checkpoint();
    });
  }
  Ending check() {
    return inChild([&] {
      execl(NVM_POOL_TOOL, "nvm-pool", "check", pool.c_str(), nullptr);
    });
  }
  Directory dir;
  std::string base = dir / "base", pool = dir / "pool";
};

TEST_P(ZeroedMemory, IsZeroAfterACutCommit) {
  Ending made = inChild([&] {
    start(base);
    nvm_ready();
    nvm_checkpoint();
  });
  ASSERT_TRUE(made.fine()) << made;
  copyFile(base, pool);
  ASSERT_TRUE(cut(0).fine());
  int cuts = 0;
  for (long at = 5;; at += at < 60 ? 4 : at < 200 ? 9 : at) {
    copyFile(base, pool);
    Ending first = cut(at);
    if (!first.killed())
      break;
    cuts++;
    Ending next = inChild([&] {
      start(pool);
      nvm_ready(); // the one commit that goes where the cut one went
      if (engineNamed(GetParam()).opens_first)
        nvm_close(); // else the tool refuses to look
    });
    ASSERT_TRUE(next.fine()) << next;
    Ending sound = check();
    EXPECT_TRUE(sound.fine()) << sound;
    Ending last = inChild([&] {
      start(pool);
      if (!piece) // else the commit had come about
        piece = static_cast<char *>(nvm_zalloc(&nvm_type_Piece, Large));
      for (size_t i = 0; i < Large; i++)
        REQUIRE(piece[i] == piece[0] && (piece[i] == 0 || piece[i] == '\xab'));
    });
    ASSERT_TRUE(last.fine()) << "cut at event " << at << ": " << last;
  }
  EXPECT_GT(cuts, 5);
}

INSTANTIATE_TEST_SUITE_P(Of, ZeroedMemory,
                         testing::ValuesIn(enginesThat({&nvm_engine::atomic})),
                         ByParameter());

} // namespace
