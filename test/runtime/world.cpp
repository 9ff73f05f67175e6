//===- world.cpp - a small program in the heap, and its model -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "world.h"
#include "support.h"
#include <cstring>
#include <random>

namespace {
struct Node {
  Node *next, *previous;
  int value;
};
struct Entry {
  Entry *next;
  char *key, *value;
};
struct Table {
  Entry **bucket;
  unsigned long size, used;
};
} // namespace

NVM_TYPE(Node);
NVM_TYPE(Entry);
NVM_TYPE(Table);

namespace {
Node *first, *last;
Table *table;
char *text, *large;
long largeBytes, steps;

template <typename T> T *make(nvm_type *type) {
  return static_cast<T *>(nvm_zalloc(type, sizeof(T)));
}

unsigned long hash(const char *key) {
  unsigned long h = 5381;
  for (; *key; key++)
    h = h * 33 + static_cast<unsigned char>(*key);
  return h;
}

void pushNode(int value) {
  Node *n = make<Node>(&nvm_type_Node);
  REQUIRE(n);
  NVM_OBJ(n)->value = value;
  n->previous = last;
  if (last)
    NVM(last->next) = n;
  else
    first = n;
  last = n;
}

void popNode() {
  Node *n = first;
  first = n->next;
  if (first)
    NVM(first->previous) = nullptr;
  else
    last = nullptr;
  nvm_free(n);
}

void growTable() {
  unsigned long size = table->size ? 2 * table->size : 4;
  auto **bucket = static_cast<Entry **>(
      nvm_zalloc(&nvm_type_bytes, size * sizeof(Entry *)));
  REQUIRE(bucket);
  for (unsigned long i = 0; i < table->size; i++)
    for (Entry *e = table->bucket[i], *next; e; e = next) {
      next = e->next;
      Entry **slot = &bucket[hash(e->key) % size];
      NVM(e->next) = *slot;
      NVM(*slot) = e;
    }
  nvm_free(table->bucket);
  NVM(table->bucket) = bucket;
  NVM(table->size) = size;
}

Entry **findEntry(const char *key) {
  Entry **slot = &table->bucket[hash(key) % table->size];
  while (*slot && strcmp((*slot)->key, key) != 0)
    slot = &(*slot)->next;
  return slot;
}

char *copyText(const std::string &s) {
  return NVM_ALLOC(bytes, nvm_strdup(s.c_str()));
}

void setEntry(const std::string &key, const std::string &value) {
  if (!table)
    table = make<Table>(&nvm_type_Table);
  if (table->used >= table->size)
    growTable();
  Entry **slot = findEntry(key.c_str());
  if (*slot) {
    nvm_free((*slot)->value);
    NVM((*slot)->value) = copyText(value);
    return;
  }
  Entry *e = make<Entry>(&nvm_type_Entry);
  NVM_OBJ(e)->key = copyText(key);
  e->value = copyText(value);
  NVM(*slot) = e;
  NVM(table->used)++;
}

void removeEntry(const std::string &key) {
  if (!table)
    return;
  Entry **slot = findEntry(key.c_str()), *e = *slot;
  if (!e)
    return;
  NVM(*slot) = e->next;
  NVM(table->used)--;
  nvm_free(e->key);
  nvm_free(e->value);
  nvm_free(e);
}

/// What one step does; led through by the world and by the model alike.
struct Plan {
  int push, pops;
  std::string set, value, removed, appended;
  size_t cut;
  size_t largeBytes; ///< 0: leave it
  char fill;
  explicit Plan(long step) {
    std::mt19937 random(static_cast<unsigned>(step));
    push = int(random());
    pops = random() % 3 == 0 ? 2 : 0;
    set = "key" + std::to_string(random() % 60);
    value = std::string(random() % 200, char('a' + random() % 26));
    removed = "key" + std::to_string(random() % 60);
    appended = std::string(random() % 90, char('A' + random() % 26));
    cut = random() % 4 == 0 ? random() % 300 : 0;
    largeBytes = random() % 5 == 0 ? 1000 + random() % 150000 : 0;
    fill = char('0' + random() % 10);
  }
};
} // namespace

namespace nvmtest {

void Model::step() {
  Plan plan(++steps);
  list.push_back(plan.push);
  for (int i = 0; i < plan.pops && !list.empty(); i++)
    list.pop_front();
  table[plan.set] = plan.value;
  table.erase(plan.removed);
  text += plan.appended;
  text.erase(0, plan.cut);
  if (plan.largeBytes)
    large.resize(plan.largeBytes, plan.fill);
}

void registerWorld() {
  NVM_ROOT(first);
  NVM_ROOT(last);
  NVM_ROOT(table);
  NVM_ROOT(text);
  NVM_ROOT(large);
  NVM_ROOT(largeBytes);
  NVM_ROOT(steps);
}

void stepWorld() {
  Plan plan(++steps);
  pushNode(plan.push);
  for (int i = 0; i < plan.pops && first; i++)
    popNode();
  setEntry(plan.set, plan.value);
  removeEntry(plan.removed);
  size_t length = text ? strlen(text) : 0;
  text = static_cast<char *>(
      NVM_ALLOC(bytes, nvm_realloc(text, length + plan.appended.size() + 1)));
  REQUIRE(text);
  if (!length)
    NVM(text[0]) = 0;
  nvm_strcat(text, plan.appended.c_str());
  length = strlen(text);
  size_t cut = std::min(plan.cut, length);
  nvm_memmove(text, text + cut, length - cut + 1);
  if (plan.largeBytes) {
    large = static_cast<char *>(
        NVM_ALLOC(bytes, nvm_realloc(large, plan.largeBytes)));
    REQUIRE(large);
    if (long(plan.largeBytes) > largeBytes)
      nvm_memset(large + largeBytes, plan.fill,
                 plan.largeBytes - size_t(largeBytes));
    largeBytes = long(plan.largeBytes);
  }
}

long worldSteps() { return steps; }

void requireWorld(const Model &model) {
  REQUIRE(steps == model.steps);
  Node *n = first, *previous = nullptr;
  for (int value : model.list) {
    REQUIRE(n && n->value == value && n->previous == previous);
    previous = n;
    n = n->next;
  }
  REQUIRE(!n && last == previous);
  unsigned long found = 0;
  for (unsigned long i = 0; table && i < table->size; i++)
    for (Entry *e = table->bucket[i]; e; e = e->next, found++) {
      auto at = model.table.find(e->key);
      REQUIRE(at != model.table.end() && at->second == e->value);
    }
  REQUIRE(found == model.table.size() && (!table || table->used == found));
  REQUIRE(model.text == (text ? text : ""));
  REQUIRE(model.large == std::string(large ? large : "", size_t(largeBytes)));
}

} // namespace nvmtest
