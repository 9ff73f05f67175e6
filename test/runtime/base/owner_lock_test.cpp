//===- owner_lock_test.cpp - a lock that mostly one thread takes ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

extern "C" {
#include "base/owner_lock.h"
}
#include <atomic>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

TEST(OwnerLock, IsNoMutexWhileOneThreadTakesIt) {
  struct nvmi_owner_lock lock = NVMI_OWNER_LOCK_INITIALIZER;
  for (int i = 0; i < 3; ++i) {
    nvmi_owner_lock(&lock);
    EXPECT_EQ(pthread_mutex_trylock(&lock.mutex), 0)
        << "the mutex is not needed";
    pthread_mutex_unlock(&lock.mutex);
    nvmi_owner_unlock(&lock);
  }
  EXPECT_FALSE(lock.is_shared);
}

// The second thread comes at some moment of the first one's loop, again and
// again with a new lock: each counts what it finds, and no count may be lost.
TEST(OwnerLock, LetsOneThreadInWhenASecondComes) {
  for (int round = 0; round < 400; ++round) {
    struct nvmi_owner_lock lock = NVMI_OWNER_LOCK_INITIALIZER;
    unsigned count = 0;
    std::atomic<bool> goes{false}, done{false};
    unsigned mine = 0;
    std::thread owner([&] {
      while (!done || mine < 1000) {
        nvmi_owner_lock(&lock);
        ++count;
        nvmi_owner_unlock(&lock);
        ++mine;
        goes = true;
      }
    });
    while (!goes)
      std::this_thread::yield();
    for (int i = 0; i < 200; ++i) {
      nvmi_owner_lock(&lock);
      ++count;
      nvmi_owner_unlock(&lock);
    }
    done = true;
    owner.join();
    EXPECT_EQ(count, mine + 200);
    EXPECT_TRUE(lock.is_shared);
  }
}

TEST(OwnerLock, IsTriedWithoutWaiting) {
  struct nvmi_owner_lock lock = NVMI_OWNER_LOCK_INITIALIZER;
  nvmi_owner_lock(&lock);
  nvmi_owner_unlock(&lock);
  EXPECT_TRUE(nvmi_owner_trylock(&lock));
  nvmi_owner_unlock(&lock);
  std::thread([&] {
    EXPECT_TRUE(nvmi_owner_trylock(&lock));
    std::thread([&] { EXPECT_FALSE(nvmi_owner_trylock(&lock)); }).join();
    nvmi_owner_unlock(&lock);
  }).join();
  std::atomic<bool> taken{false}, tried{false};
  std::thread other([&] {
    nvmi_owner_lock(&lock);
    taken = true;
    while (!tried)
      std::this_thread::yield();
    nvmi_owner_unlock(&lock);
  });
  while (!taken)
    std::this_thread::yield();
  EXPECT_FALSE(nvmi_owner_trylock(&lock)) << "nor by its owner of once";
  tried = true;
  other.join();
}

// Who has one lock may try another whose owner waits for the first.
TEST(OwnerLock, IsTriedWithoutWaitingForItsOwner) {
  struct nvmi_owner_lock lock = NVMI_OWNER_LOCK_INITIALIZER;
  nvmi_owner_lock(&lock);
  std::thread([&] { EXPECT_FALSE(nvmi_owner_trylock(&lock)); }).join();
  std::atomic<bool> taken{false};
  std::thread other([&] {
    nvmi_owner_lock(&lock);
    taken = true;
    nvmi_owner_unlock(&lock);
  });
  usleep(10000);
  EXPECT_FALSE(taken) << "its owner is still inside";
  nvmi_owner_unlock(&lock);
  other.join();
  EXPECT_TRUE(taken);
  EXPECT_TRUE(nvmi_owner_trylock(&lock));
  nvmi_owner_unlock(&lock);
}

TEST(OwnerLock, BelongsToNobodyInAForkedChild) {
  struct nvmi_owner_lock lock = NVMI_OWNER_LOCK_INITIALIZER;
  std::thread([&] {
    nvmi_owner_lock(&lock);
  }).join(); // which a child never sees released
  pid_t child = fork();
  if (child == 0) {
    nvmi_owner_lock_in_child(&lock);
    nvmi_owner_lock(&lock);
    nvmi_owner_unlock(&lock);
    std::thread([&] {
      nvmi_owner_lock(&lock);
      nvmi_owner_unlock(&lock);
    }).join();
    _exit(lock.is_shared ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

} // namespace
