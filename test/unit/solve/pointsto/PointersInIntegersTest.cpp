//===- PointersInIntegersTest.cpp - Integers that hold addresses ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/pointsto/PartsTesting.h"

using namespace nvmove;
using namespace nvmove::test;

namespace {

TEST(PointersInIntegers, OnlyWhereTheProgramCastsThemBack) {
  Snippet s(R"(
struct item { long next; long length; };
struct item *first;
void load(void) {
  first->next = (long)first;
  first->length = (long)first;
  first = (struct item *)first->next;
}
int main(void) { load(); return 0; }
)");
  const PointersInIntegers &integers = s.text.integers();
  EXPECT_TRUE(integers.mayHoldPointer(s.program.slotOf(s.field("next"))));
  EXPECT_FALSE(integers.mayHoldPointer(s.program.slotOf(s.field("length"))));
}

TEST(PointersInIntegers, AGlobalThatIsNeverCastIsAPlainNumber) {
  Snippet s(R"(
long hidden, count; void *p;
void load(void) { p = (void *)hidden; count = hidden; }
int main(void) { load(); return 0; }
)");
  EXPECT_TRUE(s.text.plainNumbers()[s.node("count")]);
  EXPECT_FALSE(s.text.plainNumbers()[s.node("hidden")]);
  EXPECT_FALSE(s.text.plainNumbers()[s.node("p")]);
}

} // namespace
