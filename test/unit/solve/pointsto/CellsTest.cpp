//===- CellsTest.cpp - Memory as the analysis sees it ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace {

const std::string cellsCode = R"(
struct inner { int size; };
struct item { int id; union { char *name; long number; } u; struct inner in; };
struct item first; void *any;
void load(void) {}
int main(void) { load(); return 0; }
)";

TEST(Cells, WhatIsThereIsGivenBack) {
  PointsToParts p(cellsCode);
  Id whole = p.cells.variable(p.s.node("first"));
  Id object = p.cells.at(whole).object;
  EXPECT_EQ(p.cells.find(p.s.node("first"), p.s.field("id")), None);
  Id id = p.cells.location(object, p.s.cell("id"));
  EXPECT_EQ(p.cells.location(object, p.s.cell("id")), id);
  EXPECT_EQ(p.cells.find(p.s.node("first"), p.s.field("id")), id);
  EXPECT_THAT(p.cells.locationsOf(object), ElementsAre(whole, id));
  EXPECT_EQ(p.cells.content(whole), p.s.node("first"));
}

TEST(Cells, FieldsOfAUnionShareACell) {
  PointsToParts p(cellsCode);
  EXPECT_EQ(p.s.cell("name"), p.s.cell("number"));
  EXPECT_NE(p.s.cell("name"), p.s.cell("id"));
}

TEST(Cells, TheObserverIsToldOnce) {
  PointsToParts p(cellsCode);
  std::vector<Id> told;
  p.observer.see = [&](Id l) { told.push_back(l); };
  Id l = p.cells.variable(p.s.node("first"));
  p.cells.variable(p.s.node("first"));
  EXPECT_THAT(told, ElementsAre(l));
}

TEST(Cells, MarksAreNoMemory) {
  PointsToParts p(cellsCode);
  for (Id l : {p.cells.fileBytes(), p.cells.elsewhere(), p.cells.mistyped()}) {
    EXPECT_FALSE(p.cells.isMemory(l));
    EXPECT_TRUE(p.graph.isMark(l));
  }
  EXPECT_TRUE(p.cells.isMemory(p.cells.variable(p.s.node("first"))));
}

TEST(Cells, BytesFromBeforeAreAnObjectForEachRecord) {
  PointsToParts p(cellsCode);
  const uint64_t origin = origin::ofNode(p.s.node("any"));
  Id bytes = p.cells.at(p.cells.preexisting(origin, None)).object;
  EXPECT_THAT(p.cells.usedAs(bytes), IsEmpty());
  Id item =
      p.cells.at(p.cells.preexistingRecord(origin, p.s.record("item"))).object;
  EXPECT_THAT(p.cells.usedAs(bytes), ElementsAre(item));
  EXPECT_THAT(p.cells.usedAs(item), IsEmpty());
  EXPECT_EQ(p.cells.describe(item), "item, created before the load");
}

TEST(Cells, ScalarCellsAreThoseOfRecordsInside) {
  PointsToParts p(cellsCode);
  auto cells = p.cells.scalarCells(p.s.record("item"));
  EXPECT_THAT(cells, Contains(p.s.cell("id")));
  EXPECT_THAT(cells, Contains(p.s.cell("size")));
  EXPECT_THAT(cells, Not(Contains(p.s.cell("in"))));
}

} // namespace
