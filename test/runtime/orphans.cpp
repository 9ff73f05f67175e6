//===- orphans.cpp - what a crash orphans is collected --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "orphans.h"
#include "support.h"
#include <cstring>
#include <random>
#include <unistd.h>

extern "C" bool nvmi_collect_is_marked(void);

NVM_TYPE(SharedText);

namespace nvmtest {

namespace {

struct SharedText {
  int count;
  char text[28];
};
constexpr int SlotCount = 24, GarbagePerStep = 30;

SharedText *shelf[SlotCount]; // a root as a whole
long steps;

struct Operation {
  int slots[3];     ///< that get the new object; others lose theirs
  int empty;        ///< slot that loses its object
  bool heldBesides; ///< by a variable, too, for ever
};

Operation operationOf(long step) {
  std::mt19937 random(static_cast<unsigned>(step) + 7000);
  Operation o;
  for (int &slot : o.slots)
    slot = int(random() % SlotCount);
  o.empty = int(random() % SlotCount);
  o.heldBesides = random() % 2;
  return o;
}

SharedText *make(long number) {
  auto *s = static_cast<SharedText *>(
      nvm_alloc(&nvm_type_SharedText, sizeof(SharedText)));
  REQUIRE(s);
  NVM_OBJ(s)->count = 1;
  snprintf(s->text, sizeof(s->text), "object %ld", number);
  return s;
}

void release(SharedText *s) {
  if (s && --NVM(s->count) == 0) {
    nvm_memset(s, 0x77, sizeof(*s));
    nvm_free(s);
  }
}

void put(int slot, SharedText *s) {
  release(shelf[slot]);
  shelf[slot] = s;
  if (s)
    NVM(s->count)++;
}

} // namespace

void registerOrphans() {
  static const nvm_field fields[] = {NVM_COUNT(SharedText, count),
                                     NVM_FIELD(SharedText, text)};
  nvm_layout(&nvm_type_SharedText, sizeof(SharedText), fields, 2);
  NVM_ROOT(shelf);
  NVM_ROOT(steps);
}

long orphanSteps() { return steps; }

void stepOrphans() {
  while (!nvmi_collect_is_marked())
    usleep(100); // so that every section ends with a slice of the collection
  Operation o = operationOf(++steps);
  SharedText *s = make(steps);
  for (int slot : o.slots)
    put(slot, s);
  put(o.empty, nullptr);
  if (!o.heldBesides)
    release(s);
  for (int i = 0; i < GarbagePerStep; i++)
    make(-steps);
}

void checkOrphans(long wanted) {
  long model[SlotCount] = {};
  for (long k = 1; k <= wanted; k++) {
    Operation o = operationOf(k);
    for (int slot : o.slots)
      model[slot] = k;
    model[o.empty] = 0;
  }
  REQUIRE(steps == wanted);
  for (int i = 0; i < SlotCount; i++) {
    if (!model[i]) {
      REQUIRE(!shelf[i]);
      continue;
    }
    REQUIRE(shelf[i]);
    REQUIRE(std::string(shelf[i]->text) ==
            "object " + std::to_string(model[i]));
    int holders = 0;
    for (int k = 0; k < SlotCount; k++) {
      REQUIRE((shelf[k] == shelf[i]) == (model[k] == model[i]));
      holders += shelf[k] == shelf[i];
    }
    bool besides = operationOf(model[i]).heldBesides;
    REQUIRE(shelf[i]->count >= holders);
    REQUIRE(shelf[i]->count <= holders + besides);
  }
}

} // namespace nvmtest
