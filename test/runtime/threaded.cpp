//===- threaded.cpp - scenarios of several threads ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each step has its own threads. They never call the runtime at once, since the
// simulated medium serves one thread at a time: the lock of the program sees to
// that. What they leave depends on the step alone.
//
//===----------------------------------------------------------------------===//
#include "threaded.h"
#include "nvmove/restart.h"
#include "support.h"
#include <barrier>
#include <mutex>
#include <thread>

NVM_TYPE(Parcel);
NVM_TYPE(Halves);

namespace nvmtest {
namespace {

constexpr int Workers = 3;

void runAll(const std::function<void(int)> &work) {
  std::vector<std::thread> threads;
  for (int self = 0; self < Workers; self++)
    threads.emplace_back(work, self);
  for (std::thread &t : threads)
    t.join();
}

//===-- threads: sections under a lock ------------------------------------===//

struct Parcel {
  Parcel *next;
  long number, text[20];
};
Parcel *parcels;
long parcelSteps;
std::mutex program;

/// In a section, by one thread; the blocks stem from others.
void handOn(Parcel *made) {
  nvm_begin();
  long k = ++parcelSteps;
  *NVM_OBJ(made) = {parcels, k, {}};
  for (long i = 0; i < 20; i++)
    NVM(made->text[i]) = k * i;
  parcels = made;
  if (k % 4 == 0) {
    Parcel *old = parcels->next;
    NVM(parcels->next) = old->next;
    nvm_free(old);
  }
  nvm_end();
}

void stepParcels() {
  Parcel *made = nullptr;
  long k = parcelSteps + 1;
  runAll([&](int self) {
    std::lock_guard<std::mutex> guard(program);
    void *noise = nvm_alloc(&nvm_type_bytes, size_t(100 + 900 * self));
    if (!made)
      made = static_cast<Parcel *>(nvm_alloc(&nvm_type_Parcel, sizeof(Parcel)));
    if (self == k % Workers)
      handOn(made);
    nvm_free(noise);
  });
}

void checkParcels(long steps) {
  std::vector<long> model;
  for (long k = 1; k <= steps; k++) {
    if (k % 4 == 0)
      model.pop_back();
    model.push_back(k);
  }
  REQUIRE(parcelSteps == steps);
  const Parcel *p = parcels;
  for (; !model.empty(); model.pop_back(), p = p->next) {
    REQUIRE(p && p->number == model.back());
    for (long i = 0; i < 20; i++)
      REQUIRE(p->text[i] == p->number * i);
  }
  REQUIRE(!p);
}

//===-- restart: points at which nothing is half made ---------------------===//

struct Halves {
  long left;
  char apart[120];
  long right;
  long *block; ///< comes with each step
};
Halves *halves;
long restartSteps;

void update(Halves &h, long k) {
  NVM(h.left) = k;
  nvm_free(h.block);
  NVM(h.block) = static_cast<long *>(
      nvm_zalloc(&nvm_type_bytes, size_t(80 + k % 7 * 200)));
  NVM(h.block[3]) = k;
  NVM(h.right) = k;
}

void stepRestart() {
  if (!halves)
    halves = static_cast<Halves *>(
        nvm_zalloc(&nvm_type_Halves, Workers * sizeof(Halves)));
  long k = restartSteps + 1;
  std::barrier all(Workers);
  runAll([&](int self) {
    nvm_thread_enter();
    all.arrive_and_wait(); // from here on nothing is whole
    {
      std::lock_guard<std::mutex> guard(program);
      restartSteps = k;
      update(halves[self], k);
    }
    all.arrive_and_wait();
    nvm_restart_point();
    nvm_thread_leave();
  });
}

void checkRestart(long steps) {
  REQUIRE(restartSteps == steps);
  for (int i = 0; steps && i < Workers; i++) {
    const Halves &h = halves[i];
    REQUIRE(h.left == steps && h.right == steps && h.block[3] == steps);
  }
}

} // namespace

Scenario threadsScenario() {
  Scenario s = {"threads",
                [] {
                  NVM_ROOT(parcels);
                  NVM_ROOT(parcelSteps);
                },
                [] { return parcelSteps; }, stepParcels, checkParcels};
  s.ownSections = true;
  return s;
}

Scenario restartPointsScenario() {
  Scenario s = {"restart",
                [] {
                  NVM_ROOT(halves);
                  NVM_ROOT(restartSteps);
                },
                [] { return restartSteps; }, stepRestart, checkRestart};
  s.ownSections = s.restartPoints = true;
  return s;
}

} // namespace nvmtest
