//===- RestoredSetTest.cpp - What comes back of static memory -------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/solve/state/RestoredSet.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace nvmove;
using testing::ElementsAre;

namespace {

Root root(std::string path, Id variable, std::vector<Id> fields = {}) {
  Root r;
  r.path = std::move(path);
  r.variable = variable;
  r.fields = std::move(fields);
  return r;
}

Root behind(std::string path, Id variable, Id container, Id field) {
  Root r = root(std::move(path), variable);
  r.container = container;
  r.containerFields = {{field}};
  return r;
}

std::vector<std::string> paths(const auto &list) {
  std::vector<std::string> result;
  for (const auto &item : list)
    result.push_back(item.path);
  return result;
}

TEST(RestoredSet, IsInOrderOfPathsWhateverIsAddedFirst) {
  RestoredSet set;
  set.add(root("b", 2));
  set.add(root("c", 3));
  set.add(root("a", 1));
  set.add(RestoredScalar{5, {}, "y", ""});
  set.add(RestoredScalar{4, {}, "x", ""});
  EXPECT_THAT(paths(set.roots()), ElementsAre("a", "b", "c"));
  EXPECT_THAT(paths(set.scalars()), ElementsAre("x", "y"));
}

TEST(RestoredSet, HoldsAWholeAndItsParts) {
  RestoredSet set;
  set.add(root("server.db", 1, {10}));
  set.add(RestoredScalar{2, {}, "limits", ""});
  EXPECT_TRUE(set.holds(1, {10}));
  EXPECT_TRUE(set.holds(1, {10, 11})) << "a part of the root";
  EXPECT_TRUE(set.holds(1, {})) << "the root is a part of it";
  EXPECT_FALSE(set.holds(1, {12})) << "beside the root";
  EXPECT_TRUE(set.holds(2, {13}));
  EXPECT_FALSE(set.holds(3, {}));
  EXPECT_TRUE(set.holdsPartOf(1));
  EXPECT_FALSE(set.holdsPartOf(3));
}

TEST(RestoredSet, WhatIsOnlyListedIsNotHeld) {
  RestoredSet set;
  Root listed = root("local", 1);
  listed.notKept = "a local variable";
  set.add(listed);
  EXPECT_FALSE(set.holdsPartOf(1));
  EXPECT_THAT(paths(set.roots()), ElementsAre("local"));
}

TEST(RestoredSet, OfARecordBehindAPointerItHoldsTheFieldsAlone) {
  RestoredSet set;
  set.add(behind("server->jobs", 1, /*container=*/7, /*field=*/20));
  EXPECT_TRUE(set.holds(1, {20}));
  EXPECT_FALSE(set.holds(1, {21}));
}

TEST(RestoredSet, WhatIsLeftComesBackNoMore) {
  RestoredSet set;
  set.add(root("clients", 1));
  set.add(root("dict", 2));
  set.add(RestoredScalar{3, {}, "clients_seen", ""});
  auto isOfClients = [](const std::string &path) {
    return path.starts_with("clients");
  };
  EXPECT_TRUE(set.leave(isOfClients, "as asked for"));
  EXPECT_FALSE(set.holdsPartOf(1));
  EXPECT_FALSE(set.holdsPartOf(3));
  EXPECT_TRUE(set.holdsPartOf(2));
  EXPECT_EQ(set.roots()[0].notKept, "as asked for");
  EXPECT_THAT(paths(set.scalars()), ElementsAre());
  EXPECT_FALSE(set.leave([](const std::string &) { return false; }, ""));
}

TEST(RestoredSet, ReplacedRootsAreForgotten) {
  RestoredSet set;
  set.add(root("app", 1));
  set.add(root("table", 2));
  IdSet indices;
  indices.insert(0);
  set.replace(indices, {behind("app->items", 1, 7, 30)});
  EXPECT_THAT(paths(set.roots()), ElementsAre("app->items", "table"));
  EXPECT_TRUE(set.holds(1, {30}));
  EXPECT_FALSE(set.holds(1, {31})) << "app itself is no root any more";
}

TEST(RestoredSet, AChangedRootIsHeldAsItIsNow) {
  RestoredSet set;
  set.add(root("a", 1));
  set.changeRoots([](Root &r) { r.notKept = "not a block of its own"; });
  EXPECT_FALSE(set.holdsPartOf(1));
}

TEST(RestoredSet, HasSeedsBesideRootsAndScalars) {
  RestoredSet set;
  set.add(root("a", 1));
  set.add(RestoredScalar{2, {}, "n", ""});
  KeptScalar seed;
  seed.path = "seed";
  set.add(seed);
  EXPECT_THAT(paths(set.roots()), ElementsAre("a"));
  EXPECT_THAT(paths(set.scalars()), ElementsAre("n"));
  EXPECT_THAT(paths(set.seeds()), ElementsAre("seed"));
}

} // namespace
