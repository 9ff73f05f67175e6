//===- CTextTest.cpp - C source text without a parser ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/rewrite/text/CText.h"
#include "passes/rewrite/layouts/Elements.h"
#include "passes/rewrite/text/Blocks.h"
#include "passes/rewrite/text/Directives.h"
#include <gtest/gtest.h>

using namespace nvmove;

namespace {

std::string spelled(llvm::StringRef text) {
  std::string result;
  for (const Token &token : tokens(text))
    result += token.text.str() + " ";
  return result;
}

TEST(CText, Tokens) {
  EXPECT_EQ(spelled("a->b+=1e-3 /* x */ <<= \"s\\\"/*\" // y\n 'c'\\\nend"),
            "a -> b += 1e-3 <<= \"s\\\"/*\" 'c' end ");
  EXPECT_EQ(spelled("/* never closed"), "");
  EXPECT_EQ(spelled("x = \"never closed\ny"), "x = \"never closed\n y ");
  EXPECT_EQ(spelled("// goes on \\\n here\nz"), "z ");
}

TEST(CText, SideEffects) {
  for (const char *pure :
       {"n", "a - b", "sizeof(buf)", "(size_t)(a)", "(unsigned char)(x)",
        "p->n * 2", "a == b", "(n)", "t[i]", "sizeof(struct s) - (a + b)",
        "(struct x *)(p)"})
    EXPECT_FALSE(mayHaveSideEffects(pure)) << pure;
  for (const char *impure : {"n++", "a = b", "f(x)", "(f)(x)", "t[i](x)",
                             "a ? b : c--", "MIN(a, b)", "x <<= 1"})
    EXPECT_TRUE(mayHaveSideEffects(impure)) << impure;
}

TEST(CText, RoomForRecords) {
  for (const char *one : {"sizeof(struct item)", "sizeof *p", "(sizeof(*p))",
                          "sizeof p->items[i]", "sizeof(p->items[0])"})
    EXPECT_EQ(roomIn(one), Room::One) << one;
  for (const char *several :
       {"n * sizeof(struct item)", "sizeof *p * n", "(size_t)n * sizeof(*p)",
        "(n + 1) * sizeof(*p)", "(8 * sizeof *p)", "sizeof(item) * list->n"})
    EXPECT_EQ(roomIn(several), Room::Several) << several;
  for (const char *more :
       {"sizeof *p + n", "sizeof(*p) + strlen(s) + 1", "n + sizeof(*p)"})
    EXPECT_EQ(roomIn(more), Room::More) << more;
  for (const char *unknown : {"sizeof(a) * sizeof(b)", "n", "sizeof *p - 1",
                              "big ? sizeof(a) : sizeof(b)"})
    EXPECT_EQ(roomIn(unknown), Room::Unknown) << unknown;
}

TEST(CText, MacroArguments) {
  EXPECT_EQ(asMacroArgument("f(a, b)"), "f(a, b)");
  EXPECT_EQ(asMacroArgument("t[a, b]"), "(t[a, b])");
  EXPECT_EQ(asMacroArgument("\",\""), "\",\"");
  EXPECT_TRUE(containsDirective("a\n  # if X\nb"));
  EXPECT_FALSE(containsDirective("a # b\nc"));
}

TEST(CText, OneLine) {
  EXPECT_EQ(onOneLine("f(a,\n   /* x */ b)"), "f(a, b)");
  EXPECT_EQ(onOneLine("a+ b"), "a+ b");
}

TEST(CText, LinesOfAFile) {
  llvm::StringRef text =
      "a\r\n  b; /* c */ // d\r\n#define M \\\n  x\ny /*\n*/\n";
  Lines lines(text);
  EXPECT_EQ(lines.newline(), "\r\n");
  EXPECT_EQ(lines.startOfLine(2), 3u);
  uint32_t b = text.find('b'), x = text.find('x'), y = text.find('y');
  EXPECT_EQ(lines.indentation(b), "  ");
  EXPECT_TRUE(lines.isFirstOnLine(b));
  EXPECT_FALSE(lines.isFirstOnLine(b + 1));
  EXPECT_EQ(lines.endOfLineAfter(b + 2), text.find("\r\n#"));
  EXPECT_EQ(lines.endOfLineAfter(b), Lines::NoPlace);
  EXPECT_EQ(lines.endOfLineAfter(y + 1), Lines::NoPlace);
  EXPECT_TRUE(lines.inDirective(x));
  EXPECT_FALSE(lines.inDirective(y));
}

/// The statement of the body of "f" that holds the "X" in the text.
std::string statementAroundX(llvm::StringRef body) {
  std::string text = "int f(int (*g)(void)) { " + body.str() + " }";
  uint32_t x = text.find('X');
  auto extent = blockStatement(text, bodyAfter(text, 4), x, x + 1);
  return extent ? text.substr(extent->begin, extent->end - extent->begin)
                : "none";
}

TEST(Blocks, StatementsOfABody) {
  for (const char *statement :
       {"X;", "int t[] = { X, 1 };", "if (a) X; else { b; }",
        "if (a) { X } else if (b) { c; }", "for (;;) { X }", "do X; while (a);",
        "do { X } while (a);", "if (a) do { X } while (b); else c;",
        "while (a) X;", "p = (struct s){ X, 2 };", "out: X;",
        "switch (a) { case 1: X; }", "{ X }", "EACH(a) { X }"}) {
    EXPECT_EQ(
        statementAroundX("a; " + std::string(statement) + " while (y) z;"),
        statement);
    EXPECT_EQ(statementAroundX("if (y) { z; } " + std::string(statement)),
              statement);
  }
}

TEST(Blocks, DirectivesAreNoCode) {
  EXPECT_EQ(statementAroundX("a;\n#define M {\nX;\n#undef M\nb;"), "X;");
  EXPECT_EQ(
      statementAroundX("\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nX; }"),
      "none");
}

TEST(Directives, OnlyRealOnes) {
  std::vector<Directive> all =
      directives("/*\n#no\n*/ # define A(x) #x \\\n #y\nint a; #no\n#endif");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "define");
  EXPECT_EQ(all[0].rest, "A(x) #x \\\n #y");
  EXPECT_EQ(all[1].name, "endif");
}

TEST(Directives, AsCompiled) {
  StringRef text = "#ifndef W\nfor (;;) {\n#else\nwhile (x) {\n#endif\n  f();\n"
                   "#ifdef W\n} else {\n#endif\n}\n";
  EXPECT_EQ(asCompiled(text, {1}, {3, 7}),
            "         \nfor (;;) {\n     \n           \n      \n  f();\n"
            "        \n        \n      \n}\n");
  // In one unit the first part is compiled, in the other one the second.
  EXPECT_TRUE(StringRef(asCompiled(text, {1, 3}, {1, 3, 7}))
                  .starts_with("#ifndef W\nfor (;;) {\n#else"));
  // Nothing is known of it.
  EXPECT_EQ(asCompiled(text, {}, {}), text);
}

TEST(Directives, IncludedNames) {
  std::vector<Directive> all =
      directives("#include \"a/b.h\"\n#  include <c.h> // x\n#include NAME\n");
  EXPECT_EQ(includedName(all[0]), "a/b.h");
  EXPECT_EQ(includedName(all[1]), "c.h");
  EXPECT_EQ(includedName(all[2]), "");
}

TEST(Directives, EndOfRegion) {
  llvm::StringRef text = "int a;\n#if X\nint b;\n#if Y\nint c;\n#elif Z\nint "
                         "d;\n#endif\nint e;\n#endif\nint f;\n";
  auto after = [&](char name) {
    return Regions(text).endOf(text.find(std::string("int ") + name));
  };
  EXPECT_EQ(after('a'), text.size());
  EXPECT_EQ(after('b'), text.rfind("#endif"));
  EXPECT_EQ(after('c'), text.find("#elif"));
  EXPECT_EQ(after('d'), text.find("#endif"));
  EXPECT_EQ(after('e'), text.rfind("#endif"));
  EXPECT_EQ(after('f'), text.size());
}

TEST(Directives, EndOfRegionInsideADeclaration) {
  llvm::StringRef text =
      "#ifdef X\nint a[] = // t\n#else\nint b;\n#endif\n{ 1 };\n";
  EXPECT_EQ(Regions(text).endOf(text.find("int a")), std::nullopt);
  EXPECT_EQ(Regions(text).endOf(text.find("int b")), text.find("#endif"));
  text = "#ifdef X\nint a[] = {\n#ifdef Y\n};\n#endif\n#endif\n};\n";
  EXPECT_EQ(Regions(text).endOf(text.find("int a")), std::nullopt);
}

TEST(Directives, EndOfRegionInAGuardedHeader) {
  llvm::StringRef text =
      "#ifndef H\n#define H\nint a;\n#ifdef X\nint b;\n#endif\n#endif\n";
  EXPECT_EQ(Regions(text).endOf(text.find("int a")), text.rfind("#endif"));
  EXPECT_EQ(Regions(text).endOf(text.find("int b")), text.find("#endif"));
}

} // namespace
