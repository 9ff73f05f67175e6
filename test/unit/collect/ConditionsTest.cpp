//===- ConditionsTest.cpp - What is known where a call is made ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/support/CollectSource.h"
#include <gtest/gtest.h>

using namespace nvmove;
using namespace nvmove::test;

namespace {

Facts collectSource(const std::string &code) {
  SourceFolder folder;
  return collectResult(folder, code).facts;
}

/// Names of the pointers that are not null at the call of g().
std::string tested(const std::string &body) {
  Facts f = collectSource(
      "void g(void); int *get(int); int *q; struct s { int *m; };\n"
      "void f(int *p, int i, struct s *s) { " +
      body + " }\n");
  std::string names;
  for (const Call &c : f.calls)
    if (c.callee != None && f.functions[c.callee].name == "g")
      for (Id n : c.nonNull)
        names += (names.empty() ? "" : " ") +
                 (f.nodes[n].name.empty() ? "%" : f.nodes[n].name);
  return names;
}

/// The arms of if statements that the call of g() stands in.
std::string arms(const std::string &body) {
  Facts f =
      collectSource("void g(void); void f(int i, int j) { " + body + " }\n");
  std::string text;
  for (const Call &c : f.calls)
    for (uint32_t arm : c.arms)
      text += std::to_string(arm / 2) + (arm % 2 ? "-" : "+");
  return text;
}

} // namespace

TEST(Conditions, PointersTested) {
  EXPECT_EQ(tested("if (p) g();"), "p");
  EXPECT_EQ(tested("if (!p) ; else g();"), "p");
  EXPECT_EQ(tested("if (p != 0) g();"), "p");
  EXPECT_EQ(tested("if (0 == p) return; g();"), "p");
  EXPECT_EQ(tested("if (!p) { i = 1; return; } { g(); }"), "p");
  EXPECT_EQ(tested("if (p && q) g();"), "p q");
  EXPECT_EQ(tested("if (!p || !q) return; g();"), "p q");
  EXPECT_EQ(tested("while (p) g();"), "p");
  EXPECT_EQ(tested("for (; p; p++) g();"), "p");
  EXPECT_EQ(tested("while ((p = get(i))) g();"), "p");
  EXPECT_EQ(tested("if (get(i)) g();"), "%");
  EXPECT_EQ(tested("if (s->m) g();"), "%");
  EXPECT_EQ(tested("if (__builtin_expect(!!(p), 1)) g();"), "p");
  EXPECT_EQ(tested("p ? g() : (void)0;"), "p");
  EXPECT_EQ(tested("p && (g(), 1);"), "p");
  EXPECT_EQ(tested("do { if (!p) break; g(); } while (i);"), "p");
}

TEST(Conditions, NothingIsKnown) {
  EXPECT_EQ(tested("if (i) g();"), "");
  EXPECT_EQ(tested("if (!p) g();"), "");
  EXPECT_EQ(tested("if (p) ; else g();"), "");
  EXPECT_EQ(tested("if (p || q) g();"), "");
  EXPECT_EQ(tested("if (!p && !q) return; g();"), "");
  EXPECT_EQ(tested("if (!p) i = 1; g();"), "");
  EXPECT_EQ(tested("if (p) { i = 1; } g();"), "");
  EXPECT_EQ(tested("do g(); while (p);"), "");
  // Entered from elsewhere.
  EXPECT_EQ(tested("if (i) goto in; if (!p) return; in: g();"), "");
  EXPECT_EQ(tested("if (i) goto in; if (p) { in: g(); }"), "");
  EXPECT_EQ(tested("if (i) goto in; while (p) { in: g(); }"), "");
  EXPECT_EQ(tested("if (i) goto in; for (; p;) { in: g(); }"), "");
  EXPECT_EQ(tested("switch (i) { case 1: ; if (!p) return; case 2: g(); }"),
            "");
}

TEST(Conditions, Arms) {
  EXPECT_EQ(arms("if (i) g();"), "0+");
  EXPECT_EQ(arms("if (i) ; else g();"), "0-");
  EXPECT_EQ(arms("if (i) { if (j) ; else g(); }"), "0+1-");
  EXPECT_EQ(arms("if (i) return; g();"), "0-");
  EXPECT_EQ(arms("if (i) j = 1; else return; g();"), "0+");
  EXPECT_EQ(arms("if (i) j = 1; g();"), "");
  EXPECT_EQ(arms("if (j) goto in; if (i) { in: g(); }"), "");
  EXPECT_EQ(arms("if (i) return; out: g(); if (j) goto out;"), "");
}
