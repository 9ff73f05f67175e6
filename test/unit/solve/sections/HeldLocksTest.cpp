//===- HeldLocksTest.cpp - How many of each lock are held -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/sections/HeldLocks.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

using namespace nvmove;
using ::testing::ElementsAre;

namespace {

HeldLocks with(std::initializer_list<HeldLocks::Item> items) {
  HeldLocks result = HeldLocks::none();
  for (const HeldLocks::Item &item : items)
    result.add(item.lock, item.range, -HeldRange::Many);
  return result;
}

TEST(HeldLocks, StandInOrderWithoutThoseThatAreNotHeld) {
  HeldLocks held = with({{7, {1, 1}}, {2, {0, 1}}, {9, {1, 1}}});
  held.add(9, {-1, -1}, 0);
  const std::vector<HeldLocks::Item> items(held.begin(), held.end());
  EXPECT_THAT(items, ElementsAre(HeldLocks::Item{2, {0, 1}},
                                 HeldLocks::Item{7, {1, 1}}));
  EXPECT_EQ(held[7], (HeldRange{1, 1}));
  EXPECT_EQ(held[3], HeldRange());
}

TEST(HeldLocks, GoNoLowerThanToldAndNoHigherThanMany) {
  HeldLocks held = HeldLocks::none();
  held.add(1, {-1, -1}, 0);
  EXPECT_TRUE(held.isNothing());
  for (int i = 0; i < 9; ++i) {
    held.add(1, {-1, 1}, -HeldRange::Many);
    held.add(2, {0, 1}, 0);
  }
  EXPECT_EQ(held[1], (HeldRange{-HeldRange::Many, HeldRange::Many}));
  EXPECT_EQ(held[2], (HeldRange{0, HeldRange::Many}));
}

TEST(HeldLocks, JoinedAreHeldOnlyWhereBothAre) {
  HeldLocks held = with({{1, {1, 1}}, {3, {2, 2}}});
  EXPECT_TRUE(held.join(with({{2, {1, 1}}, {3, {1, 1}}})));
  EXPECT_EQ(held, with({{1, {0, 1}}, {2, {0, 1}}, {3, {1, 2}}}));
  EXPECT_FALSE(held.join(with({{2, {1, 1}}, {3, {1, 1}}})));
  EXPECT_TRUE(held.join(HeldLocks::none()));
  EXPECT_EQ(held[3], (HeldRange{0, 2}));
}

TEST(HeldLocks, WhereControlDoesNotGetSaysNothing) {
  HeldLocks held;
  held.add(1, {1, 1}, 0);
  EXPECT_EQ(held, HeldLocks());
  EXPECT_FALSE(held.join(HeldLocks()));
  EXPECT_TRUE(held.join(with({{1, {1, 1}}})));
  EXPECT_FALSE(held.join(HeldLocks()));
  EXPECT_EQ(held, with({{1, {1, 1}}}));
  EXPECT_NE(HeldLocks(), HeldLocks::none());
}

TEST(HeldLocks, AreNoLongerReachedBehindACallThatDoesNotComeBack) {
  HeldLocks held = with({{1, {1, 1}}});
  held.add(with({{1, {-1, -1}}, {2, {1, 1}}}), 0);
  EXPECT_EQ(held, with({{2, {1, 1}}}));
  held.add(HeldLocks(), 0);
  EXPECT_FALSE(held.isReached());
}

} // namespace
