//===- beside.cpp - scenarios of threads beside each other ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step is a number of sections of two threads, whose schedule follows from
// the number of the step and a seed. Commits come in between, so a crash may
// leave some of its sections: what is checked holds after each of them.
//
//===----------------------------------------------------------------------===//
#include "beside.h"
#include "faults.h"
#include "nvmove/restart.h"
#include "schedule.h"
#include "sim.h"
#include "support.h"
#include <pthread.h>
#include <thread>
#include <vector>

NVM_TYPE(Desk);

namespace nvmtest {

namespace {

constexpr unsigned Workers = 2;
constexpr int Sections = 5;

/// Both threads write to each of these lines.
struct Desk {
  long left[Workers];
  char apart[112];
  long right[Workers];
  long done[Workers]; ///< sections
  long sum[Workers];  ///< of the tickets that the thread has drawn
  char apart2[80];
  long last; ///< ticket
  long *block[Workers];
};
Desk *desk;
long batches;
pthread_mutex_t own[Workers] = {PTHREAD_MUTEX_INITIALIZER,
                                PTHREAD_MUTEX_INITIALIZER};
pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
/// Sections of each thread that a commit has come after.
SharedLong promised[Workers];
unsigned long switches;
bool isCut, leavesEarly, outputsCommit; ///< of this process

/// Another thread may go on between the announcement and the store.
void store(long &where, long value) {
  long &announced = NVM(where);
  schedule_point();
  announced = value;
  schedule_point();
}

struct Worker {
  unsigned self, state;
  bool hasPoints, saysSo;

  unsigned draw(unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  }
  void lock(pthread_mutex_t *m) const {
    if (hasPoints)
      pthread_mutex_lock(m);
    else
      REQUIRE(nvm_pthread_mutex_lock(m) == 0);
  }
  void unlock(pthread_mutex_t *m) const {
    if (hasPoints)
      pthread_mutex_unlock(m);
    else
      REQUIRE(nvm_pthread_mutex_unlock(m) == 0);
  }

  void halves() {
    long n = desk->left[self] + 1;
    store(desk->left[self], n);
    store(desk->right[self], n);
  }
  void renew() {
    long n = desk->left[self];
    long *fresh =
        static_cast<long *>(nvm_alloc(&nvm_type_bytes, size_t(16 + draw(300))));
    NVM(fresh[0]) = n;
    schedule_point();
    NVM(fresh[1]) = n;
    nvm_free(desk->block[self]);
    NVM(desk->block[self]) = fresh;
  }
  /// The other thread may draw the next one, and end its section, while this
  /// one has not written down its own.
  void ticket() {
    lock(&common);
    long n = desk->last + 1;
    store(desk->last, n);
    unlock(&common);
    if (leavesEarly)
      leave_early();
    schedule_point();
    store(desk->sum[self], desk->sum[self] + n);
  }
  void section() {
    lock(&own[self]);
    switch (draw(4)) {
    case 0:
      halves();
      break;
    case 1:
      halves();
      renew();
      break;
    case 2:
      halves();
      ticket();
      break;
    default:
      ticket();
    }
    store(desk->done[self], desk->done[self] + 1);
    unlock(&own[self]);
  }
  /// What the program has begun itself, with sections of locks in it, and an
  /// answer in between.
  void handler() {
    nvm_begin();
    long n = desk->left[self] + 1;
    store(desk->left[self], n);
    ticket();
    store(desk->right[self], n);
    if (saysSo)
      nvm_output();
    n++;
    store(desk->left[self], n);
    ticket();
    store(desk->right[self], n);
    store(desk->done[self], desk->done[self] + 1);
    nvm_end();
  }
  void commit() {
    if (saysSo && outputsCommit)
      nvm_output();
    else
      nvm_checkpoint(); // between restart points, when the other is at one
    if (isCut)
      promised[self].set(desk->done[self]);
  }
  void run() {
    if (hasPoints)
      nvm_thread_enter();
    for (int i = 0; i < Sections; i++) {
      if (!hasPoints && draw(4) == 0)
        handler();
      else
        section();
      if (draw(3) == 0)
        commit();
      else if (hasPoints)
        nvm_restart_point();
    }
    if (hasPoints)
      nvm_thread_leave();
  }
};

void step(bool hasPoints, bool saysSo) {
  if (saysSo)
    nvm_commit_at_output();
  nvm_begin();
  if (!desk)
    desk = static_cast<Desk *>(nvm_zalloc(&nvm_type_Desk, sizeof(Desk)));
  unsigned number = unsigned(++batches);
  nvm_end();
  schedule_begin(sim_seed() + number, Workers);
  std::vector<std::thread> threads;
  for (unsigned self = 0; self < Workers; self++)
    threads.emplace_back([=] {
      schedule_join(self);
      Worker{self, number * Workers + self, hasPoints, saysSo}.run();
      schedule_leave();
    });
  for (std::thread &t : threads)
    t.join();
  switches += schedule_switches();
}

void check(long steps) {
  REQUIRE(batches == steps);
  if (!desk)
    return;
  long all = 0;
  for (unsigned i = 0; i < Workers; i++) {
    REQUIRE(desk->left[i] == desk->right[i]);
    REQUIRE(desk->done[i] >= promised[i].get());
    REQUIRE(desk->done[i] <= steps * Sections);
    if (desk->block[i])
      REQUIRE(desk->block[i][0] == desk->block[i][1] &&
              desk->block[i][0] <= desk->left[i]);
    all += desk->sum[i];
  }
  REQUIRE(all == desk->last * (desk->last + 1) / 2);
}

Scenario scenario(const char *name) {
  Scenario s = {name,
                [] {
                  NVM_ROOT(desk);
                  NVM_ROOT(batches);
                },
                [] { return batches; }, [] { step(false, false); }, check};
  s.ownSections = true;
  return s;
}

} // namespace

Scenario besideScenario() { return scenario("beside"); }

Scenario besidePointsScenario() {
  Scenario s = scenario("besidePoints");
  s.step = [] { step(true, false); };
  s.restartPoints = true;
  return s;
}

Scenario besideOutputsScenario() {
  Scenario s = scenario("besideOutputs");
  s.step = [] { step(false, true); };
  return s;
}

void besideIsCut(bool early, bool atOutput) {
  isCut = true;
  leavesEarly = early;
  outputsCommit = atOutput;
  for (SharedLong &p : promised)
    p.set(0);
}

unsigned long besideSwitches() { return switches; }

} // namespace nvmtest
