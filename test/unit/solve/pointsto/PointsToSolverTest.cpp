//===- PointsToSolverTest.cpp - The parts together ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsToSolver.h"
#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;

namespace {

struct Solved : Snippet {
  PointsToSolver solver;
  explicit Solved(const std::string &code, PointsToOptions options = {})
      : Snippet(code), solver(program, allocators, flow, nullness, text,
                              with(std::move(options))) {}
  PointsToOptions with(PointsToOptions options) const {
    options.load = input.options.load;
    return options;
  }
};

const std::string pointsToSolverCode = R"(
void *malloc(unsigned long);
struct item { struct item *next; }; struct item *items;
struct item *make(void) { return malloc(sizeof(struct item)); }
void put(void) { struct item *i = make(); i->next = items; items = i; }
void load(void) { put(); }
int main(void) { load(); return 0; }
)";

TEST(PointsToSolver, FollowsTheLoadThroughCalls) {
  Solved s(pointsToSolverCode);
  ASSERT_TRUE(s.solver.run());
  for (const char *name : {"load", "put", "make"})
    EXPECT_TRUE(s.solver.calls.reached().count(s.function(name))) << name;
  bool block = false;
  for (Id l : s.solver.graph.setOf(s.node("items")))
    block |= s.solver.cells.objectAt(l).kind == MemoryObject::Heap;
  EXPECT_TRUE(block);
}

TEST(PointsToSolver, DoesNotFollowACallThatIsCut) {
  PointsToOptions options;
  options.cutCalls.insert(Snippet(pointsToSolverCode).callOf("put"));
  Solved s(pointsToSolverCode, options);
  ASSERT_TRUE(s.solver.run());
  EXPECT_FALSE(s.solver.calls.reached().count(s.function("put")));
}

TEST(PointsToSolver, GivesUpAtTheLimit) {
  PointsToOptions options;
  options.limit = 1;
  Solved s(pointsToSolverCode, options);
  EXPECT_FALSE(s.solver.run());
}

} // namespace
