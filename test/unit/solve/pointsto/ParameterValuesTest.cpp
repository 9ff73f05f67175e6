//===- ParameterValuesTest.cpp - Constants that calls pass ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/ParameterValues.h"
#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;

namespace {

const std::string parameterValuesCode = R"(
void tell(void);
void work(int quiet) { if (quiet == 0) tell(); }
void outer(int q) { work(q); }
void load(void) { work(1); outer(1); }
int main(void) { load(); return 0; }
)";

struct Came : ParameterValues::Calls {
  std::vector<Id> calls;
  void valueCame(Id call) override { calls.push_back(call); }
  void bind(Id, Id) override {}
};

TEST(ParameterValues, ACallIsExcludedUntilAValueLetsItThrough) {
  PointsToParts p(parameterValuesCode);
  Came came;
  ParameterValues values(p.s.input, p.graph, p.contexts, came);
  const Id tell = p.s.callOf("tell"), quiet = p.s.node("quiet");
  const Call &call = p.s.facts.calls[tell];
  ASSERT_FALSE(call.tests.empty());
  EXPECT_TRUE(values.exclude(call));
  values.add(quiet, 1);
  EXPECT_TRUE(values.exclude(call));
  values.add(quiet, 0);
  EXPECT_FALSE(values.exclude(call));
  EXPECT_THAT(came.calls, ElementsAre(tell, tell));
}

TEST(ParameterValues, WhatIsHandedOnComesToo) {
  PointsToParts p(parameterValuesCode);
  Came came;
  ParameterValues values(p.s.input, p.graph, p.contexts, came);
  const Call &call = p.s.facts.calls[p.s.callOf("tell")];
  values.pass(p.s.node("q"), p.s.node("quiet"));
  EXPECT_TRUE(values.exclude(call));
  values.add(p.s.node("q"), std::nullopt); // any
  EXPECT_FALSE(values.exclude(call));
}

} // namespace
