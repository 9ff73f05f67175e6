//===- NearNamesTest.cpp - Which names are meant, perhaps -----------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/message/NearNames.h"
#include "gtest/gtest.h"

using namespace nvmove;

namespace {

TEST(NearNames, ClosestFirstAndNoneAtAll) {
  std::vector<std::string> names{"load", "loadAll", "save", "stop"};
  EXPECT_EQ(didYouMean("laod", names), "; did you mean load?");
  EXPECT_EQ(didYouMean("loadA", names), "; did you mean load, loadAll?");
  EXPECT_EQ(didYouMean("xyz", names), "");
}

} // namespace
