//===- ReturnedValuesTest.cpp - What a function may return ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/ReturnedValues.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::SizeIs;

namespace {

struct Returned {
  explicit Returned(const std::string &body)
      : unit("int f(int n, char *p, char *q) { " + body + " }"),
        out(unit.state),
        uses(VariableUses::of(unit.source.ast(), unit.source.body())),
        path(out, uses), returns(out, path, uses) {
    out.beginFunction(unit.source.function());
    returns.enterBlock(unit.source.body()->getBeginLoc());
    for (const clang::ReturnStmt *s :
         ParsedSource::all<clang::ReturnStmt>(unit.source.body()))
      returns.add(s->getRetValue(), None, s);
  }
  const std::vector<ReturnedValue> &values() {
    return out.definition().answers;
  }
  ParsedUnit unit;
  DefinitionFacts out;
  VariableUses uses;
  PathConditions path;
  ReturnedValues returns;
};

TEST(ReturnedValues, Constants) {
  Returned r("if (n) return -2; return n;");
  ASSERT_THAT(r.values(), SizeIs(2));
  EXPECT_TRUE(r.values()[0].isConstant);
  EXPECT_EQ(r.values()[0].constant, -2);
  EXPECT_FALSE(r.values()[1].isConstant);
  EXPECT_EQ(r.values()[0].from,
            r.unit.map.loc(r.unit.source.body()->getBeginLoc()));
}

TEST(ReturnedValues, LocalsAndComparisons) {
  Returned r("int v = 0; if (n) return v; return p == q;");
  ASSERT_THAT(r.values(), SizeIs(2));
  EXPECT_EQ(r.values()[0].value, r.out.variable(r.unit.source.find("v")));
  EXPECT_EQ(r.values()[1].equal.first, r.out.variable(r.unit.source.find("p")));
  EXPECT_EQ(r.values()[1].equal.second,
            r.out.variable(r.unit.source.find("q")));
}

} // namespace
