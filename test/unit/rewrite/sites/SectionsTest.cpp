//===- SectionsTest.cpp - Failure-atomic sections around calls ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/rewrite/RewriteTesting.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using ::testing::ElementsAre;

namespace {

struct Shape {
  bool inCompound = true, isDeclaration = false, mayLeave = false,
       isVoid = false;
};

FactsBuilder dispatcher(std::string_view marked, Shape shape = {}) {
  FactsBuilder b;
  b.file("/p/a.c", marked);
  Section section;
  section.kind = Section::Kind::Dispatcher;
  section.name = "timeProc";
  section.call = b.call("c", "f");
  b.facts.functions[b.facts.calls[0].function].result = shape.isVoid ? None : 0;
  StatementSpan &statement = b.facts.calls[0].statement;
  statement.inCompound = shape.inCompound;
  statement.isDeclaration = shape.isDeclaration;
  statement.mayLeave = shape.mayLeave;
  b.solution.commits.sections.push_back(section);
  return b;
}

TEST(Sections, StatementInACompound) {
  EXPECT_EQ(rewritten(dispatcher("{\n\t@c.stmt{@c{f(x)}@;}@\n}")),
            "{\n\tnvm_begin();\n\tf(x);\n\tnvm_end();\n}");
  EXPECT_EQ(
      rewritten(
          dispatcher("{\n  @c.stmt{r = @c{f(x,\n    y)}@;}@ /* why */\n}")),
      "{\n  nvm_begin();\n  r = f(x,\n    y); /* why */\n  nvm_end();\n}");
  EXPECT_EQ(rewritten(dispatcher("{ @c.stmt{@c{f(x)}@;}@ }")),
            "{ nvm_begin(); f(x); nvm_end(); }");
  EXPECT_EQ(
      rewritten(dispatcher("{\n  @c.stmt{@c{f(x)}@;}@ /* two\n  lines */\n}")),
      "{\n  nvm_begin();\n  f(x); nvm_end(); /* two\n  lines */\n}");
}

TEST(Sections, StatementUnderAnIfGetsBraces) {
  EXPECT_EQ(rewritten(dispatcher("if (a)\n  @c.stmt{@c{f(x)}@;}@\nelse g();",
                                 {.inCompound = false})),
            "if (a)\n  { nvm_begin(); f(x); nvm_end(); }\nelse g();");
}

TEST(Sections, DeclarationIsNotBraced) {
  EXPECT_EQ(rewritten(dispatcher("{\n  @c.stmt{int r = @c{f(x)}@;}@\n}",
                                 {.isDeclaration = true})),
            "{\n  nvm_begin();\n  int r = f(x);\n  nvm_end();\n}");
}

TEST(Sections, WholeIfStatement) {
  EXPECT_EQ(rewritten(dispatcher(
                "{\n  @c.stmt{if (@c{f(x)}@) {\n    g();\n  }}@\n}")),
            "{\n  nvm_begin();\n  if (f(x)) {\n    g();\n  }\n  nvm_end();\n}");
}

TEST(Sections, Return) {
  EXPECT_EQ(rewritten(dispatcher("{\n  @c.stmt{return @c{f(x)}@;}@\n}",
                                 {.mayLeave = true})),
            "{\n  { nvm_begin(); { __typeof__(f(x)) nvm_result = f(x); "
            "nvm_end(); return nvm_result; } }\n}");
  EXPECT_EQ(
      rewritten(dispatcher("@c.stmt{return(@c{f(x)}@);}@",
                           {.inCompound = false, .mayLeave = true})),
      "{ nvm_begin(); { __typeof__((f(x))) nvm_result = (f(x)); nvm_end(); "
      "return nvm_result; } }");
  EXPECT_EQ(
      rewritten(dispatcher("@c.stmt{return @c{f(x, // the x\n  y)}@ + 1;}@",
                           {.mayLeave = true})),
      "{ nvm_begin(); { __typeof__(f(x, y) + 1) nvm_result = f(x, // the x\n  "
      "y) "
      "+ 1; nvm_end(); "
      "return nvm_result; } }");
  EXPECT_EQ(rewritten(dispatcher("@c.stmt{return @c{f(x)}@;}@",
                                 {.mayLeave = true, .isVoid = true})),
            "{ nvm_begin(); f(x); nvm_end(); return; }");
}

TEST(Sections, ConditionOfAnIfThatIsLeft) {
  EXPECT_EQ(
      rewritten(dispatcher("{\n  @c.stmt{if (@c{f(x)}@)\n    return;}@\n}",
                           {.mayLeave = true})),
      "{\n  { nvm_begin(); { int nvm_result = (f(x)) != 0; nvm_end(); if "
      "(nvm_result)\n    return; } }\n}");
  EXPECT_EQ(
      rewritten(dispatcher("if (a) b(); else @c.stmt{if((n = @c{f(x)}@) "
                           "< 0) goto out; else g();}@",
                           {.inCompound = false, .mayLeave = true})),
      "if (a) b(); else { nvm_begin(); { int nvm_result = ((n = f(x)) < 0) "
      "!= 0; nvm_end(); if (nvm_result) "
      "goto out; else g(); } }");
}

TEST(Sections, MacroBodyStaysOnOneLine) {
  EXPECT_EQ(
      rewritten(dispatcher(
          "#define RUN(x) do { \\\n  @c.stmt{@c{f(x)}@;}@ \\\n} while (0)\n")),
      "#define RUN(x) do { \\\n  nvm_begin(); f(x); nvm_end(); \\\n} while "
      "(0)\n");
}

TEST(Sections, WhatCannotBeBracketedIsRefused) {
  std::pair<std::string_view, Shape> cases[] = {
      {"@c.stmt{while (@c{f(x)}@) g();}@", {}},
      {"@c.stmt{for (@c{f(x)}@;;) g();}@", {}},
      {"@c.stmt{do g(); while (@c{f(x)}@);}@", {}},
      {"@c.stmt{switch (@c{f(x)}@) { case 1: break; }}@", {.mayLeave = true}},
      {"for (@c.stmt{int i = @c{f(x)}@;}@;) g();",
       {.inCompound = false, .isDeclaration = true}},
      {"#define F(x) @c.stmt{@c{f(x)}@}@\n", {}},
      {"@c.stmt{return a, @c{f(x)}@;}@", {.mayLeave = true}},
  };
  for (const auto &[marked, shape] : cases) {
    EditResult result = editsOf(dispatcher(marked, shape));
    EXPECT_TRUE(result.edits.empty()) << marked;
    EXPECT_THAT(refusals(result), ElementsAre("section-not-bracketed"))
        << marked;
  }
}

TEST(Sections, CallsInOneStatementShareASection) {
  FactsBuilder b = dispatcher("@c.stmt{@d.stmt{x = @c{f(1)}@ + @d{f(2)}@;}@}@");
  Section user;
  user.kind = Section::Kind::User;
  user.calls = {0, b.call("d", "f")};
  b.solution.commits.sections.push_back(user);
  EXPECT_EQ(rewritten(b), "nvm_begin();\nx = f(1) + f(2);\nnvm_end();");
  EXPECT_EQ(editsOf(b).counts.at("sections"), 1u);
}

TEST(Sections, StatementsNest) {
  FactsBuilder b = dispatcher("@c.stmt{if (@c{f(1)}@) @d.stmt{@d{g(2)}@;}@}@");
  Section user;
  user.kind = Section::Kind::User;
  user.calls = {b.call("d", "g")};
  b.facts.calls[user.calls[0]].statement.inCompound = false;
  b.solution.commits.sections.push_back(user);
  EXPECT_EQ(
      rewritten(b),
      "nvm_begin();\nif (f(1)) { nvm_begin(); g(2); nvm_end(); }\nnvm_end();");
}

// Behind its last line the section's end would seem to belong to the if.
TEST(Sections, LongStatementInBraces) {
  FactsBuilder b =
      dispatcher("else\n  @c.stmt{if (@c{f(1)}@)\n    g(2);}@\nh();");
  b.facts.calls[0].statement.inCompound = false;
  EXPECT_EQ(rewritten(b), "else\n  { nvm_begin(); if (f(1))\n    g(2);\n  "
                          "nvm_end(); }\nh();");
}

TEST(Sections, BracketedStatementStays) {
  for (std::string_view done :
       {"nvm_begin();\n  @c.stmt{@c{f(x)}@;}@\n  nvm_end();",
        "{ nvm_begin(); @c.stmt{__typeof__(f(x)) nvm_result = @c{f(x)}@;}@ "
        "nvm_end(); }"})
    EXPECT_TRUE(editsOf(dispatcher(done)).edits.empty());
}

} // namespace
