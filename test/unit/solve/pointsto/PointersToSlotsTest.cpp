//===- PointersToSlotsTest.cpp - Pointers to where the next pointer goes --===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::IsEmpty;

namespace {

const std::string pointersToSlotsCode = R"(
struct item { struct item *next; };
struct queue { struct item *first, **last; } queue;
struct link { struct link *after; } ring, other;
void setup(struct link *head) { queue.last = &queue.first; head->after = head; }
void load(void) {}
int main(void) { setup(&ring); setup(&other); load(); return 0; }
)";

TEST(PointersToSlots, KnowsTheAddressesThatAreStored) {
  Snippet s(pointersToSlotsCode);
  const auto &addresses =
      s.text.slots().addressesIn(s.program.slotOf(s.field("last")));
  ASSERT_EQ(addresses.size(), 1u);
  EXPECT_EQ(addresses[0].within, s.node("queue"));
  EXPECT_EQ(addresses[0].target.variable, s.node("queue"));
  EXPECT_EQ(addresses[0].target.field, s.field("first"));
  EXPECT_THAT(s.text.slots().addressesIn(s.program.slotOf(s.field("first"))),
              IsEmpty());
}

TEST(PointersToSlots, KnowsFieldsThatLeadToTheirOwnObject) {
  Snippet s(pointersToSlotsCode);
  EXPECT_TRUE(s.text.slots().isSelfLink(s.field("after")));
  EXPECT_FALSE(s.text.slots().isSelfLink(s.field("next")));
}

} // namespace
