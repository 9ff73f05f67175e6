//===- backup_test.cpp - checkpoints of regions ---------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "nvmove/backup.h"
#include "support.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace nvmtest;

namespace {

struct State {
  std::vector<char> grid = std::vector<char>(5 * MiB + 321);
  long step = 0;
  char *at = nullptr, *none = nullptr;
  void fill(long n) {
    step = n;
    memset(grid.data(), int('a' + n % 26), grid.size());
    at = grid.data() + n % long(grid.size());
  }
  bool is(long n) const {
    for (char c : grid)
      if (c != char('a' + n % 26))
        return false;
    return step == n && at == grid.data() + n % long(grid.size()) && !none;
  }
  nvm_backup *open(const char *path, unsigned threads) {
    nvm_backup *b = nvm_backup_open(path, threads);
    REQUIRE(b);
    REQUIRE(nvm_backup_region(b, "grid", grid.data(), grid.size()) == 0);
    REQUIRE(nvm_backup_region(b, "step", &step, sizeof(step)) == 0);
    REQUIRE(nvm_backup_pointer(b, "at", &at) == 0);
    REQUIRE(nvm_backup_pointer(b, "none", &none) == 0);
    return b;
  }
};

class Backup : public testing::TestWithParam<unsigned> {
protected:
  void run(const std::function<void()> &body) {
    Ending e = inChild(body);
    EXPECT_TRUE(e.fine()) << e;
  }
  unsigned threads() const { return GetParam(); }
  Directory dir;
  std::string path = dir / "state";
};

TEST_P(Backup, ComesBackInAnotherProcessAtOtherAddresses) {
  run([&] {
    State s;
    nvm_backup *b = s.open(path.c_str(), threads());
    REQUIRE(nvm_backup_load(b) == ENOENT);
    for (long n = 1; n <= 5; n++) {
      s.fill(n);
      REQUIRE(nvm_backup_save(b) == 0);
    }
    s.fill(77); // not saved
  });
  run([&] {
    std::vector<char> elsewhere(3 * MiB); // moves the regions
    State s;
    nvm_backup *b = s.open(path.c_str(), threads());
    REQUIRE(nvm_backup_load(b) == 0);
    REQUIRE(s.is(5));
    s.fill(6);
    REQUIRE(nvm_backup_save(b) == 0);
    nvm_backup_close(b);
  });
  run([&] {
    State s;
    nvm_backup *b = s.open(path.c_str(), 1);
    REQUIRE(nvm_backup_load(b) == 0 && s.is(6));
  });
}

TEST_P(Backup, InMemoryTakesBackAStep) {
  run([&] {
    State s;
    nvm_backup *b = s.open(nullptr, threads());
    s.fill(1);
    REQUIRE(nvm_backup_save(b) == 0);
    s.fill(2);
    REQUIRE(nvm_backup_load(b) == 0 && s.is(1));
    nvm_backup_close(b);
  });
}

TEST_P(Backup, ACrashInTheMiddleLeavesTheOneBefore) {
  SharedLong saved;
  for (int round = 0; round < 12; round++) {
    int go[2];
    ASSERT_EQ(pipe(go), 0);
    pid_t child = fork();
    if (child == 0) {
      State s;
      nvm_backup *b = s.open(path.c_str(), threads());
      int error = nvm_backup_load(b);
      REQUIRE(error == (saved.get() ? 0 : ENOENT));
      if (!error)
        REQUIRE(s.step >= saved.get() && s.step <= saved.get() + 1 &&
                s.is(s.step));
      saved.set(s.step);
      REQUIRE(write(go[1], "g", 1) == 1);
      for (;;) {
        s.fill(s.step + 1);
        REQUIRE(nvm_backup_save(b) == 0);
        saved.set(s.step);
      }
    }
    close(go[1]);
    char c;
    ASSERT_EQ(read(go[0], &c, 1), 1) << "round " << round;
    close(go[0]);
    usleep(20000 + 1700 * unsigned(round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  EXPECT_GT(saved.get(), 5);
}

INSTANTIATE_TEST_SUITE_P(Threads, Backup, testing::Values(1u, 3u),
                         ByParameter());

TEST(BackupRefuses, WhatItCannotDo) {
  Directory dir;
  std::string path = dir / "state";
  Ending e = inChild([&] {
    State s;
    REQUIRE(!nvm_backup_open((dir / "no/state").c_str(), 1) && errno == ENOENT);
    REQUIRE(!nvm_backup_open(path.c_str(), 0) && errno == EINVAL);
    nvm_backup *b = s.open(path.c_str(), 2);
    REQUIRE(nvm_backup_region(b, "grid", &s, 8) == EEXIST);
    REQUIRE(nvm_backup_region(b, "empty", &s, 0) == EINVAL);
    REQUIRE(nvm_backup_region(b, std::string(60, 'x').c_str(), &s, 8) ==
            EINVAL);
    char outside;
    s.none = &outside;
    REQUIRE(nvm_backup_save(b) == EFAULT);
    s.none = nullptr;
    s.fill(3);
    REQUIRE(nvm_backup_save(b) == 0);
    nvm_backup *other = nvm_backup_open(path.c_str(), 1);
    REQUIRE(nvm_backup_region(other, "grid", s.grid.data(), 100) == 0);
    REQUIRE(nvm_backup_load(other) == ENOEXEC);
  });
  EXPECT_TRUE(e.fine()) << e;
  std::string bytes = readFile(path);
  patchFile(path, bytes.size() - 5000, "#");
  e = inChild([&] {
    State s;
    REQUIRE(nvm_backup_load(s.open(path.c_str(), 2)) == EINVAL);
    dprintf(2, "%s", nvm_errormsg());
  });
  EXPECT_TRUE(e.fine()) << e;
  EXPECT_NE(e.text.find("region grid of the checkpoint is damaged [backup]"),
            std::string::npos)
      << e;
}

TEST(BackupRefuses, FilesThatAreNotItsOwn) {
  Directory dir;
  auto isRefused = [&](const std::string &path) {
    std::string before = readFile(path);
    Ending e = inChild([&] {
      REQUIRE(!nvm_backup_open(path.c_str(), 1) && errno == EINVAL);
      dprintf(2, "%s", nvm_errormsg());
    });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_NE(e.text.find("[backup-foreign]"), std::string::npos) << e;
    EXPECT_TRUE(readFile(path) == before);
  };
  writeFile(dir / "text", "This is no checkpoint.\n");
  isRefused(dir / "text");
  writeFile(dir / "long", std::string(MiB, 'x'));
  isRefused(dir / "long");
  Ending e = inChild([&] { openPool(dir / "pool", ofSize(16 * MiB)); });
  ASSERT_TRUE(e.fine()) << e;
  isRefused(dir / "pool");
}

/// Nor does a save take the last of it away.
TEST(BackupRefuses, AFileWithoutAWholeHead) {
  for (int saves = 1; saves <= 3; saves++) {
    Directory dir;
    std::string path = dir / "state";
    Ending e = inChild([&] {
      State s;
      nvm_backup *b = s.open(path.c_str(), 1);
      for (int i = 0; i < saves; i++)
        REQUIRE(nvm_backup_save(b) == 0);
    });
    ASSERT_TRUE(e.fine()) << e;
    patchFile(path, 20, "#");
    e = inChild([&] {
      State s;
      REQUIRE(nvm_backup_load(s.open(path.c_str(), 1)) == 0); // the other one
    });
    EXPECT_TRUE(e.fine()) << e;
    patchFile(path, 65536 + 20, "#");
    std::string before = readFile(path);
    e = inChild([&] {
      State s;
      nvm_backup *b = s.open(path.c_str(), 1);
      REQUIRE(nvm_backup_load(b) == EINVAL);
      REQUIRE(nvm_backup_save(b) == EINVAL);
      dprintf(2, "%s", nvm_errormsg());
    });
    EXPECT_TRUE(e.fine()) << e;
    EXPECT_NE(e.text.find("[backup-damaged]"), std::string::npos) << e;
    EXPECT_TRUE(readFile(path) == before);
  }
}

TEST(BackupRefuses, ASecondContextThatSaves) {
  Directory dir;
  std::string path = dir / "state";
  Ending e = inChild([&] {
    State s;
    nvm_backup *first = s.open(path.c_str(), 1);
    nvm_backup *second = s.open(path.c_str(), 1);
    s.fill(1);
    REQUIRE(nvm_backup_save(first) == 0);
    REQUIRE(nvm_backup_load(second) == 0);
    REQUIRE(nvm_backup_save(second) == EBUSY);
    s.fill(2);
    REQUIRE(nvm_backup_save(first) == 0);
    nvm_backup_close(first);
    s.fill(3);
    REQUIRE(nvm_backup_save(second) == 0); // behind the other's
    nvm_backup_close(second);
    REQUIRE(nvm_backup_load(s.open(path.c_str(), 1)) == 0 && s.is(3));
  });
  EXPECT_TRUE(e.fine()) << e;
}

} // namespace
