//===- DefinitionFactsTest.cpp - The facts of one definition --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/DefinitionFacts.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::SizeIs;

namespace {

TEST(DefinitionFacts, NodesOfVariables) {
  ParsedUnit unit("int g; int f(int p) { int l; return l; }");
  DefinitionFacts out(unit.state);
  out.beginFunction(unit.source.function());
  Id local = out.variable(unit.source.find("l"));
  EXPECT_TRUE(local & LocalNode);
  EXPECT_EQ(out.variable(unit.source.find("l")), local);
  EXPECT_EQ(out.node(local).name, "l");
  EXPECT_EQ(out.definition().params.front(),
            out.variable(unit.source.find("p")));
  Id global = out.variable(unit.source.find("g"));
  EXPECT_FALSE(global & LocalNode);
  EXPECT_EQ(out.node(global).kind, NodeKind::Global);
}

TEST(DefinitionFacts, AnAddressIsTakenOnce) {
  ParsedUnit unit("int g; void f(void) {}");
  DefinitionFacts out(unit.state);
  out.beginFunction(unit.source.function());
  const clang::VarDecl *g = unit.source.find("g");
  EXPECT_EQ(out.addressOf(g, g->getLocation()),
            out.addressOf(g, g->getLocation()));
  EXPECT_THAT(unit.facts.constraints, SizeIs(1));
}

TEST(DefinitionFacts, FlowOfNothingIsNone) {
  ParsedUnit unit("void f(void) {}");
  DefinitionFacts out(unit.state);
  out.beginFunction(unit.source.function());
  clang::QualType type = unit.source.ast().LongTy;
  Id a = out.temp(type, {});
  out.copy(a, None, {});
  out.copy(None, a, {});
  out.copy(a, a, {});
  EXPECT_EQ(out.arithmetic({None, None}, type, {}), None);
  EXPECT_THAT(unit.facts.constraints, SizeIs(0));
  EXPECT_NE(out.arithmetic({None, a}, type, {}), None);
  EXPECT_THAT(unit.facts.constraints, SizeIs(1));
}

TEST(DefinitionFacts, RangesHoldWhatWasAddedInBetween) {
  ParsedUnit unit("int g(void); void f(void) { g(); } void h(void) { g(); }");
  for (const char *name : {"f", "h"}) {
    DefinitionFacts out(unit.state);
    out.beginFunction(unit.source.function(name));
    const auto *e =
        llvm::cast<clang::CallExpr>(unit.source.body(name)->body_front());
    EXPECT_EQ(out.callOf(e), None);
    Call c;
    c.result = out.temp(e->getType(), {});
    Id id = out.addCall(e, c);
    EXPECT_EQ(out.callOf(e), id);
    EXPECT_EQ(out.resultOf(e), c.result);
    out.end();
  }
  ASSERT_THAT(unit.facts.definitions, SizeIs(2));
  EXPECT_EQ(unit.facts.definitions[0].calls.end, 1u);
  EXPECT_EQ(unit.facts.definitions[1].calls.begin, 1u);
  EXPECT_EQ(unit.facts.definitions[1].calls.end, 2u);
}

} // namespace
