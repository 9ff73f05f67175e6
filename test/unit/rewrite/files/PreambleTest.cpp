//===- PreambleTest.cpp - What the edits of a file need at its top --------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/rewrite/RewriteTesting.h"

using namespace nvmove;
using namespace nvmove::test;

namespace {

std::string withStore(const std::string &path, std::string_view marked) {
  FactsBuilder b;
  b.file(path, marked);
  b.store(StoreForm::Lvalue, "lv");
  return apply(editsOf(b).edits, 0, b.contents[0]);
}

TEST(Preamble, AfterTheLeadingComment) {
  EXPECT_EQ(withStore("/p/a.c", "/* licence */\n// more\n\n#include "
                                "<stdio.h>\nvoid f(void) { @lv{*p}@ = 1; }\n"),
            "/* licence */\n// more\n\n#include <nvmove/nvm.h>\n#include "
            "<stdio.h>\nvoid f(void) { NVM(*p) = 1; }\n");
  EXPECT_EQ(
      withStore("/p/a.c", "/* c */ int x; void f(void) { @lv{*p}@ = 1; }\n"),
      "/* c */ #include <nvmove/nvm.h>\nint x; void f(void) { NVM(*p) = 1; "
      "}\n");
  EXPECT_EQ(withStore("/p/a.c",
                      "\xEF\xBB\xBFint x; void f(void) { @lv{*p}@ = 1; }\n"),
            "\xEF\xBB\xBF#include <nvmove/nvm.h>\nint x; void f(void) { "
            "NVM(*p) = 1; }\n");
}

TEST(Preamble, InsideAnIncludeGuard) {
  EXPECT_EQ(withStore("/p/a.h", "/* c */\n#ifndef A_H\n#define A_H\n#define "
                                "F(p) @lv{*p}@ = 1\n#endif /* A_H */\n"),
            "/* c */\n#ifndef A_H\n#define A_H\n#include "
            "<nvmove/nvm.h>\n#define F(p) NVM(*p) = 1\n#endif /* A_H */\n");
  EXPECT_EQ(withStore("/p/a.h", "#if !defined(A_H)\n#define A_H\n#define F(p) "
                                "@lv{*p}@ = 1\n#endif\n"),
            "#if !defined(A_H)\n#define A_H\n#include <nvmove/nvm.h>\n#define "
            "F(p) NVM(*p) = 1\n#endif\n");
  EXPECT_EQ(
      withStore("/p/a.h", "#pragma once\n#define F(p) @lv{*p}@ = 1\n"),
      "#pragma once\n#include <nvmove/nvm.h>\n#define F(p) NVM(*p) = 1\n");
}

TEST(Preamble, OrdinaryConditionalIsNoGuard) {
  EXPECT_EQ(
      withStore(
          "/p/a.c",
          "#ifdef A\n#define B\nvoid f(void) { @lv{*p}@ = 1; }\n#endif\n"),
      "#include <nvmove/nvm.h>\n#ifdef A\n#define B\nvoid f(void) { NVM(*p) = "
      "1; }\n#endif\n");
}

TEST(Preamble, PresentIncludeStays) {
  EXPECT_EQ(
      withStore("/p/a.c",
                "#include <nvmove/nvm.h>\nvoid f(void) { @lv{*p}@ = 1; }\n"),
      "#include <nvmove/nvm.h>\nvoid f(void) { NVM(*p) = 1; }\n");
}

TEST(Preamble, IncludeWithinAConditionalMayNotBeSeen) {
  EXPECT_EQ(withStore("/p/a.c", "#ifdef A\n#include <nvmove/nvm.h>\n#endif\n"
                                "void f(void) { @lv{*p}@ = 1; }\n"),
            "#include <nvmove/nvm.h>\n#ifdef A\n#include "
            "<nvmove/nvm.h>\n#endif\nvoid f(void) { NVM(*p) = 1; }\n");
  EXPECT_EQ(withStore("/p/a.h", "#ifndef A_H\n#define A_H\n#include "
                                "<nvmove/nvm.h>\n#define F(p) @lv{*p}@ = "
                                "1\n#endif\n"),
            "#ifndef A_H\n#define A_H\n#include <nvmove/nvm.h>\n#define F(p) "
            "NVM(*p) = 1\n#endif\n");
}

TEST(Preamble, TypeFollowsAPresentInclude) {
  FactsBuilder b;
  b.file("/p/a.c", "#include <stdlib.h>\n#include <nvmove/nvm.h>\n@r{struct}@ "
                   "s;\np = @c{f()}@;\n");
  b.solution.sites.allocations.push_back(
      {b.call("c", "f"), b.record("s", "struct s", "r"), ""});
  EXPECT_EQ(
      apply(editsOf(b).edits, 0, b.contents[0]),
      "#include <stdlib.h>\n#include <nvmove/nvm.h>\nNVM_TYPE(s);\nstruct "
      "s;\np = NVM_ALLOC(s, f());\n");
}

TEST(Preamble, IncludeBelongsToTheFirstLayerThatNeedsIt) {
  FactsBuilder b;
  b.file("/p/a.c", "int x;\n@lv{*p}@ = 1; @c{@c.callee{write}@()}@;\n");
  b.store(StoreForm::Lvalue, "lv");
  b.solution.sites.replaced.push_back({b.call("c", "write"), "nvm_write", ""});
  EditResult result = editsOf(b);
  EXPECT_EQ(apply(result.edits, 0, b.contents[0], Layer::Allocation),
            b.contents[0]);
  EXPECT_EQ(apply(result.edits, 0, b.contents[0], Layer::Sections),
            "#include <nvmove/nvm.h>\nint x;\n*p = 1; nvm_write();\n");
}

TEST(Preamble, LineEndingsAreTheFilesOwn) {
  EXPECT_EQ(
      withStore("/p/a.c", "int x;\r\nvoid f(void) { @lv{*p}@ = 1; }\r\n"),
      "#include <nvmove/nvm.h>\r\nint x;\r\nvoid f(void) { NVM(*p) = 1; }\r\n");
}

TEST(Preamble, FileThatChangedIsAnError) {
  FactsBuilder b;
  b.file("/p/a.c", "int x;\n");
  b.contents[0] += "int y;\n";
  auto result = makeEdits(b.facts, b.solution, b.contents);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "/p/a.c changed since it was analysed; run nvmove again "
            "[source-changed]");
}

} // namespace
