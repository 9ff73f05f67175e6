//===- SetForLaterTest.cpp - Unit tests for SetForLater -------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/SetForLater.h"
#include "gtest/gtest.h"

using namespace nvmove;

namespace {

/// The statement is what stands between @ and @.
std::string found(std::string text) {
  const uint32_t begin = text.find('@');
  text.erase(begin, 1);
  const uint32_t end = text.find('@');
  text.erase(end, 1);
  const uint32_t body = bodyAfter(text, text.find("main"));
  auto isOnlyRead = [](llvm::StringRef name) { return name == "seen"; };
  return setForLater(text, body, {begin, end}, isOnlyRead).str();
}

std::string behind(const std::string &loop, const std::string &rest) {
  return found("int main(void) { @for (;;) { " + loop + " }@ " + rest +
               " } int other(void) { return n + s + p + t; }");
}

TEST(SetForLater, WhatIsReadBehind) {
  EXPECT_EQ(behind("n = load(f);", "use(n);"), "n");
  EXPECT_EQ(behind("if (f) a(); else n = load(f);", "use(n);"), "n");
  EXPECT_EQ(behind("n += load(f);", "return n;"), "n");
  EXPECT_EQ(behind("n++; load(f);", "return n;"), "n");
  EXPECT_EQ(behind("++n; load(f);", "return n;"), "n");
  EXPECT_EQ(behind("if (load(f, &n)) x();", "return n;"), "n");
  EXPECT_EQ(behind("p = &seen; load(p);", "use(&seen);"), "seen");
  EXPECT_EQ(behind("t[k].n = load(f);", "use(t);"), "t");
  EXPECT_EQ(behind("s.of->n = load(f);", "use(&s);"), "s");
  EXPECT_EQ(behind("*p = load(f);", "use(p);"), "p");
  EXPECT_EQ(behind("(*p) = load(f);", "use(p);"), "p");
}

TEST(SetForLater, WhatIsNot) {
  EXPECT_EQ(behind("n = load(f); if (n < 0) end(n);", "serve();"), "");
  EXPECT_EQ(behind("n = load(f);", "n = 2; use(n);"), "");
  EXPECT_EQ(behind("int n = load(f);", "use(n);"), "");
  EXPECT_EQ(behind("struct e *n = load(f); n->t = 1;", "use(n, t);"), "");
  EXPECT_EQ(behind("if (load(f) == n && n & 2) end(n <= 1);", "use(n);"), "");
  EXPECT_EQ(behind("load(f, &seen);", "use(&seen);"), "");
  EXPECT_EQ(behind("n = load(f);", "/* n */ puts(\"n\");"), "");
}

} // namespace
