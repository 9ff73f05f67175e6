//===- SetFlowTest.cpp - What flows gets everywhere it can ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/SetFlow.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace nvmove;

namespace {

/// Passes everything on along all edges. With `oftenTidy` circles are merged
/// while things flow.
class NumberFlow : public SetFlow {
public:
  NumberFlow(size_t nodes, bool oftenTidy) : oftenTidy_(oftenTidy) {
    resize(nodes);
  }

  void put(Id node, Id what) { hand(find(node), pool_.of(what)); }
  void edge(Id from, Id to) {
    if (connect(from, to))
      hand(find(to), sets_[find(from)]);
  }
  void join(Id a, Id b) {
    unify(a, b, [](Id, Id) {});
  }
  void run() {
    while (!order_.empty()) {
      Id node = order_.pop();
      if (find(node) != node)
        continue;
      Ref all = take(node);
      for (Id to : NodeOrder::Edges::value_type(out_[node]))
        hand(find(to), all);
      order_.passed(oftenTidy_ ? 100000 : 0);
      tidy([](Id, Id) { return true; }, [&](Id, Id) { ++merged; });
    }
  }
  std::set<unsigned> at(Id node) const {
    std::set<unsigned> result;
    for (unsigned member : setOf(node))
      result.insert(member);
    return result;
  }
  unsigned merged = 0;

private:
  void hand(Id node, Ref what) {
    if (Ref more = pool_.subtract(what, sets_[node]); more != Ref::Empty)
      gain(node, more);
  }
  bool oftenTidy_;
};

TEST(SetFlow, EdgesStandOnce) {
  NumberFlow f(2, false);
  f.put(0, 7);
  f.edge(0, 1);
  f.edge(0, 1);
  f.run();
  EXPECT_EQ(f.at(1), std::set<unsigned>{7});
}

TEST(SetFlow, NodesThatAreJoinedHoldWhatBothHeld) {
  NumberFlow f(4, false);
  f.put(0, 1);
  f.put(1, 2);
  f.edge(0, 2);
  f.edge(1, 3);
  f.run();
  f.join(0, 1);
  f.run();
  std::set<unsigned> both{1, 2};
  for (Id node = 0; node < 4; ++node)
    EXPECT_EQ(f.at(node), both) << node;
}

/// Beside the closure of the edges, computed one step at a time.
TEST(SetFlow, AsMuchAsTheEdgesSayWithAndWithoutMergedCircles) {
  constexpr Id Nodes = 40;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    NumberFlow plain(Nodes, false), tidied(Nodes, true);
    std::vector<std::set<unsigned>> expected(Nodes);
    std::vector<std::pair<Id, Id>> edges;
    for (Id i = 0; i < 60; ++i) {
      Id from = random() % Nodes, to = random() % Nodes;
      edges.push_back({from, to});
      plain.edge(from, to);
      tidied.edge(from, to);
      Id what = random() % 300, at = random() % Nodes;
      expected[at].insert(what);
      plain.put(at, what);
      tidied.put(at, what);
      if (i % 7 == 0) {
        plain.run();
        tidied.run();
      }
    }
    plain.run();
    tidied.run();
    for (Id round = 0; round < Nodes; ++round)
      for (auto [from, to] : edges)
        expected[to].insert(expected[from].begin(), expected[from].end());
    for (Id node = 0; node < Nodes; ++node) {
      EXPECT_EQ(plain.at(node), expected[node]) << seed << ": " << node;
      EXPECT_EQ(tidied.at(node), expected[node]) << seed << ": " << node;
    }
    EXPECT_EQ(plain.merged, 0u);
    EXPECT_GT(tidied.merged, 0u);
  }
}

} // namespace
