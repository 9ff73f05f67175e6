//===- locks_test.cpp - critical sections that are sections ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "support.h"
#include <csignal>
#include <ctime>
#include <deque>
#include <pthread.h>
#include <thread>
#include <threads.h>
#include <unistd.h>
#include <vector>

using namespace nvmtest;

NVM_TYPE(tally);

namespace {

struct Tally {
  long first;
  char apart[120];
  long second;
};
Tally *tally;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
mtx_t mtx;
cnd_t cnd;

timespec in(long ms) {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += ms * 1000000;
  t.tv_sec += t.tv_nsec / 1000000000;
  t.tv_nsec %= 1000000000;
  return t;
}

void count(long n = 1) {
  NVM(tally->first) += n;
  NVM(tally->second) += n;
}

/// One way to run a critical section.
struct Way {
  const char *name;
  int (*take)();
  int (*release)();
};

int takeUntil() {
  timespec t = in(60000);
  return nvm_pthread_mutex_timedlock(&mutex, &t);
}
int takeByClock() {
  timespec t = in(60000);
  return nvm_pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &t);
}
int tryAgain() {
  while (nvm_pthread_mutex_trylock(&mutex) != 0)
    sched_yield();
  return 0;
}
int readUntil() {
  timespec t = in(60000);
  return nvm_pthread_rwlock_timedwrlock(&rwlock, &t);
}
int writeByClock() {
  timespec t = in(60000);
  return nvm_pthread_rwlock_clockwrlock(&rwlock, CLOCK_REALTIME, &t);
}
int tryToWrite() {
  while (nvm_pthread_rwlock_trywrlock(&rwlock) != 0)
    sched_yield();
  return 0;
}
int tryToSpin() {
  while (nvm_pthread_spin_trylock(&spin) != 0)
    sched_yield();
  return 0;
}
int mtxUntil() {
  timespec t = in(60000);
  return nvm_mtx_timedlock(&mtx, &t);
}
int tryMtx() {
  while (nvm_mtx_trylock(&mtx) != thrd_success)
    sched_yield();
  return 0;
}
/// A reader changes nothing, and then writes.
int readFirst() {
  if (nvm_pthread_rwlock_rdlock(&rwlock))
    return 1;
  REQUIRE(tally->first == tally->second);
  if (nvm_pthread_rwlock_unlock(&rwlock))
    return 1;
  timespec t = in(60000);
  REQUIRE(nvm_pthread_rwlock_timedrdlock(&rwlock, &t) == 0 &&
          nvm_pthread_rwlock_unlock(&rwlock) == 0);
  REQUIRE(nvm_pthread_rwlock_clockrdlock(&rwlock, CLOCK_REALTIME, &t) == 0 &&
          nvm_pthread_rwlock_unlock(&rwlock) == 0);
  if (nvm_pthread_rwlock_tryrdlock(&rwlock) == 0)
    nvm_pthread_rwlock_unlock(&rwlock);
  return nvm_pthread_rwlock_wrlock(&rwlock);
}

const Way ways[] = {
    {"mutex", [] { return nvm_pthread_mutex_lock(&mutex); },
     [] { return nvm_pthread_mutex_unlock(&mutex); }},
    {"mutex_timed", takeUntil, [] { return nvm_pthread_mutex_unlock(&mutex); }},
    {"mutex_clock", takeByClock,
     [] { return nvm_pthread_mutex_unlock(&mutex); }},
    {"mutex_try", tryAgain, [] { return nvm_pthread_mutex_unlock(&mutex); }},
    {"rwlock", readFirst, [] { return nvm_pthread_rwlock_unlock(&rwlock); }},
    {"rwlock_timed", readUntil,
     [] { return nvm_pthread_rwlock_unlock(&rwlock); }},
    {"rwlock_clock", writeByClock,
     [] { return nvm_pthread_rwlock_unlock(&rwlock); }},
    {"rwlock_try", tryToWrite,
     [] { return nvm_pthread_rwlock_unlock(&rwlock); }},
    {"spin", [] { return nvm_pthread_spin_lock(&spin); },
     [] { return nvm_pthread_spin_unlock(&spin); }},
    {"spin_try", tryToSpin, [] { return nvm_pthread_spin_unlock(&spin); }},
    {"mtx", [] { return nvm_mtx_lock(&mtx); },
     [] { return nvm_mtx_unlock(&mtx); }},
    {"mtx_timed", mtxUntil, [] { return nvm_mtx_unlock(&mtx); }},
    {"mtx_try", tryMtx, [] { return nvm_mtx_unlock(&mtx); }},
};

void start(const std::string &pool) {
  NVM_ROOT(tally);
  openPool(pool, {});
  if (!nvm_restore())
    tally = static_cast<Tally *>(nvm_zalloc(&nvm_type_tally, sizeof(*tally)));
  nvm_ready();
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  mtx_init(&mtx, mtx_timed);
  cnd_init(&cnd);
}
unsigned long sections() {
  nvm_stats s;
  nvm_get_stats(&s);
  return s.sections;
}

class Locks : public testing::Test {
protected:
  void first(const std::function<void()> &body) {
    Ending e = inChild([&] {
      start(pool);
      body();
    });
    EXPECT_TRUE(e.fine() || e.killed()) << e;
  }
  void then(const std::function<void()> &body) {
    Ending e = inChild([&] {
      start(pool);
      body();
    });
    EXPECT_TRUE(e.fine()) << e;
  }
  Directory dir;
  std::string pool = dir / "pool";
};

class EachLock : public Locks, public testing::WithParamInterface<Way> {};

INSTANTIATE_TEST_SUITE_P(Locks, EachLock, testing::ValuesIn(ways),
                         [](const auto &info) { return info.param.name; });

TEST_P(EachLock, KeepsWhatIsChangedWhileItIsHeld) {
  const Way &way = GetParam();
  first([&] {
    unsigned long before = sections();
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
      threads.emplace_back([&] {
        for (int i = 0; i < 300; i++) {
          REQUIRE(way.take() == 0);
          count();
          REQUIRE(way.release() == 0);
        }
      });
    for (auto &thread : threads)
      thread.join();
    REQUIRE(sections() - before == 900);
    REQUIRE(way.take() == 0);
    count();
    raise(SIGKILL);
  });
  then([] { REQUIRE(tally->first == 900 && tally->second == 900); });
}

TEST_F(Locks, NestedOnesAreOneSection) {
  first([] {
    unsigned long before = sections();
    nvm_pthread_mutex_lock(&mutex);
    count();
    nvm_pthread_mutex_lock(&inner);
    count();
    nvm_pthread_mutex_unlock(&mutex);
    REQUIRE(sections() == before);
    count();
    nvm_pthread_mutex_unlock(&inner);
    REQUIRE(sections() == before + 1);
    nvm_pthread_mutex_lock(&mutex);
    count();
    nvm_pthread_mutex_lock(&inner);
    nvm_pthread_mutex_unlock(&inner);
    raise(SIGKILL);
  });
  then([] { REQUIRE(tally->first == 3); });
}

TEST_F(Locks, IsDurableBeforeOthersGetIn) {
  first([] {
    nvm_pthread_mutex_lock(&mutex);
    count();
    std::thread reader([] { // which takes the lock as it is
      pthread_mutex_lock(&mutex);
      REQUIRE(tally->first == 1);
      raise(SIGKILL);
    });
    usleep(20000);
    nvm_pthread_mutex_unlock(&mutex);
    reader.join();
  });
  then([] { REQUIRE(tally->first == 1); });
}

TEST_F(Locks, WhatIsNotTakenIsNoSection) {
  first([] {
    unsigned long before = sections();
    std::thread other([] {
      pthread_mutex_lock(&mutex);
      usleep(100000);
      pthread_mutex_unlock(&mutex);
    });
    usleep(20000);
    timespec t = in(10);
    REQUIRE(nvm_pthread_mutex_trylock(&mutex) == EBUSY);
    REQUIRE(nvm_pthread_mutex_timedlock(&mutex, &t) == ETIMEDOUT);
    other.join();
    nvm_begin();
    count();
    nvm_end();
    REQUIRE(sections() == before + 1);
  });
  then([] { REQUIRE(tally->first == 1); });
}

/// A thread that has a lock of its own waits for its turn, and one whose turn
/// it is waits for that lock.
TEST_F(Locks, WaitsForNeitherWithTheOther) {
  first([] {
    std::thread threads[2];
    for (std::thread &thread : threads)
      thread = std::thread([&thread, &threads] {
        const bool isPlain = &thread == threads;
        for (int i = 0; i < 2000; i++) {
          isPlain ? pthread_mutex_lock(&inner) : nvm_pthread_mutex_lock(&inner);
          if (isPlain)
            nvm_pthread_mutex_lock(&mutex);
          count();
          if (isPlain)
            nvm_pthread_mutex_unlock(&mutex);
          isPlain ? pthread_mutex_unlock(&inner)
                  : nvm_pthread_mutex_unlock(&inner);
        }
      });
    for (std::thread &thread : threads)
      thread.join();
  });
  then([] { REQUIRE(tally->first == 4000 && tally->second == 4000); });
}

TEST_F(Locks, WhoWaitsForAConditionLeavesTheSection) {
  first([] {
    std::deque<int> jobs;
    int waits = 0;
    std::thread worker([&] {
      nvm_pthread_mutex_lock(&mutex);
      for (int done = 0; done < 1000; done++) {
        while (jobs.empty()) {
          waits++;
          timespec t = in(60000);
          REQUIRE((done % 3 == 0 ? nvm_pthread_cond_wait(&condition, &mutex)
                   : done % 3 == 1
                       ? nvm_pthread_cond_timedwait(&condition, &mutex, &t)
                       : nvm_pthread_cond_clockwait(&condition, &mutex,
                                                    CLOCK_REALTIME, &t)) == 0);
        }
        count(jobs.front());
        jobs.pop_front();
      }
      nvm_pthread_mutex_unlock(&mutex);
    });
    for (int i = 0; i < 1000; i++) {
      nvm_pthread_mutex_lock(&mutex);
      jobs.push_back(1);
      count(0);
      pthread_cond_signal(&condition);
      nvm_pthread_mutex_unlock(&mutex);
      if (i % 50 == 0)
        usleep(1000);
    }
    worker.join();
    REQUIRE(waits > 0);
  });
  then([] { REQUIRE(tally->first == 1000 && tally->second == 1000); });
}

TEST_F(Locks, C11ConditionsLeaveItToo) {
  first([] {
    bool isThere = false;
    std::thread worker([&] {
      nvm_mtx_lock(&mtx);
      count();
      while (!isThere)
        REQUIRE(nvm_cnd_wait(&cnd, &mtx) == thrd_success);
      count();
      timespec t = in(10);
      REQUIRE(nvm_cnd_timedwait(&cnd, &mtx, &t) == thrd_timedout);
      nvm_mtx_unlock(&mtx);
    });
    while (!isThere) {
      nvm_mtx_lock(&mtx);
      isThere = tally->first == 1;
      cnd_signal(&cnd);
      nvm_mtx_unlock(&mtx);
    }
    worker.join();
    raise(SIGKILL);
  });
  then([] { REQUIRE(tally->first == 2); });
}

TEST(LocksWithoutPool, AreThoseOfTheLibrary) {
  REQUIRE(nvm_pthread_mutex_lock(&mutex) == 0);
  REQUIRE(pthread_mutex_trylock(&mutex) == EBUSY);
  REQUIRE(nvm_pthread_mutex_unlock(&mutex) == 0);
  REQUIRE(nvm_pthread_mutex_trylock(&mutex) == 0);
  REQUIRE(nvm_pthread_mutex_unlock(&mutex) == 0);
}

} // namespace
