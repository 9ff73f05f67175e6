//===- StaticEvidenceTest.cpp - Whether a static scalar comes back --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/StaticEvidence.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace nvmove;
using testing::ElementsAre;

namespace {

struct Tables {
  Facts facts;
  std::unique_ptr<Program> program;
  std::unique_ptr<StaticEvidence> statics;

  explicit Tables(std::vector<std::string> names) {
    facts.files.push_back({"/src/a.c"});
    for (const std::string &name : names) {
      Node n;
      n.kind = NodeKind::Global;
      n.name = name;
      n.isDefined = true;
      facts.nodes.push_back(n);
    }
    program = std::make_unique<Program>(facts);
    statics = std::make_unique<StaticEvidence>(*program);
  }
  std::vector<std::string> reported() const {
    FindingList list;
    statics->reportTo(list);
    std::vector<std::string> result;
    for (const Finding &f : std::as_const(list))
      result.push_back(f.kind().id.str() + ": " + f.what.substr(0, 24));
    return result;
  }
  std::vector<std::string> scalars() const {
    std::vector<std::string> result;
    for (const RestoredScalar &s : statics->restored().scalars())
      result.push_back(s.path + ": " + s.why);
    return result;
  }
};

constexpr Loc Line3{0, 3, 1}, Line7{0, 7, 1};

TEST(Decide, WithoutEvidenceNothingIsDecided) {
  EXPECT_EQ(decide({}).verdict, Verdict::Open);
}

TEST(Decide, WhatSpeaksForComingBackBeatsWhatWouldBeReported) {
  Decision d = decide({Evidence::SetByLoad, Evidence::CountsLoaded});
  EXPECT_EQ(d.verdict, Verdict::Restored);
  EXPECT_EQ(d.by, Evidence::CountsLoaded);
}

TEST(Decide, OfWhatSpeaksAlikeTheFirstIsTheReason) {
  EXPECT_EQ(decide({Evidence::CountsLoaded, Evidence::GetsFileData}).by,
            Evidence::CountsLoaded);
}

TEST(Decide, ADescriptorNeverComesBack) {
  EXPECT_EQ(decide({Evidence::GetsFileData, Evidence::HoldsOpenFile}).verdict,
            Verdict::Reported);
}

TEST(Decide, ASeedKeepsItsFirstValue) {
  EXPECT_EQ(decide({Evidence::SaysWhere, Evidence::Seed}).verdict,
            Verdict::Kept);
  EXPECT_EQ(decide({Evidence::IndexOfRoot, Evidence::Seed}).verdict,
            Verdict::Kept);
}

/// Whichever rule comes first: all orders of all sets of four kinds.
TEST(Decide, DoesNotDependOnTheOrder) {
  std::vector<Evidence> kinds;
  for (size_t k = 0; k <= size_t(Evidence::StoredButReset); ++k)
    kinds.push_back(Evidence(k));
  for (Evidence a : kinds)
    for (Evidence b : kinds)
      for (Evidence c : kinds) {
        std::vector<Evidence> seen{a, b, c};
        std::sort(seen.begin(), seen.end());
        const Verdict verdict = decide(seen).verdict;
        EXPECT_NE(verdict, Verdict::Open);
        while (std::next_permutation(seen.begin(), seen.end()))
          EXPECT_EQ(decide(seen).verdict, verdict);
      }
}

TEST(StaticEvidence, RestoresOnceWithTheFirstReason) {
  Tables t({"count"});
  EXPECT_TRUE(t.statics->note({0, {}}, {Evidence::CountsLoaded, Line3}));
  EXPECT_FALSE(t.statics->note({0, {}}, {Evidence::GetsFileData, Line7}));
  EXPECT_THAT(t.scalars(),
              ElementsAre("count: counts what is loaded at a.c:3"));
  EXPECT_TRUE(t.statics->restored().holdsPartOf(0));
  EXPECT_THAT(t.reported(), ElementsAre());
}

TEST(StaticEvidence, TheDetailStandsInTheReason) {
  Tables t({"count"});
  t.statics->note({0, {}}, {Evidence::CountsTable, Line3, None, "marked"});
  EXPECT_THAT(t.scalars(),
              ElementsAre("count: counts what is in marked, at a.c:3"));
}

TEST(StaticEvidence, WhatComesBackIsNotReportedThoughThatWasSeenBefore) {
  Tables t({"head"});
  t.statics->note({0, {}}, {Evidence::SetByLoad, Line3});
  EXPECT_TRUE(t.statics->isLost({0, {}}));
  EXPECT_TRUE(t.statics->note({0, {}}, {Evidence::SaysWhere, Line7}));
  EXPECT_THAT(t.reported(), ElementsAre());
  EXPECT_TRUE(t.statics->isRestored({0, {}}));
}

TEST(StaticEvidence, ADescriptorIsTakenOutAgain) {
  Tables t({"log"});
  t.statics->note({0, {}}, {Evidence::CountsLoaded, Line3});
  t.statics->note({0, {}}, {Evidence::HoldsOpenFile, Line7, None, "open"});
  EXPECT_THAT(t.scalars(), ElementsAre());
  EXPECT_FALSE(t.statics->restored().holdsPartOf(0));
  EXPECT_THAT(t.reported(),
              ElementsAre("holds-descriptor: log is set by the load t"));
}

TEST(StaticEvidence, EachKindIsReportedOnceAndOthersBeside) {
  Tables t({"head"});
  t.statics->note({0, {}}, {Evidence::SetByLoad, Line3});
  t.statics->note({0, {}}, {Evidence::SetOnWay, Line7});
  t.statics->note({0, {}}, {Evidence::HoldsOpenFile, Line7, None, "open"});
  t.statics->note({0, {}}, {Evidence::IndexOfRoot, Line7});
  EXPECT_THAT(t.reported(),
              ElementsAre("set-by-load: head is set by the load,",
                          "index-not-kept: head is an index or offs"));
}

/// Two statics of one name, each in its file: what is known of the one says
/// nothing of the other.
TEST(StaticEvidence, PlacesAreNotToldApartByTheirNames) {
  Tables t({"level", "level"});
  t.statics->note({0, {}}, {Evidence::SetByLoad, Line3});
  EXPECT_TRUE(t.statics->isLost({0, {}}));
  EXPECT_FALSE(t.statics->isLost({1, {}}));
}

TEST(StaticEvidence, ASeedIsKeptAndNeitherRestoredNorReported) {
  Tables t({"seed"});
  KeptScalar seed;
  seed.variable = 0;
  t.statics->note(seed);
  t.statics->note({0, {}}, {Evidence::SaysHowLarge, Line3});
  t.statics->note({0, {}}, {Evidence::IndexOfRoot, Line7});
  EXPECT_THAT(t.scalars(), ElementsAre());
  EXPECT_THAT(t.reported(), ElementsAre());
  ASSERT_EQ(t.statics->restored().seeds().size(), 1u);
  EXPECT_EQ(t.statics->restored().seeds()[0].why,
            "differs from run to run and decides where loaded data are");
}

} // namespace
