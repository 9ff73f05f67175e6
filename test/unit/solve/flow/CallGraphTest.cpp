//===- CallGraphTest.cpp - What calls lead to, and what leads there -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/CallGraph.h"
#include "passes/solve/flow/Allocators.h"
#include "test/support/CollectSource.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace nvmove;
using namespace nvmove::test;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

namespace {

/// start calls near and, through a pointer, handler; near calls far, far calls
/// near again and the library.
const std::string Source = R"(
  void puts_out(void);
  void exit(int) __attribute__((noreturn));
  int fork(void);
  void (*handler)(void);
  static void near(void);
  static void far(void) { near(); puts_out(); }
  static void near(void) { far(); }
  static void handle(void) { puts_out(); }
  static void child(void) {}
  static void give_up(void) { puts_out(); exit(1); }
  static void other(int a) {}
  int start(int argc) {
    handler = handle;
    near();
    handler();
    int pid = fork();
    if (pid == 0) { child(); exit(0); }
    if (argc) { give_up(); exit(1); }
    other(1);
    return 0;
  }
)";

class CallGraphTest : public ::testing::Test {
protected:
  using Policy = CallGraph::Policy;
  using Reached = CallGraph::Reached;

  CallGraphTest()
      : facts(collected()), program(facts), allocators(program),
        flow(program, allocators), graph(program, flow) {}

  static Facts collected() {
    SourceFolder folder;
    return collectResult(folder, Source, {}).facts;
  }
  Id named(llvm::StringRef name) const { return program.functionNamed(name); }
  bool is(Id function, llvm::StringRef name) const {
    return facts.functions[function].name == name;
  }
  std::vector<std::string> names(const Reached &reached) const {
    std::vector<std::string> result;
    for (Id fn : reached.functions())
      result.push_back(facts.functions[fn].name);
    return result;
  }
  std::vector<std::string> from(const char *name, const Policy &policy) const {
    return names(graph.reach({named(name)}, policy));
  }
  std::vector<std::string> by(const char *name, const Policy &policy) const {
    return names(graph.reachedBy({named(name)}, policy));
  }

  const Facts facts;
  const Program program;
  const Allocators allocators;
  const FieldFlow flow;
  const CallGraph graph;
};

TEST_F(CallGraphTest, FollowsAllCallsNearestFirst) {
  EXPECT_THAT(from("start", {}),
              ElementsAre("start", "near", "handle", "fork", "child", "exit",
                          "give_up", "other", "far", "puts_out"));
  EXPECT_THAT(from("far", {}), ElementsAre("far", "near", "puts_out"));
}

TEST_F(CallGraphTest, LeavesOutWhatThePolicyDoes) {
  EXPECT_THAT(from("start", {.pointers = false, .bodies = true}),
              UnorderedElementsAre("start", "near", "far", "child", "give_up",
                                   "other"));
  EXPECT_THAT(from("start", {.deadEnds = false, .bodies = true}),
              UnorderedElementsAre("start", "near", "far", "handle", "other"));
  EXPECT_THAT(from("start", {.children = false, .bodies = true}),
              UnorderedElementsAre("start", "near", "far", "handle", "give_up",
                                   "other"));
  EXPECT_THAT(
      from("start", {.bodies = true,
                     .follows =
                         [&](Id call) {
                           return facts.calls[call].callee != named("near");
                         }}),
      UnorderedElementsAre("start", "handle", "child", "give_up", "other"));
  EXPECT_THAT(
      from("start", {.enters = [&](Id fn) { return !is(fn, "start"); }}),
      IsEmpty());
  EXPECT_THAT(from("near", {.enters = [&](Id fn) { return !is(fn, "far"); }}),
              ElementsAre("near"));
}

TEST_F(CallGraphTest, GoesOnlyToWhatTakesTheArguments) {
  // Nothing but the number of arguments is looked at, and only of pointers.
  EXPECT_THAT(from("start", {.fitting = true, .bodies = true}),
              UnorderedElementsAre("start", "near", "far", "handle", "child",
                                   "give_up", "other"));
}

TEST_F(CallGraphTest, KnowsHowItCame) {
  const Reached reached = graph.reach({named("start")}, {});
  EXPECT_EQ(reached.via(named("start")), None);
  EXPECT_EQ(reached.distance(named("start")), 0u);
  EXPECT_EQ(reached.distance(named("far")), 2u);
  const Id call = reached.via(named("far"));
  ASSERT_NE(call, None);
  EXPECT_EQ(facts.calls[call].function, named("near"));
}

TEST_F(CallGraphTest, StartsFromCalls) {
  const Reached reached =
      graph.reachFrom(program.callsOf(named("near")), {.bodies = true});
  EXPECT_THAT(names(reached), ElementsAre("far", "near"));
  EXPECT_EQ(reached.distance(named("far")), 0u);
  EXPECT_EQ(facts.calls[reached.via(named("far"))].function, named("near"));
}

TEST_F(CallGraphTest, EndsWhereItIsTold) {
  const Reached reached = graph.reach(
      {named("start")}, {.until = [&](Id fn) { return fn == named("near"); }});
  EXPECT_EQ(reached.last(), named("near"));
  EXPECT_THAT(names(reached), ElementsAre("start", "near"));
  EXPECT_EQ(graph.reach({named("start")}, {}).last(), None);
}

TEST_F(CallGraphTest, LeadsBesidesCallsWhereThePolicySays) {
  EXPECT_THAT(from("far", {.bodies = true,
                           .also =
                               [&](Id fn, Policy::Lead lead) {
                                 if (is(fn, "near"))
                                   lead(named("child"));
                               }}),
              ElementsAre("far", "near", "child"));
  EXPECT_THAT(from("far", {.calls =
                               [&](Id fn) {
                                 std::vector<Id> calls = program.callsOf(fn);
                                 calls.resize(1);
                                 return calls;
                               }}),
              ElementsAre("far", "near"));
}

TEST_F(CallGraphTest, GoesBackwards) {
  EXPECT_THAT(by("puts_out", {}),
              UnorderedElementsAre("puts_out", "far", "handle", "give_up",
                                   "near", "start"));
  EXPECT_THAT(by("handle", {.pointers = false}), ElementsAre("handle"));
  EXPECT_THAT(by("handle", {}), ElementsAre("handle", "start"));
  EXPECT_THAT(by("give_up", {.deadEnds = false}), ElementsAre("give_up"));
  EXPECT_THAT(by("child", {.children = false}), ElementsAre("child"));
  EXPECT_EQ(graph.reachedBy({named("far")}, {}).distance(named("start")), 2u);
}

// What is entered may depend on what was entered before.
TEST_F(CallGraphTest, AsksAgainOfWhatIsNotReachedYet) {
  bool isNearIn = false;
  auto enters = [&](Id fn) {
    isNearIn |= is(fn, "near");
    return !is(fn, "far") || isNearIn;
  };
  EXPECT_THAT(names(graph.reach({named("far"), named("near")},
                                {.bodies = true, .enters = enters})),
              ElementsAre("near", "far"));
}

TEST_F(CallGraphTest, SkipsNone) {
  EXPECT_THAT(names(graph.reach({None}, {})), IsEmpty());
  EXPECT_THAT(names(graph.reachedBy({None}, {})), IsEmpty());
}

TEST_F(CallGraphTest, KnowsWhatIsBelow) {
  auto below = [&](const char *name) {
    std::vector<std::string> result;
    for (unsigned fn : graph.below(named(name)).set_bits())
      result.push_back(facts.functions[fn].name);
    return result;
  };
  EXPECT_THAT(below("far"), UnorderedElementsAre("far", "near"));
  EXPECT_THAT(below("start"),
              UnorderedElementsAre("start", "near", "far", "handle", "child",
                                   "give_up", "other"));
  EXPECT_THAT(below("far"), UnorderedElementsAre("far", "near"));
}

} // namespace
