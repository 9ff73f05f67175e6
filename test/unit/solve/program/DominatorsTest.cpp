//===- DominatorsTest.cpp - What every way goes through -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/program/Dominators.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace nvmove;

namespace {

TEST(Dominators, OfADiamondWithALoopBehindIt) {
  // 0 -> 1, 2; 1, 2 -> 3; 3 -> 4 -> 3; 5 is led to by nothing.
  Dominators d({{1, 2}, {3}, {3}, {4}, {3}, {3}});
  EXPECT_EQ(d.immediate(0), None);
  EXPECT_EQ(d.immediate(1), 0u);
  EXPECT_EQ(d.immediate(2), 0u);
  EXPECT_EQ(d.immediate(3), 0u);
  EXPECT_EQ(d.immediate(4), 3u);
  EXPECT_EQ(d.immediate(5), None);
}

TEST(Dominators, ComeFirstInTheOrder) {
  Dominators d({{2}, {}, {3, 1}, {1}});
  EXPECT_THAT(d.order(), testing::ElementsAre(0, 2, 3, 1));
  EXPECT_EQ(d.immediate(1), 2u);
}

} // namespace
