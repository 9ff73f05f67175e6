//===- ValueGraphTest.cpp - Sets flow, as the rules admit -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;

namespace {

const std::string valueGraphCode = R"(
struct item { int id; };
struct item *first; void *any; int number;
void load(void) {}
int main(void) { load(); return 0; }
)";

TEST(ValueGraph, PassesOnAlongEdgesWhicheverComesFirst) {
  PointsToParts p(valueGraphCode);
  Id a = p.graph.newNode(None), b = p.graph.newNode(None),
     c = p.graph.newNode(None);
  p.graph.edge(a, b);
  p.graph.add(a, 7);
  p.graph.edge(b, c);
  p.run();
  EXPECT_THAT(p.at(c), ElementsAre(7));
}

TEST(ValueGraph, ANodeAdmitsWhatTheRulesSay) {
  PointsToParts p(valueGraphCode);
  Id record = p.s.record("item");
  std::vector<Id> asked;
  p.rules.admit = [&](Id r, ValueGraph::Ref what) {
    asked.push_back(r);
    ValueGraph::Set odd;
    for (Id l : p.graph[what])
      if (l % 2)
        odd.set(l);
    return p.graph.of(std::move(odd));
  };
  Id typed = p.graph.newNode(record), any = p.graph.newNode(None);
  for (Id l : {4u, 5u}) {
    p.graph.add(typed, l);
    p.graph.add(any, l);
  }
  EXPECT_THAT(p.at(typed), ElementsAre(5));
  EXPECT_THAT(p.at(any), ElementsAre(4, 5));
  EXPECT_THAT(asked, testing::Each(record));
}

TEST(ValueGraph, APlainNumberHoldsMarksAlone) {
  PointsToParts p(valueGraphCode);
  Id number = p.graph.newNode(None);
  p.graph.setPlainNumber(number, true);
  p.graph.add(number, p.cells.fileBytes());
  p.graph.add(number, p.cells.whole({MemoryObject::Variable, p.s.node("any")}));
  EXPECT_THAT(p.at(number), ElementsAre(p.cells.fileBytes()));
}

TEST(ValueGraph, AWatchSeesWhatIsThereAndWhatComes) {
  PointsToParts p(valueGraphCode);
  std::vector<Id> seen;
  p.rules.see = [&](const Watch &w, ValueGraph::Ref what) {
    EXPECT_EQ(w.other, 99u);
    for (Id l : p.graph[what])
      seen.push_back(l);
  };
  Id n = p.graph.newNode(None);
  p.graph.add(n, 3);
  p.run();
  p.graph.watch(n, {Watch::Use::Load, 99, None});
  p.graph.add(n, 5);
  p.run();
  EXPECT_THAT(seen, ElementsAre(3, 5));
}

TEST(ValueGraph, WhatIsReadThroughNodesThatBecomeOneIsOne) {
  PointsToParts p(valueGraphCode);
  Id a = p.graph.newNode(None), b = p.graph.newNode(None),
     fromA = p.graph.newNode(None), fromB = p.graph.newNode(None);
  p.graph.watch(a, {Watch::Use::Load, fromA, None});
  p.graph.watch(b, {Watch::Use::Load, fromB, None});
  p.graph.unify(a, b);
  p.run();
  EXPECT_EQ(p.graph.find(a), p.graph.find(b));
  EXPECT_EQ(p.graph.find(fromA), p.graph.find(fromB));
}

TEST(ValueGraph, SaysWhatFlowsToPointersToRecords) {
  PointsToParts p(valueGraphCode);
  Id from = p.graph.newNode(None), to = p.graph.newNode(p.s.record("item")),
     other = p.graph.newNode(None);
  p.graph.edge(from, to);
  p.graph.edge(from, other);
  p.graph.add(from, 3);
  p.graph.add(from, 4);
  ValueGraph::Set among;
  among.set(4);
  std::vector<Id> seen;
  p.graph.eachFlow(among, [&](Id node, Id record, ValueGraph::Set what) {
    EXPECT_EQ(node, to);
    EXPECT_EQ(record, p.s.record("item"));
    for (Id l : what)
      seen.push_back(l);
  });
  EXPECT_THAT(seen, ElementsAre(4));
}

TEST(ValueGraph, ACopyAdmitsWhatItsTextDoes) {
  PointsToParts p(valueGraphCode);
  Id text = p.s.node("first"), copy = p.graph.copyOf(text);
  EXPECT_EQ(p.graph.textOf(copy), text);
  EXPECT_TRUE(p.graph.areAlike(copy, text));
  EXPECT_EQ(p.graph.textOf(p.graph.newNode(None)), None);
}

} // namespace
