//===- EditSetTest.cpp - Edits that nest, without conflict ----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/EditSet.h"
#include "test/unit/rewrite/RewriteTesting.h"

using namespace nvmove;
using namespace nvmove::test;

namespace {

struct Edited : FactsBuilder {
  EditSet set;
  Edited() { file("/p/a.c", "ab\ncdefgh"); }
  std::string text() {
    auto edits = set.finish(facts, contents);
    return edits ? apply(*edits, 0, contents[0])
                 : "error: " + llvm::toString(edits.takeError());
  }
};

TEST(EditSet, OuterAroundInner) {
  Edited e;
  e.set.wrap({0, 3, 9}, "(", ")", Layer::Stores, Rank::Store);
  e.set.wrap({0, 3, 5}, "[", "]", Layer::Stores, Rank::Store);
  e.set.wrap({0, 7, 9}, "<", ">", Layer::Stores, Rank::Store);
  EXPECT_EQ(e.text(), "ab\n([cd]ef<gh>)");
}

TEST(EditSet, RankDecidesBetweenEqualRanges) {
  Edited e;
  e.set.wrap({0, 3, 5}, "[", "]", Layer::Stores, Rank::Store);
  e.set.wrap({0, 3, 5}, "<", ">", Layer::Stores, Rank::Allocation);
  e.set.wrap({0, 3, 5}, "{", "}", Layer::Stores, Rank::Section);
  e.set.replace({0, 3, 5}, "x", Layer::Stores);
  EXPECT_EQ(e.text(), "ab\n{[<x>]}efgh");
}

TEST(EditSet, NeighboursAndInsertions) {
  Edited e;
  e.set.wrap({0, 5, 7}, "<", ">", Layer::Stores, Rank::Store);
  e.set.insert(0, 5, "|", Layer::Stores);
  e.set.wrap({0, 3, 5}, "[", "]", Layer::Stores, Rank::Store);
  EXPECT_EQ(e.text(), "ab\n[cd]|<ef>gh");
}

TEST(EditSet, EqualRequestsCountOnce) {
  Edited e;
  EXPECT_TRUE(e.set.wrap({0, 3, 5}, "[", "]", Layer::Stores, Rank::Store));
  EXPECT_FALSE(e.set.wrap({0, 3, 5}, "[", "]", Layer::Stores, Rank::Store));
  EXPECT_EQ(e.text(), "ab\n[cd]efgh");
}

TEST(EditSet, CrossingIsAnError) {
  const char *error =
      "error: /p/a.c:2:2: two edits overlap here [edit-overlap]";
  Edited wraps;
  wraps.set.wrap({0, 3, 6}, "[", "]", Layer::Stores, Rank::Store);
  wraps.set.wrap({0, 4, 8}, "<", ">", Layer::Stores, Rank::Store);
  EXPECT_EQ(wraps.text(), error);

  Edited insideReplacement;
  insideReplacement.set.replace({0, 3, 6}, "x", Layer::Stores);
  insideReplacement.set.wrap({0, 4, 5}, "<", ">", Layer::Stores, Rank::Store);
  EXPECT_EQ(insideReplacement.text(), error);

  Edited insertion;
  insertion.set.replace({0, 3, 6}, "x", Layer::Stores);
  insertion.set.insert(0, 4, "<", Layer::Stores);
  EXPECT_EQ(insertion.text(), error);

  Edited twice;
  twice.set.wrap({0, 4, 6}, "[", "]", Layer::Stores, Rank::Store);
  twice.set.wrap({0, 4, 6}, "<", ">", Layer::Stores, Rank::Store);
  EXPECT_EQ(twice.text(), error);
}

TEST(EditSet, FirstLayerOfAFile) {
  Edited e;
  e.set.wrap({0, 3, 5}, "[", "]", Layer::Stores, Rank::Store);
  e.set.insert(0, 0, "x", Layer::Sections);
  EXPECT_EQ(e.set.editedFiles().at(0), Layer::Sections);
}

} // namespace
