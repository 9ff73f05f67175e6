//===- PathsTest.cpp - Names of files -------------------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/files/Paths.h"
#include "gtest/gtest.h"

using namespace nvmove;

namespace {

TEST(Paths, Relative) {
  EXPECT_EQ(relativePath("/p/src/a.c", "/p"), "src/a.c");
  EXPECT_EQ(relativePath("/p/deps/x.h", "/p/src"), "../deps/x.h");
  EXPECT_EQ(relativePath("/p", "/p"), ".");
  EXPECT_EQ(relativePath("/p2/a.c", "/p"), "../p2/a.c");
}

TEST(Paths, Within) {
  EXPECT_TRUE(isWithin("/p/a.c", "/p"));
  EXPECT_TRUE(isWithin("/p", "/p"));
  EXPECT_TRUE(isWithin("/p", "/"));
  EXPECT_FALSE(isWithin("/p2/a.c", "/p"));
}

TEST(Paths, CommonDirectory) {
  using Files = std::vector<std::string>;
  EXPECT_EQ(commonDirectory(Files{"/p/src/a.c"}), "/p/src");
  EXPECT_EQ(commonDirectory(Files{"/p/src/a.c", "/p/src2/b.c"}), "/p");
  EXPECT_EQ(commonDirectory(Files{"/p/a.c", "/q/b.c"}), "/");
}

} // namespace
