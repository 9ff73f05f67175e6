//===- HeldLocks.h - How many of each lock are held -------------*- C++ -*-===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program has many locks, and a function changes none of them or one. So only
// what is not 0 is here: what is held, or what a call adds and takes away.
//
//===----------------------------------------------------------------------===//

#ifndef NVMOVE_PASSES_SOLVE_SECTIONS_HELDLOCKS_H
#define NVMOVE_PASSES_SOLVE_SECTIONS_HELDLOCKS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace nvmove {

/// How many of a lock are held: at least, and at most. More than Many are that.
struct HeldRange {
  static constexpr int8_t Many = 3;
  int8_t least = 0, most = 0;
  bool operator==(const HeldRange &) const = default;
};

class HeldLocks {
public:
  struct Item {
    unsigned lock;
    HeldRange range; ///< not 0
    bool operator==(const Item &) const = default;
  };

  /// Control does not get there.
  HeldLocks() = default;
  /// It does, with nothing held.
  static HeldLocks none() {
    HeldLocks result;
    result.isReached_ = true;
    return result;
  }

  bool isReached() const { return isReached_; }
  bool isNothing() const { return items_.empty(); }
  /// All locks that are held, or may be, by number.
  const Item *begin() const { return items_.begin(); }
  const Item *end() const { return items_.end(); }
  HeldRange operator[](unsigned lock) const;
  bool operator==(const HeldLocks &) const = default;

  /// Of each lock so many more, from `lowest` to Many; where control gets.
  void add(unsigned lock, HeldRange by, int lowest);
  /// What is held behind a call that adds this. No longer reached, if the call
  /// does not come back.
  void add(const HeldLocks &by, int lowest);
  /// Either may be so. Returns whether that is more than before.
  bool join(const HeldLocks &other);

private:
  bool isReached_ = false;
  llvm::SmallVector<Item, 2> items_;
};

} // namespace nvmove

#endif // NVMOVE_PASSES_SOLVE_SECTIONS_HELDLOCKS_H
