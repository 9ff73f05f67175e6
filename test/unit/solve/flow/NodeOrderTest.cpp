//===- NodeOrderTest.cpp - Circles are one node, sources come first -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/NodeOrder.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace nvmove;
using testing::ElementsAre;

namespace {

/// 4 -> 3 -> 1 -> 2 -> 1 and 2 -> 0: 1 and 2 are a circle.
struct CopyFlow {
  NodeOrder order;
  NodeOrder::Edges out{{}, {2}, {1, 0}, {1}, {3}};
  std::vector<std::pair<Id, Id>> merged;

  CopyFlow() { order.resize(out.size()); }
  void collapse(bool areAlike = true) {
    order.collapse(
        out, 5, [&](Id, Id) { return areAlike; },
        [&](Id into, Id from) { merged.push_back({into, from}); },
        [](Id) { return true; });
  }
};

TEST(NodeOrder, ACircleIsOneNode) {
  CopyFlow f;
  f.collapse();
  ASSERT_EQ(f.merged.size(), 1u);
  EXPECT_EQ(f.order.find(1), f.order.find(2));
  EXPECT_NE(f.order.find(1), f.order.find(3));
  // It has the edges of both, each once, and they name who stands for them.
  Id circle = f.order.find(1);
  EXPECT_THAT(f.out[circle], testing::UnorderedElementsAre(0, circle));
  EXPECT_TRUE(f.out[f.merged[0].second].empty());
}

TEST(NodeOrder, NothingIsMergedThatIsNotAlike) {
  CopyFlow f;
  f.collapse(/*areAlike=*/false);
  EXPECT_TRUE(f.merged.empty());
  EXPECT_NE(f.order.find(1), f.order.find(2));
}

TEST(NodeOrder, SourcesOfTheFlowComeFirst) {
  CopyFlow f;
  f.collapse();
  std::vector<Id> taken;
  while (!f.order.empty())
    taken.push_back(f.order.pop());
  EXPECT_THAT(taken, ElementsAre(4, 3, f.order.find(1), 0));
}

TEST(NodeOrder, ItIsTimeAfterManySteps) {
  CopyFlow f;
  EXPECT_FALSE(f.order.isDue());
  f.order.passed(1000000);
  EXPECT_TRUE(f.order.isDue());
  f.collapse();
  EXPECT_FALSE(f.order.isDue());
}

} // namespace
