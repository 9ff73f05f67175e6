//===- logged.cpp - a scenario of records with line logs ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "logged.h"
#include "faults.h"
#include "support.h"
#include <cstring>
#include <random>

namespace {
struct LoggedItem {
  long count;
  int left, right;
  char name[16];
  NVM_LINE_LOG_64(32);
};
struct LoggedPair {
  long value, other;
  NVM_LINE_LOG_32(16);
};
static_assert(sizeof(LoggedItem) == 64 && sizeof(LoggedPair) == 32);
} // namespace

NVM_TYPE(LoggedItem);
NVM_TYPE(LoggedPair);

namespace {
using namespace nvmtest;

constexpr unsigned Items = 40, Ops = 24;
LoggedItem **items;
LoggedPair *pairs;
long pairCount, loggedSteps;

struct Op {
  unsigned kind, item, pair;
  long value;
};

/// The state without a pool, and what it is compared with.
struct ItemModel {
  bool there = false;
  long count = 0;
  int left = 0, right = 0;
  char name[16] = {};
};
struct PairModel {
  long value = 0, other = 0;
};

std::vector<Op> opsOf(long step) {
  std::mt19937 random(static_cast<unsigned>(step) + 5000);
  std::vector<Op> all(Ops);
  for (Op &op : all)
    op = {unsigned(random() % 16), unsigned(random() % Items),
          unsigned(random() % 256), long(random())};
  return all;
}

void setName(char *name, long value) {
  snprintf(name, 16, "n%010ld", value % 1000000000);
}

/// What a record brings along that stood elsewhere: it looks like a copy that
/// an epoch to come has made.
template <typename Record>
void forge(Record &record, const void *place, long value) {
  unsigned long epoch = pool_epoch() + 1 + unsigned(value % 3);
  unsigned long *end = std::end(record.nvm_line_log);
  end[-2] = loggedForgesKeys ? pool_log_tag(place, epoch, 0)
                             : epoch << 3 | unsigned(value / 8 % 2);
  end[-1] = 0x5a5a5a5a;
}

LoggedItem *make(unsigned i, long value) {
  auto *item = static_cast<LoggedItem *>(
      nvm_alloc(&nvm_type_LoggedItem, sizeof(LoggedItem)));
  REQUIRE(item);
  LoggedItem made = {};
  made.count = value;
  forge(made, item, value);
  *NVM_OBJ(item) = made;
  NVM(items[i]) = item;
  return item;
}

void resize(long count, long value) {
  pairs = static_cast<LoggedPair *>(NVM_ALLOC(
      LoggedPair, nvm_realloc(pairs, size_t(count) * sizeof(*pairs))));
  REQUIRE(pairs);
  for (long k = pairCount; k < count; k++) {
    LoggedPair made = {};
    made.value = made.other = value + k;
    forge(made, &pairs[k], value);
    *NVM_OBJ(&pairs[k]) = made;
  }
  pairCount = count;
}

void changeItem(const Op &op) {
  LoggedItem *item = items[op.item];
  const LoggedItem *peer = items[(op.item + op.pair) % Items];
  switch (op.kind) {
  case 0:
  case 1:
  case 2:
    NVM(item->count) += op.value;
    break;
  case 3:
    NVM(item->left) = int(op.value);
    break;
  case 4:
    NVM(item->right) = int(op.value);
    NVM(item->left) ^= 1;
    break;
  case 5: // two words
    NVM(item->count)++;
    NVM(item->right)++;
    break;
  case 6:
    setName(static_cast<char *>(nvm_store(item->name, 16)), op.value);
    break;
  case 7:
    if (peer) {
      LoggedItem copy = *peer;
      copy.right = int(op.value);
      forge(copy, item, op.value);
      *NVM_OBJ(item) = copy;
    }
    break;
  default: // goes and comes
    nvm_free(item);
    NVM(items[op.item]) = nullptr;
    if (op.kind == 9)
      make(op.item, op.value);
  }
}

void loggedStep() {
  if (!items) {
    items = static_cast<LoggedItem **>(
        nvm_zalloc(&nvm_type_bytes, Items * sizeof(LoggedItem *)));
    resize(8, 7);
  }
  for (const Op &op : opsOf(++loggedSteps)) {
    LoggedPair &pair = pairs[op.pair % size_t(pairCount)];
    if (op.kind == 10)
      resize(8 + op.value % 120, op.value);
    else if (op.kind >= 14)
      NVM(pair.other) = op.value;
    else if (op.kind >= 11)
      NVM(pair.value) += op.value;
    else if (items[op.item])
      changeItem(op);
    else
      make(op.item, op.value);
  }
}

void changeModel(std::vector<ItemModel> &model, const Op &op) {
  ItemModel &item = model[op.item];
  const ItemModel &peer = model[(op.item + op.pair) % Items];
  if (!item.there) {
    item = {};
    item.there = true;
    item.count = op.value;
    return;
  }
  switch (op.kind) {
  case 0:
  case 1:
  case 2:
    item.count += op.value;
    break;
  case 3:
    item.left = int(op.value);
    break;
  case 4:
    item.right = int(op.value);
    item.left ^= 1;
    break;
  case 5:
    item.count++;
    item.right++;
    break;
  case 6:
    setName(item.name, op.value);
    break;
  case 7:
    if (peer.there) {
      item = peer;
      item.right = int(op.value);
    }
    break;
  default:
    item = {};
    if (op.kind == 9) {
      item.there = true;
      item.count = op.value;
    }
  }
}

void resizeModel(std::vector<PairModel> &model, long count, long value) {
  long before = long(model.size());
  model.resize(size_t(count));
  for (long k = before; k < count; k++)
    model[size_t(k)] = {value + k, value + k};
}

void loggedCheck(long steps) {
  std::vector<ItemModel> itemModel(Items);
  std::vector<PairModel> pairModel;
  resizeModel(pairModel, 8, 7);
  for (long k = 1; k <= steps; k++)
    for (const Op &op : opsOf(k)) {
      PairModel &pair = pairModel[op.pair % pairModel.size()];
      if (op.kind == 10)
        resizeModel(pairModel, 8 + op.value % 120, op.value);
      else if (op.kind >= 14)
        pair.other = op.value;
      else if (op.kind >= 11)
        pair.value += op.value;
      else
        changeModel(itemModel, op);
    }
  REQUIRE(loggedSteps == steps);
  for (unsigned i = 0; steps && i < Items; i++) {
    const ItemModel &m = itemModel[i];
    REQUIRE((items[i] != nullptr) == m.there);
    if (m.there)
      REQUIRE(items[i]->count == m.count && items[i]->left == m.left &&
              items[i]->right == m.right &&
              strncmp(items[i]->name, m.name, 16) == 0);
  }
  REQUIRE(!steps || size_t(pairCount) == pairModel.size());
  for (size_t i = 0; steps && i < pairModel.size(); i++)
    REQUIRE(pairs[i].value == pairModel[i].value &&
            pairs[i].other == pairModel[i].other);
}

void registerLogged() {
  static const nvm_field item[] = {
      NVM_FIELD(LoggedItem, count), NVM_FIELD(LoggedItem, left),
      NVM_FIELD(LoggedItem, right), NVM_FIELD(LoggedItem, name),
      NVM_LINE_LOG(LoggedItem)};
  static const nvm_field pair[] = {NVM_FIELD(LoggedPair, value),
                                   NVM_FIELD(LoggedPair, other),
                                   NVM_LINE_LOG(LoggedPair)};
  nvm_layout(&nvm_type_LoggedItem, sizeof(LoggedItem), item, 5);
  nvm_layout(&nvm_type_LoggedPair, sizeof(LoggedPair), pair, 3);
  NVM_ROOT(items);
  NVM_ROOT(pairs);
  NVM_ROOT(pairCount);
  NVM_ROOT(loggedSteps);
}

} // namespace

namespace nvmtest {

bool loggedForgesKeys;

Scenario loggedScenario() {
  Scenario s = {"logged", registerLogged, [] { return loggedSteps; },
                loggedStep, loggedCheck};
  s.wholeLines = true;
  return s;
}

} // namespace nvmtest
