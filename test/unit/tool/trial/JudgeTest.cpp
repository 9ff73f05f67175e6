//===- JudgeTest.cpp - Whether a restarted program goes on as it should ---===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/Judge.h"
#include "llvm/ADT/STLExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace nvmove;
using testing::ElementsAre;

namespace {

TrialRun run(std::vector<std::string> answers, std::string rest = "",
             int status = 0) {
  TrialRun result;
  result.answers = std::move(answers);
  result.rest = std::move(rest);
  result.status = status;
  return result;
}

TEST(Judge, GoesOn) {
  TrialRun whole = run({"hello", "1", "2", "3"}, "bye");
  // What it says when it starts may differ.
  EXPECT_FALSE(judgeRun(whole, run({"again", "2", "3"}, "bye"), 1, false));
  EXPECT_FALSE(judgeRun(whole, run({"again"}, "bye"), 3, false));
}

TEST(Judge, Answers) {
  TrialRun whole = run({"hello", "1", "2", "3"}, "bye");
  auto loss = judgeRun(whole, run({"again", "2", "0"}, "bye"), 1, false);
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->kind, TrialLoss::Kind::Answer);
  EXPECT_EQ(loss->line, 3u);
  EXPECT_EQ(loss->want, "3");
  EXPECT_EQ(loss->got, "0");
  EXPECT_EQ(judgeRun(whole, run({"", "2", "3"}, "no"), 1, false)->line, 4u);
}

TEST(Judge, Hangs) {
  TrialRun whole = run({"", "1", "2"});
  TrialRun again = run({"", "1"});
  again.end = TrialRun::End::TimedOut;
  auto loss = judgeRun(whole, again, 0, false);
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->kind, TrialLoss::Kind::Hang);
  EXPECT_EQ(loss->line, 2u);
  again.answers.clear();
  EXPECT_EQ(judgeRun(whole, again, 1, false)->line, 0u);
  again = run({"", "1", "2"});
  again.outlives = true; // the end of its input
  EXPECT_EQ(judgeRun(whole, again, 0, false)->kind, TrialLoss::Kind::Hang);
}

TEST(Judge, Ends) {
  TrialRun whole = run({"", "1"});
  TrialRun again = run({"x"}, "", 78 << 8);
  again.end = TrialRun::End::Died;
  again.errors = "nvmove: pool p: ..\nnvmove: error: no [pool-layout]\n";
  auto loss = judgeRun(whole, again, 0, false);
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->kind, TrialLoss::Kind::Death);
  EXPECT_EQ(loss->line, 1u);
  EXPECT_EQ(loss->how, "status 78: nvmove: error: no [pool-layout]");
  // It ends with its input, but otherwise.
  EXPECT_EQ(judgeRun(whole, run({"", "1"}, "", 11), 0, false)->how,
            "signal 11 (Segmentation fault)");
}

TEST(Judge, Spread) {
  EXPECT_THAT(spread(0, 3, 10), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(spread(1, 9, 3), ElementsAre(1, 5, 9));
  EXPECT_THAT(spread(0, 100, 1), ElementsAre(50));
  EXPECT_TRUE(spread(1, 0, 5).empty());
}

TEST(Judge, Minimize) {
  size_t asked = 0;
  auto needs = [&](std::vector<size_t> needed) {
    return [&asked, needed](llvm::ArrayRef<size_t> kept) {
      ++asked;
      return std::optional(llvm::all_of(
          needed, [&](size_t i) { return llvm::is_contained(kept, i); }));
    };
  };
  EXPECT_THAT(minimize(50, needs({3, 17, 44})), ElementsAre(3, 17, 44));
  EXPECT_LT(asked, 120u);
  EXPECT_THAT(minimize(1, needs({0})), ElementsAre(0));
  EXPECT_TRUE(minimize(4, needs({})).empty());
  EXPECT_EQ(minimize(8,
                     [](llvm::ArrayRef<size_t>) -> std::optional<bool> {
                       return std::nullopt; // no time
                     })
                .size(),
            8u);
}

TEST(Judge, EventsOfEachLine) {
  // Few: all of them.
  EXPECT_THAT(chooseEvents({3, 5, 5, 8}, 1, 10), ElementsAre(2, 4, 5, 6, 7, 8));
  EXPECT_THAT(chooseEvents({0, 2}, 1, 10), ElementsAre(1, 2));
  EXPECT_TRUE(chooseEvents({7, 7}, 0, 10).size() <= 1);
  // A line with many has no more than others.
  EXPECT_THAT(chooseEvents({0, 100000, 100004, 100004, 100010}, 1, 6),
              ElementsAre(1, 100000, 100001, 100004, 100005, 100010));
  // Fewer than lines.
  EXPECT_THAT(chooseEvents({0, 100, 200, 300, 400, 500}, 1, 3),
              ElementsAre(51, 212, 474));
}

TEST(Judge, MasksWhatDiffersByItself) {
  AnswerMask line("pid 1\nedits 3\n", "pid 2\nedits 3\n");
  EXPECT_FALSE(line.empty());
  EXPECT_EQ(line.apply("pid 7\nedits 2\n"), "...\nedits 2\n");
  // Answers of another form are as long as they are.
  EXPECT_EQ(line.apply(""), "...");
  EXPECT_EQ(line.apply("pid 7\nedits 2\nmore\n"), "...\nedits 2\nmore\n");
  EXPECT_TRUE(AnswerMask("a\n", "a\n").empty());
  EXPECT_EQ(AnswerMask("a\n", "a\n").apply("b\n"), "b\n");
  AnswerMask all("a\n", "a\nb\n");
  EXPECT_FALSE(all.empty());
  EXPECT_EQ(all.apply("c\n"), all.apply(""));
}

TEST(Judge, RuntimeMessages) {
  TrialRun counted;
  counted.errors = "x\nnvmove: 93 crash events\n";
  EXPECT_EQ(countedEvents(counted), 93u);
  EXPECT_EQ(countedEvents(TrialRun()), 0u);
}

} // namespace
