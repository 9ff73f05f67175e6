//===- MemoryCopiesTest.cpp - Records that are copied whole ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::Contains;
using testing::Not;

namespace {

const std::string memoryCopiesCode = R"(
struct item { void *a, *b; }; struct outer { int n; struct item in; };
struct item from, to; struct outer outer; void *x;
void load(void) { to = from; }
int main(void) { load(); return 0; }
)";

struct MemoryCopying : testing::Test {
  PointsToParts p{memoryCopiesCode};
  MemoryCopying() {
    p.rules.see = [this](const Watch &w, ValueGraph::Ref what) {
      for (Id l : ValueGraph::Set(p.graph[what]))
        if (p.cells.isMemory(l))
          p.copies.join(w.other, l, w.use == Watch::Use::CopyFrom);
    };
    p.observer.see = [this](Id l) { p.copies.made(l); };
  }
  Id object(const std::string &name) {
    return p.cells.at(p.cells.variable(p.s.node(name))).object;
  }
  Id address(const std::string &name) {
    return p.addressOf(p.cells.variable(p.s.node(name)));
  }
  Id content(const std::string &variable, const std::string &field) {
    return p.cells.content(p.cells.location(object(variable), p.s.cell(field)));
  }
};

TEST_F(MemoryCopying, GoCellByCell) {
  Id x = p.cells.whole({MemoryObject::Variable, p.s.node("x")});
  p.graph.add(content("from", "a"), x);
  p.copies.copy(address("to"), address("from"), p.s.record("item"));
  p.run();
  EXPECT_THAT(p.at(content("to", "a")), Contains(x));
  EXPECT_THAT(p.at(content("to", "b")), Not(Contains(x)));
}

TEST_F(MemoryCopying, TakeCellsThatComeLater) {
  p.copies.copy(address("to"), address("from"), p.s.record("item"));
  p.run();
  Id x = p.cells.whole({MemoryObject::Variable, p.s.node("x")});
  p.graph.add(content("from", "b"), x);
  p.run();
  EXPECT_THAT(p.at(content("to", "b")), Contains(x));
}

TEST_F(MemoryCopying, OfAPartLeaveTheRest) {
  Id x = p.cells.whole({MemoryObject::Variable, p.s.node("x")});
  p.graph.add(content("from", "a"), x);
  p.copies.copy(address("outer"), address("from"), p.s.record("item"));
  p.run();
  EXPECT_THAT(p.at(content("outer", "a")), Contains(x));
  EXPECT_EQ(p.cells.locationIn(object("outer"), p.s.cell("n")), None);
}

} // namespace
