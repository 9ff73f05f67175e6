//===- BackwardSliceTest.cpp - What a value is computed from --------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/flow/BackwardSlice.h"
#include "test/support/CollectSource.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace nvmove;
using namespace nvmove::test;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

namespace {

/// The names of the variables that the slice comes by, "+" behind those that
/// something else is computed of; and of the functions whose calls it meets.
class Names : public BackwardSlice {
public:
  using BackwardSlice::Edges;
  Names(const Program &program, const DefinitionIndex &values, Edges edges)
      : BackwardSlice(program, values, edges) {}

  std::set<std::string> variables, calls;
  std::string notBeyond, stopAt;

private:
  Step value(Id n) override {
    const std::string &name = f_.nodes[n].name;
    if (name.empty() || f_.nodes[n].kind == NodeKind::Return)
      return Follow;
    variables.insert(name + (isComputed() ? "+" : ""));
    return name == stopAt ? Stop : name == notBeyond ? Skip : Follow;
  }
  Step call(Id i) override {
    if (f_.calls[i].callee != None)
      calls.insert(f_.functions[f_.calls[i].callee].name);
    return BackwardSlice::call(i);
  }
};

/// Of the value that is passed to use().
struct Slice {
  explicit Slice(const std::string &code)
      : facts(factsOf("void use(int); int ask(void);" + code)), program(facts),
        values(facts) {
    for (const Call &c : facts.calls)
      if (facts.functions[c.callee].name == "use")
        node = c.args[0];
  }
  Names run(Names::Edges edges, const std::string &notBeyond = "",
            const std::string &stopAt = "") {
    Names names(program, values, edges);
    names.notBeyond = notBeyond;
    names.stopAt = stopAt;
    end = names.run(node);
    return names;
  }

  Facts facts;
  Program program;
  DefinitionIndex values;
  Id node = None;
  BackwardSlice::End end = BackwardSlice::Whole;
};

const char *const Chain = "int a, b; void f(void) { int x = a, y = x;"
                          "  int z = y + b; use(z); }";

TEST(BackwardSlice, FollowsTheFlowsOfItsPolicy) {
  Slice slice(Chain);
  EXPECT_THAT(slice.run({.flows = Copies}).variables, ElementsAre("z"));
  EXPECT_THAT(slice.run({.flows = Copies | Flow::Arith}).variables,
              UnorderedElementsAre("z", "y", "x", "a", "b"));
  EXPECT_EQ(slice.end, BackwardSlice::Whole);
}

TEST(BackwardSlice, TellsWhatIsComputedFromWhatIsCopied) {
  Slice slice("int a; void f(void) { int x = a; x = a + 1; use(x); }");
  EXPECT_THAT(
      slice.run({.flows = Copies | Flow::Arith, .computed = true}).variables,
      UnorderedElementsAre("x", "a", "a+"));
  EXPECT_THAT(slice.run({.flows = Copies | Flow::Arith}).variables,
              UnorderedElementsAre("x", "a"));
}

TEST(BackwardSlice, GoesIntoWhatIsCalledOnlyWhereThePolicySaysSo) {
  Slice slice("int a; int get(void) { return a; }"
              "void f(void) { use(get()); }");
  EXPECT_THAT(slice.run({.flows = Copies}).variables, ElementsAre());
  const Names into = slice.run({.flows = Copies, .results = true});
  EXPECT_THAT(into.variables, ElementsAre("a"));
  EXPECT_THAT(into.calls, ElementsAre("get"));
}

TEST(BackwardSlice, EndsAtACallWithoutABody) {
  Slice slice("void f(void) { use(ask()); }");
  EXPECT_THAT(slice.run({.flows = Copies, .results = true}).calls,
              ElementsAre("ask"));
  EXPECT_EQ(slice.end, BackwardSlice::Whole);
}

TEST(BackwardSlice, GoesFromParametersToAllCallers) {
  Slice slice("int a, b; void f(int n) { use(n); }"
              "void g(void) { f(a); } void h(void) { f(b); f(3); }");
  EXPECT_THAT(slice.run({.flows = Copies}).variables, ElementsAre("n"));
  EXPECT_THAT(slice.run({.flows = Copies, .parameters = true}).variables,
              UnorderedElementsAre("n", "a", "b"));
}

TEST(BackwardSlice, SkipsAndStopsWhereThePolicySaysSo) {
  Slice slice(Chain);
  const Names::Edges edges{.flows = Copies | Flow::Arith};
  EXPECT_THAT(slice.run(edges, "y").variables,
              UnorderedElementsAre("z", "y", "b"));
  EXPECT_EQ(slice.end, BackwardSlice::Whole);
  slice.run(edges, "", "x");
  EXPECT_EQ(slice.end, BackwardSlice::Stopped);
}

TEST(BackwardSlice, EndsInACircle) {
  Slice slice("int a; int g(int n) { return n > 9 ? n : g(n + 1); }"
              "void f(void) { int x = a, y; while (a) { y = x; x = y; }"
              "  use(g(x)); }");
  EXPECT_THAT(slice
                  .run({.flows = Copies | Flow::Arith,
                        .results = true,
                        .parameters = true})
                  .variables,
              UnorderedElementsAre("n", "x", "y", "a"));
}

TEST(BackwardSlice, BeginsAnewWithEachRun) {
  Slice slice(Chain);
  Names names(slice.program, slice.values, {.flows = Copies | Flow::Arith});
  names.run(slice.node);
  const size_t all = names.seen().size();
  names.variables.clear();
  EXPECT_EQ(names.run(slice.node), BackwardSlice::Whole);
  EXPECT_EQ(names.seen().size(), all);
  EXPECT_THAT(names.variables, UnorderedElementsAre("z", "y", "x", "a", "b"));
  EXPECT_EQ(names.run(None), BackwardSlice::Whole);
  EXPECT_TRUE(names.seen().empty());
}

/// Each value is a copy of the one before.
Facts factsOfChain(size_t length) {
  Facts facts;
  facts.nodes.resize(length);
  for (Id n = 1; n < length; ++n)
    facts.constraints.push_back({Flow::Copy, n, n - 1, None, None, {}});
  return facts;
}

TEST(BackwardSlice, SaysThatItIsTooLarge) {
  for (size_t more : {0, 2}) {
    const size_t length = BackwardSlice::MostValues + more;
    const Facts facts = factsOfChain(length);
    const Program program(facts);
    const DefinitionIndex values(facts);
    Names names(program, values, {.flows = Copies});
    EXPECT_EQ(names.run(Id(length - 1)),
              more ? BackwardSlice::TooLarge : BackwardSlice::Whole);
    EXPECT_EQ(names.seen().contains(0), !more);
  }
}

} // namespace
