//===- CallBindingTest.cpp - What the load phase calls --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/pointsto/PointsToSolver.h"
#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;

namespace {

struct Solved : Snippet {
  PointsToSolver solver;
  explicit Solved(const std::string &code)
      : Snippet(code),
        solver(program, allocators, flow, nullness, text, input.options) {
    EXPECT_TRUE(solver.run());
  }
  bool reaches(const std::string &name) const {
    return solver.calls.reached().count(function(name));
  }
};

TEST(CallBinding, ACallBehindAZeroFlagIsNeverRun) {
  Solved s(R"(
void tell(void); int x;
void note(void) { x = 1; }
void work(int loud) { if (loud) note(); }
void load(void) { work(0); }
int main(void) { load(); return 0; }
)");
  EXPECT_FALSE(s.reaches("note"));
  EXPECT_THAT(s.solver.calls.neverRun(), ElementsAre(s.callOf("note")));
}

TEST(CallBinding, APointerCallsWhatIsStoredInIt) {
  Solved s(R"(
int x; void one(void) { x = 1; } void two(void) { x = 2; }
void (*hook)(void);
void load(void) { hook = one; hook(); }
int main(void) { load(); hook = two; return 0; }
)");
  EXPECT_TRUE(s.reaches("one"));
}

TEST(CallBinding, ARecordByValueIsCopied) {
  Solved s(R"(
struct pair { int *a, *b; }; int n, *out;
void take(struct pair p) { out = p.b; }
struct pair give(void) { struct pair p; p.a = 0; p.b = &n; return p; }
void load(void) { take(give()); }
int main(void) { load(); return 0; }
)");
  Id n = s.solver.cells.find(s.node("n"), None);
  ASSERT_NE(n, None);
  EXPECT_TRUE(s.solver.graph.setOf(s.node("out")).test(n));
}

TEST(CallBinding, ASmallFunctionKeepsItsCallersApart) {
  Solved s(R"(
struct box { int *in; } a, b; int x, y;
void put(struct box *box, int *what) { box->in = what; }
void load(void) { put(&a, &x); put(&b, &y); }
int main(void) { load(); return 0; }
)");
  const Cells &cells = s.solver.cells;
  Id inA = cells.find(s.node("a"), s.field("in")),
     y = cells.find(s.node("y"), None);
  ASSERT_NE(inA, None);
  ASSERT_NE(y, None);
  EXPECT_FALSE(s.solver.graph.setOf(cells.content(inA)).test(y));
}

} // namespace
