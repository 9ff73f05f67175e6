//===- NamesTest.cpp - Words of the reports -------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/report/Names.h"
#include "gtest/gtest.h"

using namespace nvmove;

namespace {

TEST(Counted, OneOfSeveral) {
  EXPECT_EQ(counted(2, "files"), "2 files");
  EXPECT_EQ(counted(0, "files"), "0 files");
  EXPECT_EQ(counted(1, "files"), "1 file");
  EXPECT_EQ(counted(1, "persistent types"), "1 persistent type");
  EXPECT_EQ(counted(1, "calls of nvm_start"), "1 call of nvm_start");
  EXPECT_EQ(counted(1, "stores announced: lvalue"),
            "1 store announced: lvalue");
  EXPECT_EQ(counted(1, "not covered"), "1 not covered");
}

} // namespace
