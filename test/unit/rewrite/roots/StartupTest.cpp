//===- StartupTest.cpp - main and the guarded load ------------------------===//
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

FactsBuilder guarded(std::string_view marked, bool wholeStatement,
                     bool inCompound = true) {
  FactsBuilder b;
  b.file("/p/a.c", marked);
  LoadGuard guard;
  guard.call = b.call("c", "load");
  guard.wholeStatement = wholeStatement;
  guard.main = b.function("main");
  b.facts.calls[guard.call].statement.inCompound = inCompound;
  b.facts.calls[guard.call].result = 0; // some value
  b.facts.functions[guard.main].bodyStart = b.at("b");
  b.solution.startup.guards.push_back(guard);
  return b;
}

TEST(Startup, LoadAsAStatement) {
  EXPECT_EQ(rewritten(guarded("int main(void) {\n  @b{}@init();\n  "
                              "@c.stmt{@c{load(\"f\")}@;}@\n}\n",
                              true)),
            "int main(void) {\n  nvm_start();\n  init();\n  if "
            "(!nvm_restore()) load(\"f\");\n  nvm_ready();\n}\n");
  EXPECT_EQ(
      rewritten(guarded(
          "int main(void) { @b{}@if (a) @c.stmt{@c{load()}@;}@ else g(); }",
          true, false)),
      "int main(void) { nvm_start(); if (a) { if (!nvm_restore()) { load(); } "
      "nvm_ready(); } else g(); }");
}

/// As guarded(), and the caller is known to be the first function.
FactsBuilder guardedIn(std::string_view marked, bool wholeStatement,
                       bool inCompound = true) {
  FactsBuilder b = guarded(marked, wholeStatement, inCompound);
  b.facts.functions[b.facts.calls[0].function].loc = b.locAt("f");
  return b;
}

TEST(Startup, ConditionalLoadEndsTheStartBehindTheCondition) {
  EXPECT_EQ(rewritten(guardedIn("int @f{main}@(void) {\n@b{}@  if (a)\n"
                                "    @c.stmt{@c{load()}@;}@\n  else\n    g();\n"
                                "  h();\n}\n",
                                true, false)),
            "int main(void) {\nnvm_start();  if (a)\n"
            "    { if (!nvm_restore()) load(); }\n  else\n    g();\n"
            "  nvm_restore();\n  nvm_ready();\n  h();\n}\n");
  EXPECT_EQ(
      rewritten(guardedIn("int @f{main}@(void) {\n  @b{}@if (a) {\n"
                          "    @c.stmt{@c{load()}@;}@\n    return 1;\n  }\n"
                          "}\n",
                          true)),
      "int main(void) {\n  nvm_start();\n  if (a) {\n"
      "    if (!nvm_restore()) load();\n    nvm_ready();\n    return 1;\n"
      "  }\n  nvm_restore();\n  nvm_ready();\n}\n");
}

TEST(Startup, LoadInALoop) {
  FactsBuilder b =
      guardedIn("int @f{main}@(void) {\n  @b{}@while (next(&f)) {\n"
                "    if (bad(f)) break;\n"
                "    @c.stmt{@c{load(f)}@;}@\n  }\n}\n",
                true);
  b.facts.calls[0].loop = 0;
  EXPECT_EQ(rewritten(b), "int main(void) {\n  nvm_start();\n"
                          "  while (next(&f)) {\n    if (bad(f)) break;\n"
                          "    if (!nvm_restore()) load(f);\n  }\n"
                          "  nvm_restore();\n  nvm_ready();\n}\n");
  b.solution.startup.guards[0].wholeStatement = false;
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("load-not-guarded"));
}

TEST(Startup, LoadAsAValueThatMayNotBeReached) {
  EXPECT_EQ(
      rewritten(guardedIn("int @f{main}@(void) {\n  @b{}@@c.stmt{if (a && "
                          "@c{load()}@ < 0)\n    return 1;}@\n}\n",
                          false)),
      "int main(void) {\n  nvm_start();\n  if (a && NVM_LOAD(load()) < 0)\n"
      "    return 1;\n  nvm_restore();\n  nvm_ready();\n}\n");
  EXPECT_EQ(rewritten(guardedIn("int @f{main}@(void) {\n  @b{}@@c.stmt{if ("
                                "@c{load()}@ < 0)\n    return 1;}@\n}\n",
                                false)),
            "int main(void) {\n  nvm_start();\n  if (NVM_LOAD(load()) < 0)\n"
            "    return 1;\n}\n");
}

TEST(Startup, OnlyTheLastLoadOfAFunctionEndsTheStart) {
  FactsBuilder b =
      guarded("int main(void) {\n  @b{}@@c.stmt{@c{load(\"f\")}@;}@\n  "
              "@d.stmt{@d{load(\"g\")}@;}@\n}\n",
              true);
  LoadGuard second = b.solution.startup.guards[0];
  second.call = b.call("d", "load");
  b.solution.startup.guards[0].last = false;
  b.solution.startup.guards.push_back(second);
  EXPECT_EQ(
      rewritten(b),
      "int main(void) {\n  nvm_start();\n  if (!nvm_restore()) load(\"f\");\n"
      "  if (!nvm_restore()) load(\"g\");\n  nvm_ready();\n}\n");
}

TEST(Startup, LoadAsAValue) {
  EXPECT_EQ(rewritten(guarded("int main(void) {\n  int x;@b{}@\n\n  if "
                              "(@c{load(\"f\")}@ == 0) g();\n}\n",
                              false)),
            "int main(void) {\n  int x;\n  nvm_start();\n\n  if "
            "(NVM_LOAD(load(\"f\")) == 0) g();\n}\n");
}

TEST(Startup, LoadThatGivesNothingWithinAnExpression) {
  FactsBuilder b = guardedIn("int @f{main}@(void) {\n  @b{}@@c.stmt{open(), "
                             "@c{load()}@, n++;}@\n}\n",
                             false);
  b.facts.calls[0].result = None;
  EXPECT_EQ(rewritten(b), "int main(void) {\n  nvm_start();\n  open(), "
                          "NVM_LOAD_VOID(load()), n++;\n}\n");
  b.solution.startup.guards[0].last = false;
  EXPECT_EQ(rewritten(b),
            "int main(void) {\n  nvm_start();\n  open(), (nvm_restore() ? "
            "(void)0 : load()), n++;\n}\n");
}

TEST(Startup, LoadInAMacroThatAnotherCallComesFrom) {
  FactsBuilder b =
      guarded("#define L() do { @c{load()}@; } while (0)\n"
              "int main(void) {\n  @b{}@L();\n  for (;;) L();\n}\n",
              false);
  b.facts.calls.push_back(b.facts.calls[0]);
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("load-not-guarded"));
}

TEST(Startup, MainWithDeclarationsAndComment) {
  EXPECT_EQ(
      rewritten(guarded(
          "int main(void) { int x;@b{}@ /* x */ @c.stmt{@c{load()}@;}@ }\n",
          true)),
      "int main(void) { int x; nvm_start(); /* x */ if (!nvm_restore()) { "
      "load(); } nvm_ready(); }\n");
}

TEST(Startup, SecondRunChangesNothing) {
  FactsBuilder b = guarded("int main(void) {\n  nvm_start();\n  if "
                           "(!nvm_restore()) @c.stmt{@c{load()}@;}@\n}\n",
                           true, false);
  b.solution.startup.guards[0].isGuarded = true;
  b.call("c", "nvm_start", b.function("main"));
  EXPECT_TRUE(editsOf(b).edits.empty());
}

TEST(Startup, TheMainThatReachesTheLoadStarts) {
  FactsBuilder b =
      guarded("int main(void) { @b{}@@c.stmt{@c{load()}@;}@ }\n", true);
  b.file("/p/b.c", "int main(void) { @b2{}@other(); }\n");
  b.facts.calls[0].function = b.function("main");
  Definition first, second;
  first.function = second.function = b.function("main");
  first.calls = {0, 1};
  first.bodyStart = b.at("b");
  second.calls = {1, 1};
  second.bodyStart = b.at("b2");
  b.facts.definitions = {second, first};
  EXPECT_EQ(rewritten(b, 0), "int main(void) { nvm_start(); if "
                             "(!nvm_restore()) { load(); } nvm_ready(); }\n");
  EXPECT_EQ(rewritten(b, 1), "int main(void) { other(); }\n");
}

TEST(Startup, Refusals) {
  FactsBuilder b = guarded("int f(void) { @c.stmt{@c{load()}@;}@ }", true);
  b.solution.startup.guards[0].main = None;
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("no-main"));

  FactsBuilder nobody = guarded("int f(void) { @c.stmt{@c{load()}@;}@ }", true);
  nobody.facts.functions[nobody.solution.startup.guards[0].main].bodyStart = {};
  EXPECT_THAT(refusals(editsOf(nobody)), ElementsAre("uneditable-site"));
}

} // namespace
