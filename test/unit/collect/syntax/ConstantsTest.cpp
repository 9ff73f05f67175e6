//===- ConstantsTest.cpp - What is known when a program is compiled -------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/syntax/Constants.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::Eq;
using testing::Optional;

namespace {

TEST(Constants, NullPointers) {
  ParsedSource s("void f(int *p) { 0; (void *)0; (void (*)(int))0; (char *)"
                 "(void *)0; 1; (void *)1; p; }");
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_TRUE(isNullPointer(s.ast(), s.expression(i))) << i;
  for (unsigned i = 4; i < 7; ++i)
    EXPECT_FALSE(isNullPointer(s.ast(), s.expression(i))) << i;
}

TEST(Constants, Integers) {
  ParsedSource s("enum { three = 3 }; void f(int n) { 7; -1; three + 1; "
                 "sizeof(char); n; 1.0; }");
  EXPECT_THAT(constantOf(s.ast(), s.expression(0)), Optional(7));
  EXPECT_THAT(constantOf(s.ast(), s.expression(1)), Optional(~uint64_t(0)));
  EXPECT_THAT(constantOf(s.ast(), s.expression(2)), Optional(4));
  EXPECT_THAT(constantOf(s.ast(), s.expression(3)), Optional(1));
  EXPECT_THAT(constantOf(s.ast(), s.expression(4)), Eq(std::nullopt));
  EXPECT_THAT(constantOf(s.ast(), s.expression(5)), Eq(std::nullopt));
  EXPECT_TRUE(isNaturalConstant(s.ast(), s.expression(0)));
  EXPECT_FALSE(isNaturalConstant(s.ast(), s.expression(1)));
  EXPECT_FALSE(isNaturalConstant(s.ast(), s.expression(4)));
}

TEST(Constants, AsAPlaceHoldsThem) {
  ParsedSource s(
      "struct s { unsigned bits : 2; _Bool flag; } g; signed char c; "
      "char *p; void f(void) { 7; 255; 0; }");
  auto in = [&](const clang::ValueDecl *place, unsigned index) {
    return valueIn(s.ast(), place, s.expression(index));
  };
  EXPECT_THAT(in(s.find<clang::FieldDecl>("bits"), 0), Optional(3));
  EXPECT_THAT(in(s.find<clang::FieldDecl>("flag"), 0), Optional(1));
  EXPECT_THAT(in(s.find("c"), 1), Optional(~uint64_t(0)));
  EXPECT_THAT(in(s.find("p"), 2), Optional(0));
  EXPECT_THAT(in(s.find("p"), 0), Eq(std::nullopt));
  EXPECT_TRUE(fits(s.ast(), s.expression(0), s.find("c")->getType()));
  EXPECT_FALSE(fits(s.ast(), s.expression(1), s.find("c")->getType()));
}

} // namespace
