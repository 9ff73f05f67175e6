//===- PathConditionsTest.cpp - What holds at a point ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/PathConditions.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

struct Path {
  explicit Path(const std::string &body)
      : unit("int flag, *global; struct s { int on; }; void stop(void);"
             "void f(int *p, int *q, int n, struct s *s) { " +
             body + " }"),
        out(unit.state),
        uses(VariableUses::of(unit.source.ast(), unit.source.body())),
        path(out, uses) {
    out.beginFunction(unit.source.function());
  }
  Call call() const {
    Call c;
    path.describe(c);
    return c;
  }
  /// What one expression of the body tells where it is `holds`.
  Call when(unsigned index, bool holds) {
    PathConditions::Mark before = path.mark();
    path.assume(unit.source.expression(index), holds);
    Call c = call();
    path.forget(before);
    return c;
  }
  Id node(const char *name) { return out.variable(unit.source.find(name)); }
  ParsedUnit unit;
  DefinitionFacts out;
  VariableUses uses;
  PathConditions path;
};

TEST(PathConditions, Pointers) {
  Path t("p; !p; p && q; p == q; p != 0;");
  EXPECT_THAT(t.when(0, true).nonNull, ElementsAre(t.node("p")));
  EXPECT_THAT(t.when(0, false).nonNull, IsEmpty());
  EXPECT_THAT(t.when(1, false).nonNull, ElementsAre(t.node("p")));
  EXPECT_THAT(t.when(2, true).nonNull, ElementsAre(t.node("p"), t.node("q")));
  EXPECT_THAT(t.when(2, false).nonNull, IsEmpty());
  EXPECT_THAT(t.when(3, false).different, SizeIs(1));
  EXPECT_THAT(t.when(3, true).different, IsEmpty());
  EXPECT_THAT(t.when(4, true).nonNull, ElementsAre(t.node("p")));
  EXPECT_THAT(t.call().nonNull, IsEmpty());
}

TEST(PathConditions, IntegersAndStatics) {
  Path t("n & 4; flag == 3; s->on; global;");
  ASSERT_THAT(t.when(0, true).tests, SizeIs(1));
  EXPECT_EQ(t.when(0, true).tests[0].mask, 4u);
  EXPECT_FALSE(t.when(0, true).tests[0].equal);
  ASSERT_THAT(t.when(1, true).flags, SizeIs(1));
  EXPECT_EQ(t.when(1, true).flags[0].value, 3u);
  EXPECT_TRUE(t.when(1, true).flags[0].equal);
  ASSERT_THAT(t.when(2, true).flags, SizeIs(1));
  EXPECT_NE(t.when(2, true).flags[0].field, None);
  ASSERT_THAT(t.when(3, false).statics, SizeIs(1));
  EXPECT_TRUE(t.when(3, false).statics[0].isZero);
}

TEST(PathConditions, BehindAStatement) {
  Path t("if (!p) return; if (!q) n++; q || (stop(), 0);");
  t.path.assumeBehind(t.unit.source.statement(0));
  EXPECT_THAT(t.path.nonNull(), ElementsAre(t.node("p")));
  t.path.assumeBehind(t.unit.source.statement(1));
  EXPECT_THAT(t.path.nonNull(), SizeIs(1));
  for (const clang::CallExpr *call :
       ParsedSource::all<clang::CallExpr>(t.unit.source.body()))
    t.unit.state.deadEnds.calls.insert(call);
  t.path.assumeBehind(t.unit.source.statement(2));
  EXPECT_THAT(t.path.nonNull(), ElementsAre(t.node("p"), t.node("q")));
}

TEST(PathConditions, Cases) {
  Path t("switch (n) { case 1: stop(); case 2: stop(); default: stop(); }");
  const auto *choice =
      llvm::cast<clang::SwitchStmt>(t.unit.source.statement(0));
  const auto *block = llvm::cast<clang::CompoundStmt>(choice->getBody());
  PathConditions::Mark before = t.path.mark();
  t.path.assumeCase(choice, block->body_begin()[0]);
  ASSERT_THAT(t.call().tests, SizeIs(1));
  EXPECT_EQ(t.call().tests[0].value, 1u);
  t.path.forget(before);
  t.path.assumeCase(choice, block->body_begin()[2]);
  EXPECT_THAT(t.call().tests, SizeIs(2));
  EXPECT_FALSE(t.call().tests[0].equal);
}

TEST(PathConditions, Arms) {
  Path t(";");
  t.path.enterArm(0, true);
  t.path.enterArm(2, false);
  EXPECT_THAT(t.call().arms, ElementsAre(0u, 5u));
}

} // namespace
