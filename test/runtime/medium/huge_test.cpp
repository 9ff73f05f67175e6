//===- huge_test.cpp - pools on pages of 2 MiB ----------------------------===//
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
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

using namespace nvmtest;

namespace {

constexpr size_t Huge = 2 * MiB;
char *bytes;

/// The kernel makes one of what a file in memory has in pages of 4 KiB.
bool collapses(const std::string &file) {
  int fd = open(file.c_str(), O_RDWR | O_CREAT, 0600);
  REQUIRE(fd >= 0 && ftruncate(fd, Huge) == 0);
  auto *all = static_cast<char *>(
      mmap(nullptr, 2 * Huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(all != MAP_FAILED);
  auto *at = reinterpret_cast<char *>(
      (reinterpret_cast<uintptr_t>(all) + Huge - 1) / Huge * Huge);
  REQUIRE(mmap(at, Huge, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
               0) == at);
  *at = 1;
  const bool done = madvise(at, Huge, 25 /* MADV_COLLAPSE */) == 0;
  munmap(all, 2 * Huge);
  close(fd);
  unlink(file.c_str());
  return done;
}

class HugePages : public testing::TestWithParam<const char *> {
protected:
  /// What a run says when it starts; it fills `count` MiB.
  std::string run(const std::string &file, size_t count) {
    Ending e = inChild([&] {
      setenv("NVM_POOL", file.c_str(), 1);
      setenv("NVM_ENGINE", GetParam(), 1);
      setenv("NVM_SIZE", "16M", 1);
      setenv("NVM_MAX_SIZE", "8G", 1);
      nvm_root("bytes", &bytes, sizeof(bytes));
      nvm_start();
      nvm_restore();
      nvm_ready();
      if (count) {
        nvm_begin();
        nvm_store(&bytes, sizeof(bytes));
        bytes = static_cast<char *>(nvm_alloc(&nvm_type_bytes, count * MiB));
        nvm_memset(bytes, 7, count * MiB);
        nvm_end();
      }
      REQUIRE(bytes[0] == 7 && bytes[20 * MiB - 1] == 7);
      nvm_close();
    });
    EXPECT_TRUE(e.fine()) << e;
    return e.text;
  }
  void SetUp() override {
    struct statfs fs;
    ASSERT_EQ(statfs(dir.path.c_str(), &fs), 0);
    if (fs.f_type != TMPFS_MAGIC || !collapses(dir / "try"))
      GTEST_SKIP() << "no file system in memory, or a kernel before 6.1";
  }

  Directory dir;
};

/// Those that a pool has at once, and those that it grows by; a copy gets
/// pages as the file system gives them.
TEST_P(HugePages, AreSaidAtTheStart) {
  run(dir / "pool", 40);
  const std::string start = run(dir / "pool", 0);
  EXPECT_NE(start.find(", tmpfs, 2 MiB pages)"), std::string::npos) << start;
  EXPECT_EQ(system(("cp --sparse=always " + dir.path + "/pool " + dir.path +
                    "/copy && " NVM_POOL_TOOL " info " + dir.path + "/pool > " +
                    dir.path + "/said && " NVM_POOL_TOOL " info " + dir.path +
                    "/copy >> " + dir.path + "/said")
                       .c_str()),
            0);
  const std::string said = readFile(dir / "said");
  EXPECT_NE(said.find("tmpfs, 2 MiB pages: a commit"), std::string::npos)
      << said;
  EXPECT_NE(said.find("tmpfs, 4 KiB pages: a commit"), std::string::npos)
      << said;
}

/// Not checkpoint, which goes to and fro between the arena and its area.
INSTANTIATE_TEST_SUITE_P(Of, HugePages,
                         testing::ValuesIn(enginesThat({&nvm_engine::grows,
                                                        &nvm_engine::hooked})),
                         ByParameter());

} // namespace
