//===- CalleeSetsTest.cpp - Calls that lead to the same functions ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CalleeSets.h"
#include "passes/solve/flow/Allocators.h"
#include "test/support/CollectSource.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace nvmove;
using namespace nvmove::test;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

namespace {

const std::string CallingSource = R"(
  void puts_out(void);
  void (*handler)(void), (*second)(void);
  static void even(int n);
  static void odd(int n) { even(n - 1); }
  static void even(int n) { if (n) odd(n - 1); else puts_out(); }
  static void first(void) { even(4); }
  static void last(void) { puts_out(); }
  static void other(int a) {}
  void start(int which) {
    handler = which ? first : last;
    handler = (void (*)(void))other;
    second = handler;
    handler();
    second();
    even(2);
    puts_out();
  }
)";

class CalleeSetsTest : public ::testing::Test {
protected:
  CalleeSetsTest()
      : facts(collected()), program(facts), allocators(program),
        flow(program, allocators), sets(program, flow) {}

  static Facts collected() {
    SourceFolder folder;
    return collectResult(folder, CallingSource, {}).facts;
  }
  Id named(llvm::StringRef name) const { return program.functionNamed(name); }
  /// The sets of the calls of a function, in the order of the text.
  std::vector<Id> setsOf(llvm::StringRef function) const {
    std::vector<Id> result;
    for (Id call : program.callsOf(named(function)))
      result.push_back(sets.setOf(call));
    return result;
  }

  const Facts facts;
  const Program program;
  const Allocators allocators;
  const FieldFlow flow;
  const CalleeSets sets;
};

TEST_F(CalleeSetsTest, CallsThatLeadToTheSameShareOne) {
  const std::vector<Id> of = setsOf("start");
  ASSERT_EQ(of.size(), 4u);
  EXPECT_EQ(of[0], of[1]);
  EXPECT_THAT(sets.sets()[of[0]],
              UnorderedElementsAre(named("first"), named("last")));
  EXPECT_THAT(sets.sets()[of[2]], ElementsAre(named("even")));
  EXPECT_EQ(setsOf("first"), std::vector<Id>{of[2]});
}

TEST_F(CalleeSetsTest, ThereIsNoneOfFunctionsOfLibraries) {
  EXPECT_EQ(setsOf("start")[3], None);
  EXPECT_EQ(setsOf("last"), std::vector<Id>{None});
}

TEST_F(CalleeSetsTest, ComponentsComeAfterWhatTheyCall) {
  std::vector<Id> at(sets.nodes(), None);
  Id number = 0;
  for (const std::vector<Id> &component : sets.components()) {
    for (Id node : component)
      at[node] = number;
    ++number;
  }
  EXPECT_THAT(at, ::testing::Each(::testing::Ne(None)));
  for (Id node = 0; node < sets.nodes(); ++node)
    for (Id below : sets.below(node))
      EXPECT_LE(at[below], at[node]);
  EXPECT_EQ(at[named("even")], at[named("odd")]);
  EXPECT_LT(at[named("even")], at[named("first")]);
  EXPECT_LT(at[named("first")], at[named("start")]);
  EXPECT_NE(at[named("last")], at[named("first")]);
}

} // namespace
