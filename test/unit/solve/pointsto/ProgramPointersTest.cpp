//===- ProgramPointersTest.cpp - What points-to asks of the text ----------===//
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

const std::string programPointersCode = R"(
typedef struct handle handle; handle *open_it(void);
struct header { int id; void *next; };
char bytes[64]; int plain[4]; handle *h;
struct header *as;
void load(void) {
  struct header *once = (struct header *)bytes, *twice = as;
  if (once) twice = once;
  as = twice; h = open_it();
}
int main(void) { load(); return 0; }
)";

TEST(ProgramPointers, ALocalMayHaveOneDefinition) {
  Snippet s(programPointersCode);
  EXPECT_TRUE(s.text.isDefinedOnce(s.node("once")));
  EXPECT_FALSE(s.text.isDefinedOnce(s.node("twice")));
  EXPECT_FALSE(s.text.isDefinedOnce(s.node("as")));
}

TEST(ProgramPointers, ALocalOfWhatLeadsToTheLoadMayHoldMore) {
  Snippet s(programPointersCode);
  PointsToOptions options;
  options.onTheWay.insert(s.function("load"));
  const PointsToInput onTheWay{s.program,  s.allocators, s.flow,
                               s.nullness, s.text,       options};
  EXPECT_TRUE(s.input.isDefinedOnce(s.node("once")));
  EXPECT_FALSE(onTheWay.isDefinedOnce(s.node("once")));
}

TEST(ProgramPointers, KnowsWhatNoFileDefinesAndWhatArraysAreCastTo) {
  Snippet s(programPointersCode);
  EXPECT_TRUE(s.text.isOpaque(s.record("handle")));
  EXPECT_FALSE(s.text.isOpaque(s.record("header")));
  const std::pair<Id, Id> cast{s.node("bytes"), s.record("header")};
  ASSERT_TRUE(s.text.arrayCasts().count(cast));
  EXPECT_THAT(s.text.arrayCasts().at(cast), ElementsAre(s.function("load")));
}

} // namespace
