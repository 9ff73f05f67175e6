//===- ConstraintRulesTest.cpp - What the constraints of the text do ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/ConstraintRules.h"
#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::Contains;
using testing::ElementsAre;

namespace {

const std::string constraintRulesCode = R"(
struct item { struct item *next; int id; } one, *p, *q;
void load(void) { q = p->next; p->next = q; }
int main(void) { load(); return 0; }
)";

struct Constrained : testing::Test {
  PointsToParts p{constraintRulesCode};
  ConstraintRules rules{p.s.input, p.graph, p.cells, p.overlays,
                        p.prior,   p.marks, p.copies};
  Constrained() {
    p.rules.see = [this](const Watch &w, ValueGraph::Ref what) {
      if (!rules.accessShared(w, what))
        for (Id l : ValueGraph::Set(p.graph[what]))
          if (p.cells.isMemory(l))
            rules.access(w, l);
    };
  }
};

TEST_F(Constrained, AMemberLoadsAndStoresItsCell) {
  Id whole = p.cells.variable(p.s.node("one")), address = p.addressOf(whole),
     member = p.graph.newNode(None);
  p.graph.watch(address, {Watch::Use::Member, member, p.s.field("next")});
  p.run();
  Id cell = p.cells.find(p.s.node("one"), p.s.field("next"));
  ASSERT_THAT(p.at(member), ElementsAre(cell));
  Id loaded = p.graph.newNode(None);
  p.graph.watch(member, {Watch::Use::Load, loaded, None});
  p.graph.watch(member, {Watch::Use::Store, address, None});
  p.run();
  EXPECT_THAT(p.at(loaded), Contains(whole));
}

TEST_F(Constrained, WhatIsReadTwiceFromOneAddressIsOneNode) {
  for (Id i : p.s.program.constraintsOf(p.s.function("load")))
    rules.add(p.s.facts.constraints[i]);
  p.run();
  std::vector<Id> loaded;
  for (Id i : p.s.program.constraintsOf(p.s.function("load"))) {
    const Constraint &c = p.s.facts.constraints[i];
    if (c.flow == Flow::Member)
      loaded.push_back(p.graph.find(c.dst));
  }
  ASSERT_EQ(loaded.size(), 2u);
  EXPECT_EQ(loaded[0], loaded[1]);
}

} // namespace
