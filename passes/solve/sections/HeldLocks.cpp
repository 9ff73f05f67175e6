//===- HeldLocks.cpp - How many of each lock are held ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/HeldLocks.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace nvmove;

static HeldRange hull(HeldRange a, HeldRange b) {
  return {std::min(a.least, b.least), std::max(a.most, b.most)};
}

static bool isBefore(const HeldLocks::Item &item, unsigned lock) {
  return item.lock < lock;
}

HeldRange HeldLocks::operator[](unsigned lock) const {
  const Item *at = llvm::lower_bound(items_, lock, isBefore);
  return at != end() && at->lock == lock ? at->range : HeldRange();
}

void HeldLocks::add(unsigned lock, HeldRange by, int lowest) {
  if (!isReached_)
    return;
  auto sum = [&](int a, int b) {
    return int8_t(std::clamp(a + b, lowest, int(HeldRange::Many)));
  };
  Item *at = llvm::lower_bound(items_, lock, isBefore);
  const bool isThere = at != items_.end() && at->lock == lock;
  const HeldRange before = isThere ? at->range : HeldRange();
  const HeldRange now{sum(before.least, by.least), sum(before.most, by.most)};
  if (isThere && now == HeldRange())
    items_.erase(at);
  else if (isThere)
    at->range = now;
  else if (now != HeldRange())
    items_.insert(at, {lock, now});
}

void HeldLocks::add(const HeldLocks &by, int lowest) {
  if (!by.isReached_)
    *this = HeldLocks();
  for (const Item &item : by)
    add(item.lock, item.range, lowest);
}

bool HeldLocks::join(const HeldLocks &other) {
  if (!other.isReached_)
    return false;
  if (!isReached_) {
    *this = other;
    return true;
  }
  if (items_ == other.items_)
    return false;
  llvm::SmallVector<Item, 2> both;
  for (const Item *a = begin(), *b = other.begin();
       a != end() || b != other.end();) {
    const bool isOfA = a != end() && (b == other.end() || a->lock <= b->lock),
               isOfB = b != other.end() && (a == end() || b->lock <= a->lock);
    both.push_back(
        {isOfA ? a->lock : b->lock,
         hull(isOfA ? a->range : HeldRange(), isOfB ? b->range : HeldRange())});
    a += isOfA;
    b += isOfB;
  }
  if (both == items_)
    return false;
  items_ = std::move(both);
  return true;
}
