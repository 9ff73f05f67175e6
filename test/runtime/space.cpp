//===- space.cpp - scenarios of growth, a full pool and forks -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "space.h"
#include "support.h"
#include <sys/wait.h>
#include <unistd.h>

NVM_TYPE(Part);
NVM_TYPE(Chests);
NVM_TYPE(Leaf);

namespace {
using namespace nvmtest;

//===-- growth: more than the pool has at first ---------------------------===//

constexpr size_t PartBytes = 1300000;
struct Part {
  Part *next;
  long step, unused[PartBytes / 8 - 4], last;
};
Part *parts;
long growthSteps;

void growthStep() {
  auto *p = static_cast<Part *>(nvm_alloc(&nvm_type_Part, sizeof(Part)));
  REQUIRE(p);
  NVM(p->step) = ++growthSteps;
  NVM(p->last) = growthSteps;
  NVM(p->next) = parts;
  parts = p;
  if (growthSteps % 5 == 0) { // and its pages are used again
    Part *second = parts->next;
    NVM(parts->next) = second->next;
    nvm_free(second);
  }
}

void growthCheck(long steps) {
  REQUIRE(growthSteps == steps);
  Part *p = parts;
  for (long k = steps; k > 0; k--)
    if (k % 5 != 4 || k + 1 > steps) {
      REQUIRE(p && p->step == k && p->last == k);
      p = p->next;
    }
  REQUIRE(!p);
}

//===-- full: out of space, and on ----------------------------------------===//

constexpr int ChestCount = 40;
constexpr long ChestBytes = 700000;
struct Chests {
  struct {
    long *block, step;
  } chest[ChestCount];
};
Chests *chests;
long chestSteps;

/// True: there was room.
bool fillChest(long *&block, long &step) {
  auto *p = static_cast<long *>(nvm_alloc(&nvm_type_bytes, ChestBytes));
  if (!p)
    return false;
  NVM(p[0]) = chestSteps;
  NVM(p[ChestBytes / 8 - 1]) = chestSteps;
  NVM(block) = p;
  NVM(step) = chestSteps;
  return true;
}

void chestStep() {
  chestSteps++;
  if (!chests)
    chests =
        static_cast<Chests *>(nvm_zalloc(&nvm_type_Chests, sizeof(Chests)));
  REQUIRE(chests);
  for (int i = 0; i < 3; i++) {
    auto &chest = chests->chest[(chestSteps * 7 + i * 3) % ChestCount];
    nvm_free(chest.block);
    NVM(chest.block) = nullptr;
  }
  bool full = false;
  for (auto &chest : chests->chest)
    full = full || (!chest.block && !fillChest(chest.block, chest.step));
  REQUIRE(full);
  // What is small may still find room, and does not have to.
  nvm_free(nvm_alloc(&nvm_type_bytes, 100));
}

void chestCheck(long steps) {
  REQUIRE(chestSteps == steps && (!steps || chests));
  int held = 0;
  for (int i = 0; chests && i < ChestCount; i++) {
    const auto &chest = chests->chest[i];
    if (!chest.block)
      continue;
    held++;
    REQUIRE(chest.step > 0 && chest.step <= steps);
    REQUIRE(chest.block[0] == chest.step);
    REQUIRE(chest.block[ChestBytes / 8 - 1] == chest.step);
  }
  REQUIRE(!steps || held);
}

//===-- fork: a child looks on, also during the load ----------------------===//

struct Leaf {
  Leaf *next;
  long value;
};
Leaf *leaves;
long forkSteps;

void forkCheck(long steps) {
  REQUIRE(forkSteps == steps);
  Leaf *l = leaves;
  for (long k = steps; k > 0; k--, l = l->next)
    REQUIRE(l && l->value == k * k);
  REQUIRE(!l);
}

/// Nothing of this reaches the pool.
[[noreturn]] void forkedChild(long steps) {
  forkCheck(steps);
  for (Leaf *l = leaves; l; l = l->next)
    NVM(l->value) = -1;
  for (int i = 0; i < 40; i++)
    REQUIRE(nvm_zalloc(&nvm_type_bytes, 20000));
  nvm_free(leaves);
  _exit(0);
}

void forkStep() {
  int status;
  pid_t child = forkSteps % 3 == 1 ? fork() : -1;
  if (child == 0)
    forkedChild(forkSteps);
  auto *l = static_cast<Leaf *>(nvm_alloc(&nvm_type_Leaf, sizeof(Leaf)));
  REQUIRE(l);
  long step = ++forkSteps;
  NVM(l->value) = step * step;
  NVM(l->next) = leaves;
  leaves = l;
  if (child > 0)
    REQUIRE(waitpid(child, &status, 0) == child && status == 0);
}

} // namespace

namespace nvmtest {

Scenario growthScenario() {
  return {"growth",
          [] {
            NVM_ROOT(parts);
            NVM_ROOT(growthSteps);
          },
          [] { return growthSteps; },
          growthStep,
          growthCheck,
          [] {},
          72 * MiB};
}

Scenario fullScenario() {
  return {"full",
          [] {
            NVM_ROOT(chests);
            NVM_ROOT(chestSteps);
          },
          [] { return chestSteps; }, chestStep, chestCheck};
}

Scenario forkScenario() {
  return {"fork",
          [] {
            NVM_ROOT(leaves);
            NVM_ROOT(forkSteps);
          },
          [] { return forkSteps; }, forkStep, forkCheck};
}

} // namespace nvmtest
