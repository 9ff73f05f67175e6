//===- LoopNestTest.cpp - The loops around what is walked -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/LoopNest.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::SizeIs;

namespace {

TEST(LoopNest, LoopsInLoops) {
  ParsedUnit unit("void f(int n) { while (n) { n--; for (;;) n++; } }");
  DefinitionFacts out(unit.state);
  out.beginFunction(unit.source.function());
  LoopNest loops(out);
  loops.beginFunction(unit.source.body());
  const auto *outer = llvm::cast<clang::WhileStmt>(unit.source.statement(0));
  const auto *inner =
      ParsedSource::all<clang::ForStmt>(unit.source.body()).front();
  EXPECT_EQ(loops.innermost(), None);
  loops.enter(outer, outer->getBody());
  loops.enter(inner, inner->getBody());
  EXPECT_EQ(loops.innermost(), 1u);
  loops.leave();
  EXPECT_EQ(loops.innermost(), 0u);
  loops.leave();
  EXPECT_EQ(loops.innermost(), None);
  ASSERT_THAT(unit.facts.loops, SizeIs(2));
  EXPECT_EQ(unit.facts.loops[1].parent, 0u);
  EXPECT_TRUE(unit.facts.loops[0].isCompound);
  EXPECT_THAT(unit.facts.loops[0].body, SizeIs(2));
  EXPECT_FALSE(unit.facts.loops[1].isCompound);
  EXPECT_THAT(unit.facts.loops[1].body, SizeIs(1));
}

TEST(LoopNest, LoopsByGoto) {
  ParsedUnit unit(
      "void f(int n) { n++; again: n--; if (n) goto again; n = 7; }");
  DefinitionFacts out(unit.state);
  out.beginFunction(unit.source.function());
  LoopNest loops(out);
  loops.beginFunction(unit.source.body());
  std::vector<Id> seen;
  for (size_t i = 0; i < unit.source.body()->size(); ++i) {
    loops.enterGotoLoop(unit.source.body(), i);
    seen.push_back(loops.innermost());
    loops.leaveGotoLoop(unit.source.body(), i);
  }
  EXPECT_THAT(seen, testing::ElementsAre(None, 0u, 0u, None));
  ASSERT_THAT(unit.facts.loops, SizeIs(1));
  EXPECT_TRUE(unit.facts.loops[0].isEntered);
}

} // namespace
