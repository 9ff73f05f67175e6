//===- PriorContentsTest.cpp - What memory held before the load -----------===//
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

namespace {

const std::string priorContentsCode = R"(
struct item { int id; struct item *next; };
struct item *items; const int fixed = 3; int number;
struct queue { struct item *first, **last; } queue;
void setup(void) { queue.last = &queue.first; }
void load(void) { items = items->next; *queue.last = items; number++; }
int main(void) { setup(); load(); return 0; }
)";

TEST(PriorContents, AStaticPointerLeadsToAnObjectOfBefore) {
  PointsToParts p(priorContentsCode);
  p.prior.prepare(p.s.node("items"));
  auto held = p.at(p.s.node("items"));
  ASSERT_EQ(held.size(), 1u);
  const MemoryObject &o = p.cells.objectAt(held[0]);
  EXPECT_EQ(o.kind, MemoryObject::Preexisting);
  EXPECT_EQ(o.record, p.s.record("item"));
  // The next of any item of before is one object, whichever it hangs from.
  Id next = p.cells.location(p.cells.at(held[0]).object, p.s.cell("next"));
  EXPECT_THAT(p.at(p.cells.content(next)), IsEmpty());
  p.prior.materialise(next);
  EXPECT_THAT(
      p.at(p.cells.content(next)),
      ElementsAre(p.cells.preexisting(
          origin::ofField(p.s.field("next")),
          p.s.program.pointee(p.s.facts.fields[p.s.field("next")].type))));
}

TEST(PriorContents, AStaticNumberHasTheMarkOfItsValue) {
  PointsToParts p(priorContentsCode);
  p.prior.prepare(p.s.node("number"));
  auto held = p.at(p.s.node("number"));
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(p.cells.objectAt(held[0]).kind, MemoryObject::StaticValue);
  p.prior.prepare(p.s.node("fixed"));
  EXPECT_THAT(p.at(p.s.node("fixed")), IsEmpty());
}

TEST(PriorContents, AddressesOfTheTextAreThere) {
  PointsToParts p(priorContentsCode);
  Id object = p.cells.at(p.cells.variable(p.s.node("queue"))).object;
  Id last = p.cells.location(object, p.s.cell("last"));
  p.prior.materialise(last);
  EXPECT_THAT(p.at(p.cells.content(last)),
              Contains(p.cells.location(object, p.s.cell("first"))));
}

} // namespace
