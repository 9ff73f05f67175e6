//===- VariableUsesTest.cpp - How a body uses its variables ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/VariableUses.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;
using testing::Pair;

namespace {

TEST(VariableUses, Changed) {
  ParsedSource s(
      "void g(int *); int f(int a, int b, int c, int d) { a = 1; b++; "
      "g(&c); return d; }");
  VariableUses uses = VariableUses::of(s.ast(), s.body());
  for (const char *name : {"a", "b", "c"})
    EXPECT_TRUE(uses.changed.contains(s.find(name))) << name;
  EXPECT_FALSE(uses.changed.contains(s.find("d")));
  EXPECT_TRUE(uses.addressTaken.contains(s.find("c")));
  EXPECT_FALSE(uses.addressTaken.contains(s.find("a")));
  const auto *reads = llvm::cast<clang::ReturnStmt>(s.statement(3));
  EXPECT_EQ(uses.unchangedParameter(reads->getRetValue()), s.find("d"));
  EXPECT_FALSE(uses.parallel);
}

TEST(VariableUses, Returned) {
  ParsedSource s(
      "void g(int *); int f(int n) { int a = 0, b = 0, c = 0; g(&b); "
      "if (n) return a; if (n > 1) return b; return n; }");
  VariableUses uses = VariableUses::of(s.ast(), s.body());
  auto returns = ParsedSource::all<clang::ReturnStmt>(s.body());
  EXPECT_EQ(uses.returnedLocal(returns[0]->getRetValue()), s.find("a"));
  EXPECT_EQ(uses.returnedLocal(returns[1]->getRetValue()), nullptr);
  EXPECT_EQ(uses.returnedLocal(returns[2]->getRetValue()), nullptr);
}

TEST(VariableUses, CountedFromZero) {
  ParsedSource s("void f(int p) { int i = 0, j = 0, k = -1; unsigned u; i++; "
                 "i += 2; j--; i; j; k; u; p; 3; }");
  VariableUses uses = VariableUses::of(s.ast(), s.body());
  auto isNatural = [&](unsigned index) {
    return uses.isNatural(s.ast(), s.expression(index));
  };
  EXPECT_TRUE(isNatural(5));
  EXPECT_FALSE(isNatural(6));
  EXPECT_FALSE(isNatural(7));
  EXPECT_TRUE(isNatural(8));
  EXPECT_FALSE(isNatural(9)); // a parameter
  EXPECT_TRUE(isNatural(10));
}

TEST(VariableUses, Choices) {
  ParsedSource s(
      "void g(int *); int h(void); int q; void f(int p) { int a = p ? 1 : 2, "
      "b = 0, c = 1, d = 4, e = 8, x = 1, y = 1; unsigned char n = 1; "
      "b |= 4; c |= q; d++; g(&e); x |= 2; x |= 4; x |= 8; x |= 16; x |= 32; "
      "y = y; n |= 256; static int k = 3; volatile int v = 3; k = 1; v = 1; "
      "a; b; b | a; c; d; e; x; y; n; k; v; p; p ? b : 7; }");
  VariableUses uses = VariableUses::of(s.ast(), s.body());
  auto choices = [&](unsigned index) {
    return uses.choices(s.ast(), s.expression(index));
  };
  const unsigned first = 17;
  EXPECT_THAT(choices(first), ElementsAre(1, 2));
  EXPECT_THAT(choices(first + 1), ElementsAre(0, 4));
  EXPECT_THAT(choices(first + 2), ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(choices(first + 3), ElementsAre());  // bits of q
  EXPECT_THAT(choices(first + 4), ElementsAre());  // counted
  EXPECT_THAT(choices(first + 5), ElementsAre());  // by its address
  EXPECT_THAT(choices(first + 6), ElementsAre());  // too many
  EXPECT_THAT(choices(first + 7), ElementsAre());  // by itself
  EXPECT_THAT(choices(first + 8), ElementsAre(1)); // 256 does not fit
  EXPECT_THAT(choices(first + 9), ElementsAre());  // static
  EXPECT_THAT(choices(first + 10), ElementsAre()); // volatile
  EXPECT_THAT(choices(first + 11), ElementsAre()); // a parameter
  EXPECT_THAT(choices(first + 12), ElementsAre(0, 4, 7));
}

TEST(VariableUses, Assigned) {
  ParsedSource s("void f(char *p) { char *a = p, *b; a = b = p; a++; }");
  Assigned found = assignedIn(s.body());
  EXPECT_THAT(found, ElementsAre(Pair(s.find("a"), 2), Pair(s.find("b"), 1)));
  EXPECT_TRUE(assignedIn(nullptr).empty());
}

} // namespace
