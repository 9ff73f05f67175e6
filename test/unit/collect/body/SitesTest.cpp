//===- SitesTest.cpp - Calls, statements, statics, uses of addresses ------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/support/CollectSource.h"
#include <gmock/gmock.h>

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

const char *Declarations =
    "int g(int); void h(void); struct t { int n; struct t *next; }; int x;\n";

std::vector<std::string> calls(const std::string &body,
                               const std::string &before = "") {
  return linesOf(Declarations + before + "\nint f(int i, int (*p)(int)) { " +
                     body + " return 0; }\n",
                 "call f");
}

/// What follows `statement=` for the only call of `body`, or "none".
std::string statement(const std::string &body, const std::string &before = "") {
  std::vector<std::string> lines = calls(body, before);
  if (lines.size() != 1)
    return std::to_string(lines.size()) + " calls";
  size_t at = lines[0].find("statement=");
  if (at == std::string::npos)
    return "none";
  std::string found = lines[0].substr(at + 10);
  for (const char *next : {" loop=", " test=", " argument"})
    found = found.substr(0, found.find(next));
  return found;
}

TEST(Calls, Spans) {
  EXPECT_THAT(
      calls("i = g ( i + 1 );"),
      ElementsAre(HasSubstr("g(%3 `i + 1`) -> %4 `g ( i + 1 )` callee=`g`")));
  EXPECT_THAT(
      calls("i = p(0);"),
      ElementsAre(HasSubstr("*p#1(- `0` zero) -> %3 `p(0)` callee=`p`")));
  EXPECT_THAT(
      calls("i = (*p)(1);"),
      ElementsAre(HasSubstr("*p#1(- `1`) -> %3 `(*p)(1)` callee=`(*p)`")));
  EXPECT_THAT(calls("i = (&g)(1);"), ElementsAre(HasSubstr("g(- `1`)")));
}

TEST(Calls, InMacros) {
  EXPECT_THAT(calls("CALL(i);", "#define CALL(v) g(v)"),
              ElementsAre(HasSubstr("g(i#0 `v`) -> %3 `CALL(i)` callee=`g`")));
  EXPECT_THAT(calls("CALL(i);", "#define CALL(v) (0, (int)(g(v)))"),
              ElementsAre(HasSubstr("`g(v)` callee=`g`")));
  EXPECT_THAT(calls("i = CALL(i);", "#define CALL(v) ((int)INNER(v))\n"
                                    "#define INNER(v) (g(v))"),
              ElementsAre(HasSubstr("`CALL(i)` callee=`g`")));
  EXPECT_THAT(calls("NAME(i);", "#define NAME g"),
              ElementsAre(HasSubstr("`NAME(i)` callee=`NAME`")));
  EXPECT_THAT(calls("APPLY(g, i);", "#define APPLY(f, v) f(v)"),
              ElementsAre(HasSubstr("`APPLY(g, i)` callee=`g`")));
  EXPECT_THAT(calls("ID(NAME(i));", "#define NAME g\n#define ID(e) (e)"),
              ElementsAre(HasSubstr("callee=`NAME`")));
  EXPECT_THAT(calls("ID(g(i));", "#define ID(e) (e)"),
              ElementsAre(HasSubstr("g(i#0 `i`) -> %3 `g(i)` callee=`g`")));
}

TEST(Calls, VariableArgumentsOfMacros) {
  // `__VA_ARGS__` is one argument here and two there, so it cannot be edited as
  // one.
  const char *Macros = "int v(int, ...);\n#define ALL(...) "
                       "v(__VA_ARGS__)\n#define NAMED(x, args...) v(x, args)";
  EXPECT_THAT(calls("ALL(i);", Macros),
              ElementsAre(HasSubstr("v(i#0 `i`) -> %3 `ALL(i)`")));
  EXPECT_THAT(calls("ALL(i, 2);", Macros),
              ElementsAre(HasSubstr("v(i#0 `i`, - `2`)")));
  EXPECT_THAT(calls("NAMED(i, 2);", Macros),
              ElementsAre(HasSubstr("v(i#0 `x`, - `2`)")));
}

TEST(Calls, WhatTheResultBecomes) {
  const char *H = "#include <stdlib.h>\n";
  EXPECT_THAT(calls("struct t *v = malloc(sizeof(*v));", H),
              ElementsAre(HasSubstr(
                  "sizeof=t@t.c sizeof-type={t@t.c} makes=t@t.c as={t@t.c}*")));
  EXPECT_THAT(calls("void *v = malloc(10);", H),
              ElementsAre(Not(HasSubstr("as="))));
  EXPECT_THAT(calls("void *v = (struct t *)malloc(10);", H),
              ElementsAre(HasSubstr("makes=t@t.c")));
  EXPECT_THAT(calls("struct t *v = i ? malloc(10) : 0;", H),
              ElementsAre(HasSubstr("makes=t@t.c")));
  EXPECT_THAT(
      calls("struct t **v = calloc(i, sizeof(struct t *));", H),
      ElementsAre(testing::AllOf(HasSubstr("sizeof-type={t@t.c}* as={t@t.c}**"),
                                 Not(HasSubstr("makes=")))));
  EXPECT_THAT(
      calls("struct t *v; v = malloc(sizeof(struct t) * i + sizeof(int));", H),
      ElementsAre(HasSubstr(
          "sizeof=t@t.c sizeof-type={t@t.c} sizeof-type=int4 makes=t@t.c")));
}

TEST(Calls, Phrases) {
  auto phrase = [](const std::string &argument) {
    std::string line =
        linesOf("const char *_(const char *) __attribute__((format_arg(1)));\n"
                "char *copy(const char *); void say(int, const char *, ...);\n"
                "void f(int i, char *s) { say(i, " +
                    argument + "); }\n",
                "call f")
            .back();
    return line.find(" phrase=1") != std::string::npos;
  };
  EXPECT_TRUE(phrase("\"cannot open %s\", s"));
  EXPECT_TRUE(phrase("(\"no \" \"room\")"));
  EXPECT_TRUE(phrase("_(\"cannot open it\")"));
  EXPECT_TRUE(phrase("i ? \"no such room\" : \"no such door\""));
  EXPECT_FALSE(phrase("\"rooms\""));
  EXPECT_FALSE(phrase("\"%s/etc/rooms.cfg\", s"));
  EXPECT_FALSE(phrase("\"%d %d\", i, i"));
  EXPECT_FALSE(phrase("i ? \"no such room\" : s"));
  EXPECT_FALSE(phrase("copy(\"a new room\")"));
  EXPECT_FALSE(phrase("s"));
}

TEST(Calls, Loops) {
  std::vector<std::string> lines =
      calls("for (g(1); g(2); g(3)) { while (i) g(4); } do { g(5); } while "
            "(g(6)); g(7); do g(8); while (0);");
  ASSERT_THAT(lines, SizeIs(8));
  EXPECT_THAT(lines[0], Not(HasSubstr("loop=")));
  EXPECT_THAT(lines[1], HasSubstr("loop=0"));
  EXPECT_THAT(
      lines[2],
      HasSubstr("loop=1")); // the body of the for comes before its increment
  EXPECT_THAT(lines[3], HasSubstr("loop=0"));
  EXPECT_THAT(lines[4], HasSubstr("loop=2"));
  EXPECT_THAT(lines[5], HasSubstr("loop=2"));
  EXPECT_THAT(lines[6], Not(HasSubstr("loop=")));
  EXPECT_THAT(lines[7], Not(HasSubstr("loop=")));
}

TEST(Statements, ThatCanBeBracketed) {
  EXPECT_EQ(statement("g(1);"), "`g(1);` in-compound whole");
  EXPECT_EQ(statement("(void)g(1);"), "`(void)g(1);` in-compound whole");
  EXPECT_EQ(statement("i = g(1) ;"), "`i = g(1) ;` in-compound");
  EXPECT_EQ(statement("int v = g(1); i = v;"),
            "`int v = g(1);` declaration in-compound");
  EXPECT_EQ(statement("return g(1);"), "`return g(1);` in-compound may-leave");
  EXPECT_EQ(statement("if (i) g(1);"), "`g(1);` whole arm=0+");
  EXPECT_EQ(statement("if (i) { g(1); }"), "`g(1);` in-compound whole arm=0+");
  EXPECT_EQ(statement("if (i) ; else g(1);"), "`g(1);` whole arm=0-");
  EXPECT_EQ(statement("while (i) g(1);"), "`g(1);` whole");
  EXPECT_EQ(statement("switch (i) { case 1: g(1); break; }"), "`g(1);` whole");
  EXPECT_EQ(statement("switch (i) { case 1: i = 2; g(1); break; }"),
            "`g(1);` in-compound whole");
  EXPECT_EQ(statement("out: g(1); goto out;"), "`g(1);` whole");
  EXPECT_EQ(statement("i = ({ g(1); 2; });"), "`g(1);` in-compound whole");
}

TEST(Statements, Conditions) {
  EXPECT_EQ(statement("if (g(1)) i = 2;"), "`if (g(1)) i = 2;` in-compound");
  EXPECT_EQ(statement("if (g(1)) { i = 2; } else { i = 3; }"),
            "`if (g(1)) { i = 2; } else { i = 3; }` in-compound");
  EXPECT_EQ(statement("if (g(1)) return 1;"),
            "`if (g(1)) return 1;` in-compound may-leave");
  EXPECT_EQ(statement("if (i) i = 1; else if (g(1)) i = 2;"),
            "`if (g(1)) i = 2;` arm=0-");
  EXPECT_EQ(statement("while (g(1)) i = 2;"), "none");
  EXPECT_EQ(statement("for (; g(1);) i = 2;"), "none");
  EXPECT_EQ(statement("for (i = g(1); i;) i = 2;"), "none");
  EXPECT_EQ(statement("switch (g(1)) { case 1: i = 2; }"), "none");
  EXPECT_EQ(statement("if (g(1)) while (i) { if (i) break; }"),
            "`if (g(1)) while (i) { if (i) break; }` in-compound");
}

TEST(Statements, InMacros) {
  EXPECT_EQ(statement("CALL(1);", "#define CALL(v) g(v)"),
            "`CALL(1);` in-compound whole");
  EXPECT_EQ(statement("CALL(1);", "#define CALL(v) do { g(v); } while (0)"),
            "`CALL(1);` in-compound");
  EXPECT_EQ(statement("CALL(1)", "#define CALL(v) g(v);"), "none");
  EXPECT_EQ(statement("BOTH(g(1));", "#define BOTH(e) i = 2; e"), "none");
  EXPECT_EQ(statement("if (CALL(1)) i = 2;", "#define CALL(v) g(v)"),
            "`if (CALL(1)) i = 2;` in-compound");
}

TEST(StaticWrites, Paths) {
  const char *S = "struct in { int v[2]; }; struct { int n; struct in in; "
                  "struct in list[3]; struct in *p; } s; static int a[4], k;\n";
  auto writes = [&](const std::string &body) {
    return linesOf(std::string(S) + "void f(int i, struct in *q) { " + body +
                       " }",
                   "static-write f: ");
  };
  EXPECT_THAT(
      writes("k = i;"),
      ElementsAre(
          "static-write f: k@t.c = i#0 scalar statement=`k = i;` in-compound"));
  EXPECT_THAT(writes("k++;"),
              ElementsAre(HasSubstr("k@t.c = k@t.c read-modify-write scalar")));
  EXPECT_THAT(writes("a[i] = 1;"), ElementsAre(HasSubstr("a@t.c = - scalar")));
  EXPECT_THAT(writes("s.n = 1;"), ElementsAre(HasSubstr("s/s.n = - scalar")));
  EXPECT_THAT(writes("s.list[i].v[1] -= 2;"),
              ElementsAre(HasSubstr("s/s.list/in.v = %")));
  EXPECT_THAT(writes("s.in = *q;"),
              ElementsAre(testing::AllOf(HasSubstr("s/s.in = q#1"),
                                         Not(HasSubstr("scalar")))));
  EXPECT_THAT(writes("s.p->v[0] = 1;"), IsEmpty());
  EXPECT_THAT(writes("(&s)->n = 1; *&k = 2;"), SizeIs(2));
  EXPECT_THAT(writes("static int here; here = 2;"),
              ElementsAre(HasSubstr("f.here@t.c = -")));
  EXPECT_THAT(writes("__sync_fetch_and_add(&s.n, 1);"),
              ElementsAre(HasSubstr("s/s.n = - read-modify-write scalar")));
  EXPECT_THAT(writes("if (i) k = 1;"),
              ElementsAre(HasSubstr("statement=`k = 1;`")));
}

TEST(AddressUses, Spelled) {
  const char *S = "struct t { int n; int m[2]; }; static struct t v; static "
                  "int a[3]; void g(void *); void run(void);\n";
  auto uses = [&](const std::string &text) {
    return linesOf(S + text, "address-use");
  };
  EXPECT_THAT(uses("void f(void) { g(&v); }"),
              ElementsAre("address-use f: v@t.c -> %0 `&v`"));
  EXPECT_THAT(uses("void f(void) { g(a); }"),
              ElementsAre("address-use f: a@t.c -> %0 `a`"));
  EXPECT_THAT(uses("void f(void) { g(&v.n); }"),
              ElementsAre("address-use f: v@t.c -> %1 `&v.n` interior"));
  EXPECT_THAT(uses("void f(void) { g(v.m); }"),
              ElementsAre(HasSubstr("`v.m` interior")));
  EXPECT_THAT(uses("void f(void) { g(&a[1]); }"),
              ElementsAre(HasSubstr("`&a[1]` interior")));
  EXPECT_THAT(uses("int f(void) { v.n = a[1]; return v.m[0]; }"), IsEmpty());
  EXPECT_THAT(uses("void f(void) { void (*p)(void) = run; p = &run; run(); }"),
              ElementsAre("address-use f: run() -> %1 `run`",
                          "address-use f: run() -> %3 `&run`"));
  EXPECT_THAT(uses("struct t *p = &v;"),
              ElementsAre("address-use -: v@t.c -> %0 `&v` constant"));
  EXPECT_THAT(uses("#define V (&v)\nvoid f(void) { g(V); }"),
              ElementsAre(HasSubstr("`&v`")));
  EXPECT_THAT(uses("#define AT(x) &x\nvoid f(void) { g(AT(v)); }"),
              ElementsAre(HasSubstr("`&x`")));
  EXPECT_THAT(uses("void f(void) { struct t l; g(&l); }"), IsEmpty());
}

TEST(Sizeof, Uses) {
  const char *S = "struct t { int n; };\n";
  EXPECT_THAT(linesOf(std::string(S) + "int f(struct t *p) { return sizeof(*p) "
                                       "+ sizeof(struct t[3]) + sizeof(p); }",
                      "sizeof"),
              SizeIs(2));
}

TEST(DeadEnds, CallsAndFunctions) {
  const char *S = "#include <stdlib.h>\nvoid g(int); void die(void) { g(0); "
                  "exit(1); } int c;\n";
  auto dead = [&](const std::string &body) {
    std::vector<std::string> result;
    for (const std::string &l :
         linesOf(std::string(S) + "void f(int i) { " + body + " }", "call f"))
      result.push_back(llvm::StringRef(l).contains("dead-end") ? "dead"
                                                               : "alive");
    return result;
  };
  EXPECT_THAT(dead("g(1); if (i) { g(2); exit(1); } g(3);"),
              ElementsAre("alive", "dead", "dead", "alive"));
  EXPECT_THAT(dead("if (i) { g(2); die(); } g(3);"),
              ElementsAre("dead", "dead", "alive"));
  EXPECT_THAT(
      dead("if (i) { g(1); if (c) abort(); else { g(2); die(); } } g(3);"),
      ElementsAre("dead", "dead", "dead", "dead", "alive"));
  EXPECT_THAT(dead("for (;;) g(1);"), ElementsAre("alive"));
  EXPECT_THAT(dead("g(1); while (1) { g(2); if (c) break; }"),
              ElementsAre("alive", "alive"));
  std::vector<std::string> functions = linesOf(
      std::string(S) + "void outer(void) { die(); } void maybe(void) { if (c) "
                       "die(); } void loop(void) { for (;;) g(1); }",
      "function");
  EXPECT_THAT(functions, Contains(testing::AllOf(HasSubstr("function die "),
                                                 HasSubstr(" noreturn"))));
  EXPECT_THAT(functions, Contains(testing::AllOf(HasSubstr("function outer "),
                                                 HasSubstr(" noreturn"))));
  EXPECT_THAT(functions, Contains(testing::AllOf(HasSubstr("function maybe "),
                                                 Not(HasSubstr("noreturn")))));
  EXPECT_THAT(functions, Contains(testing::AllOf(HasSubstr("function loop "),
                                                 Not(HasSubstr("noreturn")))));
}

TEST(ChildCode, OfAnAnswer) {
  const char *S = "#include <stdlib.h>\n#include <unistd.h>\n"
                  "void g(int); void wait_for(int); pid_t start(void);\n";
  auto madeBy = [&](const std::string &body) {
    std::vector<std::string> result;
    for (const std::string &l :
         linesOf(std::string(S) + "void f(int i) { " + body + " }", "call f"))
      if (llvm::StringRef(l).starts_with("call f: g("))
        result.push_back(llvm::StringRef(l).contains("in-child-of") ? "child"
                         : llvm::StringRef(l).contains("in-parent-of")
                             ? "parent"
                             : "both");
    return result;
  };
  EXPECT_THAT(madeBy("if (fork() == 0) { g(1); exit(0); } g(2);"),
              ElementsAre("child", "parent"));
  EXPECT_THAT(madeBy("pid_t p; if ((p = fork()) < 0) g(1); else if (p > 0) "
                     "g(2); else { g(3); _exit(0); }"),
              ElementsAre("both", "parent", "child"));
  EXPECT_THAT(madeBy("switch (fork()) { case -1: g(1); break; case 0: g(2); "
                     "exit(0); default: g(3); }"),
              ElementsAre("both", "child", "parent"));
  EXPECT_THAT(madeBy("int p = -1; if (i) p = start(); if (!p) { g(1); "
                     "if (!fork()) g(2); exit(0); } g(3);"),
              ElementsAre("child", "child", "parent"));
  // The program becomes the child; no child of later; not an answer alone.
  EXPECT_THAT(madeBy("if (fork() != 0) exit(0); g(1);"), ElementsAre("both"));
  EXPECT_THAT(madeBy("int p = 0; if (i) p = fork(); if (p == 0) g(1);"),
              ElementsAre("both"));
  EXPECT_THAT(madeBy("int p = fork(); wait_for(p); p = i; if (p == 0) g(1);"),
              ElementsAre("both"));
}

TEST(ChildCode, ThatTheProgramGoesOnIn) {
  auto goesOn = [](const std::string &function) {
    std::vector<std::string> lines = linesOf(
        "#include <stdlib.h>\n#include <unistd.h>\nint g(int);\n" + function,
        "call ");
    return llvm::any_of(lines, [](const std::string &l) {
      return llvm::StringRef(l).contains("goes-on-in-child");
    });
  };
  EXPECT_TRUE(goesOn("void f(void) { if (fork() > 0) _exit(0); setsid(); }"));
  EXPECT_TRUE(goesOn("int main(void) { pid_t p = fork(); if (p > 0) return "
                     "g(1); while (g(2)); return 0; }"));
  EXPECT_FALSE(goesOn("void f(void) { if (fork() == 0) _exit(0); g(1); }"));
  EXPECT_FALSE(goesOn("int main(void) { fork(); while (g(2)); return 0; }"));
}

TEST(DeadEnds, AJumpIsNone) {
  std::vector<std::string> lines =
      linesOf("#include <setjmp.h>\njmp_buf b; void g(int); void f(int i) { if "
              "(i) { g(1); longjmp(b, 1); } g(2); }",
              "call f");
  EXPECT_THAT(lines, testing::Each(Not(HasSubstr("dead-end"))));
}

TEST(DeadEnds, UndeclaredExit) {
  EXPECT_THAT(linesOf("int f(void) { exit(1); }", "call f", {"-std=gnu89"}),
              ElementsAre(HasSubstr("dead-end")));
}

TEST(Main, WhereItsFirstStatementBegins) {
  auto start = [](const std::string &code) {
    SourceFolder folder;
    CollectResult r = collectResult(folder, code);
    for (const Function &f : r.facts.functions)
      if (f.name == "main" && f.bodyStart.file != None)
        return code.substr(f.bodyStart.begin, 8);
    return std::string("none");
  };
  EXPECT_EQ(start("int g(void); int main(void) { int a = 3; char *b; b = 0; "
                  "return 0; }"),
            "b = 0; r");
  EXPECT_EQ(
      start("int g(void); int main(void) { int a = 3, c = g(); return c; }"),
      "int a = ");
  EXPECT_EQ(start("int main(void) { return 0; }"), "return 0");
  EXPECT_EQ(start("int main(void) {}"), "}");
  EXPECT_EQ(start("int main(void) { int a; }"), " }");
  EXPECT_EQ(start("#define SETUP int q = 1;\nint g(void); int main(void) { if "
                  "(1) g(); }"),
            "if (1) g");
  EXPECT_EQ(start("#define BANNER g()\nint g(void); int main(void) { int a; "
                  "BANNER; return 0; }"),
            "BANNER; ");
  EXPECT_EQ(start("#define CHECK(x) x;\nint g(void); int main(void) { "
                  "CHECK(g()) return 0; }"),
            "CHECK(g(");
  EXPECT_EQ(start("#define BOTH int a; g()\nint g(void); int main(void) { int "
                  "b; BOTH; return 0; }"),
            " BOTH; r");
}

} // namespace
