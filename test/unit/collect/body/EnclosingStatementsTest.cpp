//===- EnclosingStatementsTest.cpp - What is around an expression ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/body/EnclosingStatements.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;

namespace {

struct Around {
  explicit Around(const std::string &body)
      : code("int g(int); void f(int n) { " + body + " }"), unit(code),
        enclosing(unit.map) {}
  std::string text(Span s) const {
    return code.substr(s.begin, s.end - s.begin);
  }
  std::string code;
  ParsedUnit unit;
  EnclosingStatements enclosing;
};

TEST(EnclosingStatements, TheWholeStatementOrAPart) {
  Around a("g(n); n = g(1);");
  auto calls = ParsedSource::all<clang::CallExpr>(a.unit.source.body());
  for (unsigned i : {0, 1})
    a.enclosing.within(a.unit.source.statement(i), true, [&] {
      StatementSpan span = a.enclosing.span(calls[i]);
      EXPECT_EQ(a.text(span.span), i ? "n = g(1);" : "g(n);");
      EXPECT_EQ(span.isWholeExpression, i == 0);
      EXPECT_TRUE(span.inCompound);
      EXPECT_FALSE(span.mayLeave);
    });
}

TEST(EnclosingStatements, TheInnermostThatCanBeBracketed) {
  Around a("if (n) g(n); while (g(n)) { return; }");
  const auto *choice = llvm::cast<clang::IfStmt>(a.unit.source.statement(0));
  a.enclosing.within(choice, true, [&] {
    a.enclosing.within(choice->getThen(), false, [&] {
      const clang::Stmt *found = nullptr;
      StatementSpan span = a.enclosing.span(nullptr, &found);
      EXPECT_EQ(found, choice->getThen());
      EXPECT_EQ(a.text(span.span), "g(n);");
      EXPECT_FALSE(span.inCompound);
    });
    // The condition of a loop is in no statement that could be bracketed.
    a.enclosing.unbracketed(
        [&] { EXPECT_FALSE(a.enclosing.span(nullptr).span.valid()); });
  });
  EXPECT_FALSE(a.enclosing.span(nullptr).span.valid());
  a.enclosing.within(a.unit.source.statement(1), true,
                     [&] { EXPECT_TRUE(a.enclosing.span(nullptr).mayLeave); });
}

} // namespace
