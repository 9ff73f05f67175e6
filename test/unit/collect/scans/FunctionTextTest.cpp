//===- FunctionTextTest.cpp - Where a function stands in its file ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/scans/FunctionText.h"
#include "test/unit/collect/ParsedSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::SizeIs;

namespace {

struct Text {
  explicit Text(const std::string &code, llvm::StringRef name = "f")
      : code(code), unit(code) {
    describeText(unit.map, unit.source.function(name), d);
  }
  std::string operator()(Span s) const {
    return code.substr(s.begin, s.end - s.begin);
  }
  std::string code;
  ParsedUnit unit;
  Definition d;
};

TEST(FunctionText, Spans) {
  Text t("int f(int n)\n{\n  return n;\n}\n");
  EXPECT_EQ(t(t.d.text), "int f(int n)\n{\n  return n;\n}");
  EXPECT_EQ(t(t.d.body), "{\n  return n;\n}");
  EXPECT_EQ(t.d.lines, 4u);
  EXPECT_FALSE(t.d.mixesCode);
}

TEST(FunctionText, AMacroHasNone) {
  Text t("#define DEFINE(name) void name(void) {}\nDEFINE(f)\n");
  EXPECT_FALSE(t.d.text.valid());
  EXPECT_FALSE(t.d.body.valid());
}

TEST(FunctionText, HeadsOfBlocks) {
  Text t("void f(void) { int a; a = 1; { int b; } }");
  ASSERT_THAT(t.d.heads, SizeIs(2));
  EXPECT_EQ(t.code.substr(t.d.heads[0].last, 6), "int a;");
  EXPECT_EQ(t.code.substr(t.d.heads[0].statement, 6), "a = 1;");
  EXPECT_EQ(t.code.substr(t.d.heads[1].last, 6), "int b;");
  EXPECT_FALSE(t.d.mixesCode);
  EXPECT_TRUE(Text("void f(void) { int a; a = 1; int b; }").d.mixesCode);
}

TEST(FunctionText, FirstStatementOfMain) {
  const std::string code =
      "int g(void); int main(void) { int a; int b = g(); }";
  Text t(code, "main");
  EXPECT_EQ(t.code.substr(t.d.bodyStart.begin, 9), "int b = g");
}

} // namespace
