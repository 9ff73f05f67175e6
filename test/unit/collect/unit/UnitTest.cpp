//===- UnitTest.cpp - Translation units as a whole ------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/collect/unit/Frontend.h"
#include "test/support/CollectSource.h"
#include <gmock/gmock.h>
#include <thread>

using namespace nvmove;
using namespace nvmove::test;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

namespace {

TEST(Unit, MissingHeaderIsToleratedWhenNothingFollows) {
  SourceFolder folder;
  folder.write("t.c", "#include \"gone.h\"\n#include <gone/too.h>\nint x;\nint "
                      "f(void) { return x; }\n");
  CollectResult r = folder.collectFile("t.c");
  ASSERT_FALSE(r.failure);
  EXPECT_THAT(r.missingHeaders, ElementsAre("gone.h", "gone/too.h"));
  EXPECT_EQ(r.functionCount, 1u);
  EXPECT_THAT(
      factLines(r.facts, folder),
      Contains(HasSubstr("gap missing-header -: header not found: gone.h")));
}

TEST(Unit, MissingHeaderThatMattersIsAFailure) {
  SourceFolder folder;
  folder.write("t.c", "#include \"gone.h\"\nstruct gone *p;\nint f(void) { "
                      "return p->x + GONE; }\n");
  CollectResult r = folder.collectFile("t.c");
  ASSERT_TRUE(r.failure);
  EXPECT_THAT(r.failure->missingHeaders, ElementsAre("gone.h"));
  ASSERT_THAT(r.failure->messages, SizeIs(2));
  EXPECT_THAT(
      r.failure->messages[0],
      HasSubstr(
          "t.c:3:23: error: incomplete definition of type 'struct gone'"));
  EXPECT_TRUE(r.facts.functions.empty());
}

TEST(Unit, AMissingHeaderMakesUndeclaredFunctionsAnError) {
  SourceFolder folder;
  folder.write("t.c", "#include \"gone.h\"\nint f(void) { return gone(1); }\n");
  CollectResult r = folder.collectFile("t.c");
  ASSERT_TRUE(r.failure);
  EXPECT_THAT(r.failure->messages,
              ElementsAre(HasSubstr("undeclared function 'gone'")));
}

TEST(Unit, UndeclaredFunctionsAloneAreTolerated) {
  SourceFolder folder;
  EXPECT_FALSE(
      collectResult(folder, "int f(void) { return other(1); }").failure);
}

TEST(Unit, CompileError) {
  SourceFolder folder;
  folder.write("t.c", "int f( { }\nint x = ;\n");
  CollectResult r = folder.collectFile("t.c");
  ASSERT_TRUE(r.failure);
  EXPECT_THAT(r.failure->messages[0],
              EndsWith("t.c:1:8: error: expected parameter declarator"));
  EXPECT_THAT(r.failure->missingHeaders, IsEmpty());
}

TEST(Unit, NoSuchFile) {
  SourceFolder folder;
  CollectResult r = folder.collectFile("none.c");
  ASSERT_TRUE(r.failure);
  EXPECT_THAT(r.failure->messages, Contains(HasSubstr("none.c")));
}

TEST(Unit, NoSuchDirectory) {
  SourceFolder folder;
  folder.write("t.c", "int x;");
  CompileJob job{
      folder.path() + "/t.c", folder.path() + "/gone", {"cc", "t.c"}};
  EXPECT_TRUE(collect(job).failure);
}

TEST(Unit, ArgumentsOfOtherCompilersAndStages) {
  SourceFolder folder;
  folder.write("inc/h.h", "#define N 3\n");
  folder.write("t.c", "#include \"h.h\"\nint x = N + M;\n");
  CollectResult r = folder.collectFile("t.c", {"-Iinc",
                                               "-DM=1",
                                               "-O2",
                                               "-g3",
                                               "-ggdb",
                                               "-Wall",
                                               "-Werror",
                                               "-Wno-such-thing",
                                               "-pedantic",
                                               "-MMD",
                                               "-MF",
                                               "x.d",
                                               "-c",
                                               "-o",
                                               "t.o",
                                               "-fno-gcse-sm",
                                               "-fconserve-stack",
                                               "-flto",
                                               "-fplugin=x.so",
                                               "-mno-such",
                                               "-pipe",
                                               "-std=gnu99",
                                               "-lm",
                                               "-L.",
                                               "other.o"});
  ASSERT_FALSE(r.failure);
  CompileJob job{"/a/t.c",
                 "/a",
                 {"gcc", "-Iinc", "-DM=1", "-o", "t.o", "-c", "t.c", "-Wall",
                  "-include", "x.h"}};
  std::vector<std::string> args = parsingArguments(job);
  EXPECT_THAT(args, Contains("-Iinc").Times(0)); // rendered apart
  EXPECT_THAT(args, testing::IsSupersetOf({"-I", "inc", "-D", "M=1", "-include",
                                           "x.h", "/a/t.c"}));
  EXPECT_THAT(args, Not(Contains("t.o")));
  EXPECT_THAT(args, Not(Contains("-Wall")));
  EXPECT_THAT(args, Not(Contains("-idirafter")));
  job.runtimeHeaders = "/opt/include";
  EXPECT_THAT(parsingArguments(job),
              testing::IsSupersetOf({"-idirafter", "/opt/include"}));
}

TEST(Unit, SeveralAtOnce) {
  std::vector<std::unique_ptr<SourceFolder>> folders;
  for (int i = 0; i < 4; ++i) {
    folders.push_back(std::make_unique<SourceFolder>());
    folders.back()->write("h.h", "#define VALUE v" + std::to_string(i) + "\n");
    folders.back()->write("t.c",
                          "#include <stdio.h>\n#include \"h.h\"\nint VALUE;\n");
  }
  std::vector<CollectResult> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(
        [&, i] { results[i] = folders[i]->collectFile("t.c"); });
  for (std::thread &t : threads)
    t.join();
  for (int i = 0; i < 4; ++i)
    EXPECT_THAT(factLines(results[i].facts, *folders[i]),
                Contains(HasSubstr("global v" + std::to_string(i) + " ")));
}

TEST(Unit, SystemHeadersGiveDeclarationsOnly) {
  SourceFolder folder;
  CollectResult r = collectResult(
      folder, "#include <stdlib.h>\nint f(char *s) { return atoi(s); }",
      {"-O2"});
  for (const Function &f : r.facts.functions)
    EXPECT_EQ(f.hasBody, f.name == "f") << f.name;
  EXPECT_EQ(r.functionCount, 1u);
}

TEST(Unit, Deterministic) {
  const char *code =
      "#include <stdio.h>\nstruct a { struct b *b; }; struct b { struct a a; "
      "}; struct a *p; static int x; int *g = &x;\n"
      "void f(struct a *q) { p = q; printf(\"%d\", x++); }";
  SourceFolder folder;
  std::string first = dump(collectResult(folder, code).facts);
  EXPECT_EQ(first, dump(collectResult(folder, code).facts));
}

TEST(Entities, Records) {
  std::vector<std::string> lines =
      linesOf("struct tagged { int x; }; typedef struct { int y; } alias; "
              "struct later; struct later *l;\n"
              "struct __attribute__((packed)) p { char c; int i; }; struct { "
              "int z; } var; union u { int i; };\n"
              "struct outer { struct { int in; } part; struct { int an; }; "
              "enum { A } e; };\n"
              "void f(void) { struct tagged { char c; } v; v.c = 1; }",
              "record");
  EXPECT_THAT(lines, Contains("record tagged@t.c name=tagged spelling='struct "
                              "tagged' t.c:1:8 size=4 complete"));
  EXPECT_THAT(lines, Contains("record alias@t.c name=alias spelling='alias' "
                              "t.c:1:35 size=4 complete"));
  EXPECT_THAT(
      lines,
      Contains(HasSubstr(
          "record later@ name=later spelling='struct later' ?:0:0 size=0")));
  EXPECT_THAT(lines, Contains(HasSubstr("record p@t.c name=p spelling='struct "
                                        "p' t.c:2:32 size=5 complete packed")));
  EXPECT_THAT(lines,
              Contains(HasSubstr(
                  "record var@t.c name=var spelling='__typeof__(var)'")));
  EXPECT_THAT(lines, Contains(HasSubstr("record u@t.c name=u spelling='union "
                                        "u' t.c:2:83 size=4 union complete")));
  EXPECT_THAT(lines, Contains(HasSubstr(
                         "record outer.part@t.c name=outer.part "
                         "spelling='__typeof__(((struct outer *)0)->part)'")));
  EXPECT_THAT(lines, Contains(HasSubstr("record outer.<0>@t.c")));
  EXPECT_THAT(lines, Contains(HasSubstr("record f.tagged@t.c name=tagged")));
}

TEST(Entities, Fields) {
  std::vector<std::string> lines = linesOf(
      "struct t { char c; int b:3; int :5; int d:2; double f; char *s; int "
      "a[2][3]; _Bool o; enum e { X } e; short tail[]; }; struct t *p;",
      "field");
  EXPECT_THAT(lines, ElementsAre(EndsWith("t.c byte at 0"),
                                 EndsWith("t.b int4 at 8 bit-field of 3"),
                                 EndsWith("t.d int4 at 16 bit-field of 2"),
                                 EndsWith("t.f float8 at 64"),
                                 EndsWith("t.s byte* at 128"),
                                 EndsWith("t.a int4[12][24] at 192"),
                                 EndsWith("t.o byte at 384"),
                                 EndsWith("t.e int4 at 416"),
                                 EndsWith("t.tail int2[0] at 448 flexible")));
}

TEST(Entities, Functions) {
  std::vector<std::string> lines = linesOf(
      "static int s(int a, char *b) { return a; } extern int e(void); "
      "inline static void i(void) {} int v(int n, ...) { return n; }\n"
      "void f(void) { s(1, 0); e(); i(); v(1); __asm__(\"stos\"); }\nint "
      "main(void) { return 0; }",
      "function");
  EXPECT_THAT(
      lines, Contains(HasSubstr("function s@t.c name=s t.c:1:12 params=( a#0 "
                                "b#1 ) result body static prototype lines=1")));
  EXPECT_THAT(lines, Contains(HasSubstr(
                         "function e name=e t.c:1:55 params=( ) lines=0")));
  EXPECT_THAT(lines, Contains(HasSubstr("function i@t.c name=i")));
  EXPECT_THAT(lines, Contains(HasSubstr(
                         "function v name=v t.c:1:98 params=( "
                         "n#0 ) result body variadic prototype lines=1")));
  EXPECT_THAT(lines, Contains(testing::AllOf(HasSubstr("function f "),
                                             HasSubstr(" asm "))));
  EXPECT_THAT(lines, Contains(HasSubstr("function main@t.c name=main")));
}

TEST(Entities, Globals) {
  std::vector<std::string> lines =
      linesOf("extern int e; int d = 1; int tentative; static int s; extern "
              "int e2; int e2 = 3; const int c = 1; const char *notConst; "
              "extern int a[]; int a[5]; int use(void) { return e; } extern "
              "int notUsed;",
              "global");
  EXPECT_THAT(lines, Contains("global e name=e int4 t.c:1:12"));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("notUsed"))));
  EXPECT_THAT(lines, Contains("global d name=d int4 t.c:1:19 defined"));
  EXPECT_THAT(lines,
              Contains(HasSubstr(
                  "global tentative name=tentative int4 t.c:1:30 defined")));
  EXPECT_THAT(lines, Contains(HasSubstr(
                         "global s@t.c name=s int4 t.c:1:52 static defined")));
  EXPECT_THAT(lines, Contains("global e2 name=e2 int4 t.c:1:74 defined"));
  EXPECT_THAT(lines, Contains(HasSubstr(
                         "global c name=c int4 t.c:1:92 defined const")));
  EXPECT_THAT(lines, Contains(testing::AllOf(HasSubstr("global notConst"),
                                             Not(HasSubstr(" const")))));
  EXPECT_THAT(
      lines, Contains(HasSubstr("global a name=a int4[20] t.c:1:141 defined")));
}

TEST(Gaps, Assembly) {
  SourceFolder folder;
  CollectResult r =
      collectResult(folder, "__asm__(\".globl x\"); int f(int i) { "
                            "__asm__(\"stos\" : \"+r\"(i) : : "
                            "\"memory\"); return i; }");
  std::vector<std::string> lines = factLines(r.facts, folder);
  EXPECT_THAT(lines, Contains(HasSubstr(
                         "gap inline-asm -: assembly outside of functions")));
  EXPECT_THAT(lines, Contains(HasSubstr("gap inline-asm f: inline assembly")));
}

/// Each once, also one that is called like a word of the sentence about it.
TEST(Gaps, ASkippedBranchNamesItsMacros) {
  SourceFolder folder;
  CollectResult r = collectResult(folder, "#define HERE 1\n"
                                          "#ifdef of\n"
                                          "int a;\n"
                                          "#endif\n"
                                          "#if defined(B) && B > 0x10 && of\n"
                                          "int b;\n"
                                          "#endif\n"
                                          "#ifdef HERE\n"
                                          "#else /* of HERE */\n"
                                          "int c;\n"
                                          "#endif\n");
  std::vector<std::vector<std::string>> macros;
  for (const Gap &g : r.facts.gaps)
    if (g.kind == Gap::Kind::SkippedBranch)
      macros.push_back(g.macros);
  EXPECT_THAT(macros, testing::ElementsAre(testing::ElementsAre("of"),
                                           testing::ElementsAre("B", "of"),
                                           testing::ElementsAre("HERE")));
  EXPECT_THAT(factLines(r.facts, folder),
              Contains(testing::AllOf(HasSubstr("gap skipped-branch"),
                                      HasSubstr(" if=B,of"))));
}

TEST(Gaps, AssemblyThatStoresNothingElse) {
  auto known = [](const char *statement) {
    std::vector<std::string> lines =
        linesOf("int s, *p; int f(unsigned i, long j) { __asm__ volatile(" +
                    std::string(statement) + "); return i + j; }",
                "");
    auto holds = [&](const char *text) {
      return llvm::any_of(lines, [&](const std::string &l) {
        return llvm::StringRef(l).contains(text);
      });
    };
    return std::string(holds("gap inline-asm") ? "gap" : "") +
           (holds(" asm ") ? " asm" : "");
  };
  for (const char *nothing :
       {"\"pause\"", "\"rep; nop\"", "\" # here\\n\"", "\"\" : : : \"memory\"",
        "\"mfence\" : : : \"memory\"", "\"rdtsc\" : \"=a\"(i), \"=d\"(j)",
        "\"crc (%1), %0\" : \"+r\"(j) : \"r\"(p)"})
    EXPECT_EQ(known(nothing), "") << nothing;
  EXPECT_EQ(known("\"\" : \"+r\"(p)"), " asm"); // a static
  EXPECT_EQ(known("\"xchg %0, %1\" : \"+r\"(i), \"+m\"(s)"), " asm");
  EXPECT_EQ(known("\"movl $0, s\""), "gap asm");
  EXPECT_EQ(known("\"stosl\" : : \"D\"(p) : \"memory\""), "gap asm");
}

} // namespace
