//===- TypeOverlaysTest.cpp - Records that lie in objects of other types --===//
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

const std::string typeOverlaysCode = R"(
struct item { int id; void *next; };
struct other { long a, b; };
struct head { int n; void *room[4]; };
struct item item; struct other other; struct head head; char small[2], big[64];
struct item *pointer;
void load(void) { pointer = (struct item *)big; }
int main(void) { load(); return 0; }
)";

struct Overlays : testing::Test {
  PointsToParts p{typeOverlaysCode};
  std::vector<Id> admitted(Id location) {
    ValueGraph::Set set;
    set.set(location);
    std::vector<Id> result;
    for (Id l : p.graph[p.overlays.admitted(p.s.record("item"),
                                            p.graph.of(std::move(set)))])
      result.push_back(l);
    return result;
  }
  Id variable(const std::string &name) {
    return p.cells.variable(p.s.node(name));
  }
};

TEST_F(Overlays, APointerTakesItsOwnRecordAndBytesThatAreLargeEnough) {
  EXPECT_THAT(admitted(variable("item")), ElementsAre(variable("item")));
  EXPECT_THAT(admitted(variable("big")), ElementsAre(variable("big")));
  EXPECT_THAT(admitted(variable("small")), ElementsAre(p.cells.mistyped()));
  EXPECT_THAT(admitted(variable("other")), ElementsAre(p.cells.mistyped()));
}

TEST_F(Overlays, BytesFromBeforeTakeTheTypeTheyAreUsedAs) {
  const uint64_t origin = origin::ofNode(p.s.node("pointer"));
  Id bytes = p.cells.preexisting(origin, None);
  EXPECT_THAT(admitted(bytes), ElementsAre(p.cells.preexistingRecord(
                                   origin, p.s.record("item"))));
}

TEST_F(Overlays, AnArrayOfPointersInARecordProvidesStorage) {
  Id object = p.cells.at(variable("head")).object;
  Id room = p.cells.location(object, p.s.cell("room"));
  EXPECT_FALSE(p.overlays.admitsCell(object, p.s.field("id")));
  EXPECT_THAT(admitted(room), ElementsAre(room));
  EXPECT_TRUE(p.overlays.admitsCell(object, p.s.field("next")));
}

TEST_F(Overlays, MarksPassEveryType) {
  EXPECT_THAT(admitted(p.cells.elsewhere()), ElementsAre(p.cells.elsewhere()));
}

} // namespace
