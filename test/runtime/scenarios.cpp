//===- scenarios.cpp - programs that every engine must serve --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "scenarios.h"
#include "beside.h"
#include "btree.h"
#include "faults.h"
#include "logged.h"
#include "moved.h"
#include "nvmove/collect.h"
#include "orphans.h"
#include "space.h"
#include "support.h"
#include "threaded.h"
#include "world.h"
#include <cstring>
#include <random>
#include <string>

NVM_TYPE(Slots);
NVM_TYPE(ListNode);
NVM_TYPE(Buffers);

namespace {
using namespace nvmtest;

//===-- alloc: blocks come, grow, shrink and go ---------------------------===//

constexpr int SlotCount = 48;
struct Slots {
  struct {
    char *block;
    size_t size;
  } slot[SlotCount];
};
Slots *slots;
long slotSteps;

struct SlotOp {
  int slot;
  size_t size; ///< 0: free
  char fill;
};
std::vector<SlotOp> slotOps(long step) {
  std::mt19937 random(static_cast<unsigned>(step) + 1000);
  std::vector<SlotOp> ops(6);
  for (SlotOp &op : ops) {
    static const size_t sizes[] = {8, 24, 100, 700, 3000, 20000, 90000};
    op.slot = int(random() % SlotCount);
    op.size = random() % 4 ? sizes[random() % 7] + random() % 8 : 0;
    op.fill = char('a' + random() % 26);
  }
  return ops;
}

void slotStep() {
  if (!slots)
    slots = static_cast<Slots *>(nvm_zalloc(&nvm_type_Slots, sizeof(Slots)));
  for (const SlotOp &op : slotOps(++slotSteps)) {
    auto &slot = slots->slot[op.slot];
    if (!op.size) {
      nvm_free(slot.block);
      NVM(slot.block) = nullptr;
    } else {
      char *p = static_cast<char *>(
          NVM_ALLOC(bytes, nvm_realloc(slot.block, op.size)));
      REQUIRE(p);
      if (op.size > slot.size)
        nvm_memset(p + slot.size, op.fill, op.size - slot.size);
      NVM(slot.block) = p;
    }
    NVM(slot.size) = op.size;
    nvm_free(nvm_alloc(&nvm_type_bytes, op.size)); // comes and goes
  }
}

void slotCheck(long steps) {
  std::vector<std::string> model(SlotCount);
  for (long k = 1; k <= steps; k++)
    for (const SlotOp &op : slotOps(k))
      model[size_t(op.slot)].resize(op.size, op.fill);
  REQUIRE(slotSteps == steps);
  unsigned long blocks = 0;
  for (int i = 0; slots && i < SlotCount; i++)
    blocks += slots->slot[i].block != nullptr;
  REQUIRE(blocks == pool_blocks("bytes")); // none is lost, none too many
  for (int i = 0; slots && i < SlotCount; i++) {
    const auto &slot = slots->slot[i];
    REQUIRE(slot.size == model[size_t(i)].size());
    REQUIRE(memcmp(slot.block ? slot.block : "", model[size_t(i)].data(),
                   slot.size) == 0);
  }
}

//===-- list: links in the middle -----------------------------------------===//

struct ListNode {
  ListNode *next, *previous;
  int value;
};
ListNode *listHead;
long listSteps;

ListNode *listTail() {
  ListNode *n = listHead;
  while (n && n->next)
    n = n->next;
  return n;
}

void listInsert(ListNode *before, int value) {
  auto *n =
      static_cast<ListNode *>(nvm_alloc(&nvm_type_ListNode, sizeof(ListNode)));
  REQUIRE(n);
  NVM_OBJ(n)->value = value;
  n->next = before;
  n->previous = before ? before->previous : listTail();
  if (n->previous)
    NVM(n->previous->next) = n;
  else
    listHead = n;
  if (before && nvmtest::listForgetsAHook)
    before->previous = n;
  else if (before)
    NVM(before->previous) = n;
}

void listRemove(ListNode *n) {
  if (n->previous)
    NVM(n->previous->next) = n->next;
  else
    listHead = n->next;
  if (n->next)
    NVM(n->next->previous) = n->previous;
  nvm_free(n);
}

void listStep() {
  std::mt19937 random(static_cast<unsigned>(++listSteps) + 2000);
  for (int i = 0; i < 3; i++) {
    ListNode *at = listHead;
    for (unsigned skip = random() % 12; at && skip; skip--)
      at = at->next;
    if (at && random() % 3 == 0)
      listRemove(at);
    else
      listInsert(at, int(random()));
  }
}

void listCheck(long steps) {
  std::vector<int> model;
  for (long k = 1; k <= steps; k++) {
    std::mt19937 random(static_cast<unsigned>(k) + 2000);
    for (int i = 0; i < 3; i++) {
      size_t skip = random() % 12;
      bool end = skip >= model.size();
      auto at = end ? model.end() : model.begin() + long(skip);
      if (!end && random() % 3 == 0)
        model.erase(at);
      else
        model.insert(at, int(random()));
    }
  }
  REQUIRE(listSteps == steps);
  ListNode *previous = nullptr, *n = listHead;
  for (int value : model) {
    REQUIRE(n && n->value == value && n->previous == previous);
    previous = n;
    n = n->next;
  }
  REQUIRE(!n);
}

//===-- strings: edited where they stand ----------------------------------===//

constexpr int BufferCount = 12;
struct Buffers {
  struct {
    unsigned length : 12;
    unsigned flags : 4;
    char text[252];
  } buffer[BufferCount];
};
Buffers *buffers;
long bufferSteps;

struct Edit {
  int buffer;
  unsigned at, cut, flags;
  std::string insert;
};
std::vector<Edit> edits(long step) {
  std::mt19937 random(static_cast<unsigned>(step) + 3000);
  std::vector<Edit> all(5);
  for (Edit &e : all) {
    e.buffer = int(random() % BufferCount);
    e.at = random() % 200;
    e.cut = random() % 40;
    e.flags = random() % 16;
    e.insert = std::string(random() % 30, char('a' + random() % 26));
  }
  return all;
}

void bufferStep() {
  if (!buffers)
    buffers =
        static_cast<Buffers *>(nvm_zalloc(&nvm_type_Buffers, sizeof(Buffers)));
  for (const Edit &e : edits(++bufferSteps)) {
    auto *b = &buffers->buffer[e.buffer];
    unsigned length = b->length, at = std::min(e.at, length);
    unsigned cut = std::min(e.cut, length - at);
    nvm_memmove(b->text + at, b->text + at + cut, length - at - cut);
    length -= cut;
    unsigned added = std::min(unsigned(e.insert.size()), 250u - length);
    nvm_memmove(b->text + at + added, b->text + at, length - at);
    nvm_memcpy(b->text + at, e.insert.data(), added);
    NVM_OBJ(b)->length = (length + added) & 0xfffu;
    NVM_OBJ(b)->flags = e.flags & 15u;
  }
}

void bufferCheck(long steps) {
  std::string text[BufferCount];
  unsigned flags[BufferCount] = {};
  for (long k = 1; k <= steps; k++)
    for (const Edit &e : edits(k)) {
      std::string &t = text[e.buffer];
      size_t at = std::min(size_t(e.at), t.size());
      t.erase(at, e.cut);
      t.insert(at, e.insert.substr(0, 250 - t.size()));
      flags[e.buffer] = e.flags;
    }
  REQUIRE(bufferSteps == steps);
  for (int i = 0; buffers && i < BufferCount; i++) {
    const auto &b = buffers->buffer[i];
    REQUIRE(b.length == text[i].size() && b.flags == flags[i]);
    REQUIRE(memcmp(b.text, text[i].data(), text[i].size()) == 0);
  }
}

//===-- huge: nested sections, many lines, whole pages --------------------===//

long *words, *zeroes;
long hugeSteps;
constexpr long Words = 16384; // 128 KiB, 2048 lines

void hugeStep() {
  long step = ++hugeSteps;
  nvm_begin();
  if (!words)
    words =
        static_cast<long *>(nvm_zalloc(&nvm_type_bytes, Words * sizeof(long)));
  REQUIRE(words);
  for (long i = step % 4; i < Words; i += step % 2 ? 4 : 64)
    NVM(words[i]) += step;
  nvm_begin();
  nvm_free(zeroes);
  nvm_end();
  zeroes = static_cast<long *>(
      nvm_zalloc(&nvm_type_bytes, size_t(70000 + step % 3 * 65536) / 8 * 8));
  REQUIRE(zeroes);
  nvm_end();
  NVM(zeroes[step % 100]) = step;
}

void hugeCheck(long steps) {
  std::vector<long> model(Words);
  for (long k = 1; k <= steps; k++)
    for (long i = k % 4; i < Words; i += k % 2 ? 4 : 64)
      model[size_t(i)] += k;
  REQUIRE(hugeSteps == steps);
  if (!steps)
    return;
  REQUIRE(memcmp(words, model.data(), Words * sizeof(long)) == 0);
  for (long i = 0; i < (70000 + steps % 3 * 65536) / 8; i++)
    REQUIRE(zeroes[i] == (i == steps % 100 ? steps : 0));
}

//===-- the list ----------------------------------------------------------===//

void worldCheck(long steps) {
  Model model;
  while (model.steps < steps)
    model.step();
  requireWorld(model);
}

const std::vector<Scenario> All = {
    {"alloc",
     [] {
       NVM_ROOT(slots);
       NVM_ROOT(slotSteps);
     },
     [] { return slotSteps; }, slotStep, slotCheck},
    {"list",
     [] {
       NVM_ROOT(listHead);
       NVM_ROOT(listSteps);
     },
     [] { return listSteps; }, listStep, listCheck},
    {"table", registerWorld, worldSteps, stepWorld, worldCheck},
    {"btree", registerBTree, bTreeSteps, stepBTree, checkBTree},
    {"strings",
     [] {
       NVM_ROOT(buffers);
       NVM_ROOT(bufferSteps);
     },
     [] { return bufferSteps; }, bufferStep, bufferCheck},
    {"huge",
     [] {
       NVM_ROOT(words);
       NVM_ROOT(zeroes);
       NVM_ROOT(hugeSteps);
     },
     [] { return hugeSteps; }, hugeStep, hugeCheck},
    {"collection", registerOrphans, orphanSteps, stepOrphans, checkOrphans,
     [] { REQUIRE(nvm_collect(nullptr) == 0); }},
    growthScenario(),
    fullScenario(),
    forkScenario(),
    movedScenario(),
    threadsScenario(),
    restartPointsScenario(),
    besideScenario(),
    besidePointsScenario(),
    besideOutputsScenario(),
    loggedScenario(),
};

} // namespace

namespace nvmtest {

bool listForgetsAHook;

const std::vector<Scenario> &scenarios() { return All; }

const Scenario &scenarioNamed(const char *name) {
  for (const Scenario &s : All)
    if (strcmp(s.name, name) == 0)
      return s;
  abort();
}

} // namespace nvmtest
