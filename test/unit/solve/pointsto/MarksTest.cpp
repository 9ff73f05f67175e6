//===- MarksTest.cpp - Values that lead to nothing that is followed -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;

namespace {

const std::string marksCode = R"(
typedef struct FILE FILE; unsigned long fread(void *, unsigned long, unsigned long, FILE *);
struct item { int id; char name[8]; }; struct item item; FILE *in;
struct pair { void *a, *b; } pair;
void load(void) { fread(&item, sizeof item, 1, in); }
int main(void) { load(); return 0; }
)";

TEST(Marks, AFilledRecordHoldsFileBytesInEachField) {
  PointsToParts p(marksCode);
  Id l = p.cells.variable(p.s.node("item")), call = p.s.callOf("fread");
  p.marks.fill(call, l);
  EXPECT_THAT(p.marks.fills(), ElementsAre(std::pair(l, call)));
  for (const char *field : {"id", "name"}) {
    Id cell = p.cells.find(p.s.node("item"), p.s.field(field));
    ASSERT_NE(cell, None);
    EXPECT_THAT(p.at(p.cells.content(cell)), ElementsAre(p.cells.fileBytes()));
  }
}

TEST(Marks, WhatIsSpoiledIsSoAlsoWhereItIsMetLater) {
  PointsToParts p(marksCode);
  p.observer.see = [&](Id l) { p.marks.made(l); };
  Id l = p.cells.variable(p.s.node("pair")), object = p.cells.at(l).object;
  Id a = p.cells.location(object, p.s.cell("a"));
  p.marks.spoil(l);
  Id b = p.cells.location(object, p.s.cell("b"));
  for (Id cell : {a, b})
    EXPECT_THAT(p.at(p.cells.content(cell)), ElementsAre(p.cells.elsewhere()));
}

TEST(Marks, OfANodeMarksAloneAreTaken) {
  PointsToParts p(marksCode);
  Id n = p.addressOf(p.cells.variable(p.s.node("pair")));
  p.graph.add(n, p.cells.fileBytes());
  Id marks = p.marks.of(n);
  p.run();
  EXPECT_THAT(p.at(marks), ElementsAre(p.cells.fileBytes()));
  EXPECT_EQ(p.marks.of(n), marks);
}

} // namespace
