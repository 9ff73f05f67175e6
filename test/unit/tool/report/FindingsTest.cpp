//===- FindingsTest.cpp - Findings that ask the same question -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Findings.h"
#include "gtest/gtest.h"

REPORTS(NoBody)

using namespace nvmove;

namespace {

ShownFinding finding(Severity severity, unsigned line, std::string what,
                     std::string subject, std::string advice = "look") {
  return {FindingId::NoBody,
          severity,
          "a.c",
          line,
          1,
          "f",
          std::move(what),
          std::move(advice),
          std::move(subject)};
}

TEST(Questions, DifferOnlyInNameOrPlace) {
  std::vector<ShownFinding> found = {
      finding(Severity::Check, 1, "keep has no body", "keep"),
      finding(Severity::Check, 2, "hold has no body", "hold"),
      finding(Severity::Check, 3, "keep has no body", "keep"),
      finding(Severity::Check, 3, "it is odd", ""),
      finding(Severity::Check, 4, "it is odd", ""),
      finding(Severity::Check, 4, "it is odd", "", "do something else"),
      finding(Severity::Note, 5, "keep has no body", "keep")};
  auto questions = questionsOf(found, Severity::Check);
  ASSERT_EQ(questions.size(), 3u);
  EXPECT_EQ(questions[0].what, "keep, hold has no body");
  EXPECT_EQ(questions[0].places, 3u);
  ASSERT_EQ(questions[0].findings.size(), 3u);
  EXPECT_EQ(questions[0].findings[1], &found[1]);
  EXPECT_EQ(questions[1].what, "it is odd");
  EXPECT_EQ(questions[1].places, 2u);
  EXPECT_EQ(questions[2].first().advice, "do something else");
  EXPECT_EQ(questionsOf(found, Severity::Note).size(), 1u);
  EXPECT_TRUE(questionsOf(found, Severity::Act).empty());
}

} // namespace
