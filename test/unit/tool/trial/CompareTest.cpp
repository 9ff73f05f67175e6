//===- CompareTest.cpp - What differs between two runs --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Compare.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace nvmove;

namespace {

Snapshot memory(std::vector<MemoryValue> values) {
  Snapshot snapshot;
  snapshot.values = std::move(values);
  return snapshot;
}

TEST(Compare, Memory) {
  Snapshot a = memory({{"n", "5", 0},
                       {"t[2]", "7", 1},
                       {"l", "(object)", 2},
                       {"l->n", "1", 2, true, false},
                       {"seed", "8", 3}}),
           b = memory({{"n", "5", 0},
                       {"t[3]", "4", 1},
                       {"l", "NULL", 2},
                       {"seed", "9", 3}});
  std::string text;
  for (const ValueDifference &d : compareMemory(a, b, {{"seed", 3}}))
    text += d.path + " " + d.undisturbed + " " + d.killed + "\n";
  EXPECT_EQ(text, "t[2] 7 0\nl (object) NULL\nl->n 1 (not there)\nt[3] 0 4\n");
  EXPECT_TRUE(compareMemory(a, a).empty());
}

TEST(Compare, Answers) {
  EXPECT_EQ(compareAnswers({"a", "b", ""}, {"a", "b", ""}, false),
            std::nullopt);
  // An answer that comes with the next one is the same answer.
  EXPECT_EQ(compareAnswers({"a", "b", ""}, {"", "ab", ""}, false),
            std::nullopt);
  EXPECT_EQ(compareAnswers({"a", "b", ""}, {"a", "c", ""}, false), 1u);
  EXPECT_EQ(compareAnswers({"a", "b", ""}, {"a"}, false), 1u);
  EXPECT_EQ(compareAnswers({"", "", "abc"}, {"", "bc"}, true), std::nullopt);
  EXPECT_EQ(compareAnswers({"", "", "abc"}, {"", ""}, true), 2u);
}

TEST(Compare, OneLineForEachStaticWorstFirst) {
  std::vector<ValueDifference> differences = {
      {"line", "\"a\"", "\"\"", 0, true, true},
      {"tab[1]", "3", "4", 1, true, true},
      {"tab[2]", "7", "0", 1, true, true},
      {"edits", "5", "0", 2, true, true},
      {"rest[1]", "1", "2", 3, false, false},
  };
  auto list = groupByStatic(
      differences, [](const ValueDifference &d) { return d.variable != 0; },
      memory({{"edits", "0", 2}, {"tab[1]", "1", 1}}), 3);
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].path, "tab[2]"); // as at the start, which tab[1] is not
  EXPECT_EQ(list[0].places, 2u);
  EXPECT_TRUE(list[0].asAtStart);
  EXPECT_EQ(list[1].path, "edits");
  EXPECT_EQ(list[1].killedAfter, 3u);
  EXPECT_EQ(list[2].path, "line");
  EXPECT_FALSE(list[2].lasting);
  EXPECT_EQ(list[3].path, "rest[1]");
  EXPECT_FALSE(list[3].certain);
}

} // namespace
