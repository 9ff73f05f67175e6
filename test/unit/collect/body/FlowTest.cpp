//===- FlowTest.cpp - Values through expressions and declarations ---------===//
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
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

/// Constraints in the body of f, without their function and position. Nodes of
/// f are numbered: the parameters first, then its result, then temporaries.
std::vector<std::string> flows(const std::string &signature,
                               const std::string &body,
                               const std::string &before = "") {
  std::vector<std::string> lines =
      linesOf(before + "\n" + signature + " { " + body + " }\n", "flow f: ");
  for (std::string &l : lines)
    l = l.substr(8);
  return lines;
}

const char *Types =
    "struct s { struct s *next; int n; struct { int *q; } in; int a[4]; };";

TEST(Flow, Variables) {
  EXPECT_THAT(flows("void f(int *p)", "int *q = p; q = p;"),
              ElementsAre("q#1 = p#0", "%2 = p#0", "q#1 = p#0", "%3 = p#0"));
  EXPECT_THAT(flows("void f(int *p)", "static int *g; g = p;"),
              ElementsAre("f.g@t.c = p#0"));
  EXPECT_THAT(flows("void f(int *p)", "g = p;", "int *g;"),
              ElementsAre("g = p#0"));
  EXPECT_THAT(flows("void f(void)", "int i = 3; int *p = 0; p = (void *)0;"),
              IsEmpty());
}

TEST(Flow, Members) {
  EXPECT_THAT(flows("void f(struct s *p)", "p->next = p;", Types),
              ElementsAre("%1 = &p#0->s.next", "*%1 = p#0"));
  EXPECT_THAT(flows("int *f(struct s *p)", "return p->in.q;", Types),
              ElementsAre("%2 = &p#0->s.in", "%3 = &%2->s.in.q", "%4 = *%3",
                          "return = %4"));
  EXPECT_THAT(flows("void f(int *p)", "struct s v; v.in.q = p;", Types),
              ElementsAre("%2 = &v#1", "%3 = &%2->s.in", "%4 = &%3->s.in.q",
                          "*%4 = p#0"));
}

TEST(Flow, Arrays) {
  EXPECT_THAT(flows("void f(int *p, int i)", "int *a[3]; a[i] = p;"),
              ElementsAre("%3 = &a#2", "%4 = %3[i#1]", "*%4 = p#0"));
  EXPECT_THAT(
      flows("int f(struct s *p, int i)", "return p->a[i];", Types),
      ElementsAre("%3 = &p#0->s.a", "%4 = %3[i#1]", "%5 = *%4", "return = %5"));
  EXPECT_THAT(flows("int *f(int *p)", "return p + 1;"),
              ElementsAre("%2 = p#0[-]", "return = %2"));
  EXPECT_THAT(flows("int *f(int *p, int i)", "return i + p;"),
              ElementsAre("%3 = p#0[i#1]", "return = %3"));
  EXPECT_THAT(flows("long f(int *p, int *q)", "return p - q;"),
              ElementsAre("%3 = op p#0", "%3 = op q#1", "return = %3"));
}

TEST(Flow, Arithmetic) {
  EXPECT_THAT(
      flows("int f(int a, int b)", "return a + b * 2;"),
      ElementsAre("%3 = op b#1", "%4 = op a#0", "%4 = op %3", "return = %4"));
  EXPECT_THAT(flows("int f(int a, int b)", "return a < b || !a;"), IsEmpty());
  EXPECT_THAT(flows("int f(int a)", "return ~-a;"),
              ElementsAre("%2 = op a#0", "%3 = op %2", "return = %3"));
  EXPECT_THAT(flows("void f(int a, int b)", "a += b; a++; a -= 2;"),
              ElementsAre("%2 = op a#0", "%2 = op b#1", "a#0 = %2"));
}

TEST(Flow, Conditional) {
  EXPECT_THAT(flows("int *f(int *p, int *q)", "return p ? p : q;"),
              ElementsAre("%3 = p#0", "%3 = q#1", "return = %3"));
  EXPECT_THAT(flows("int *f(int *p, int *q)", "return p ?: q;"),
              ElementsAre("%3 = p#0", "%3 = q#1", "return = %3"));
  EXPECT_THAT(flows("int *f(int *p)", "return p ? p : 0;"),
              ElementsAre("return = p#0"));
}

TEST(Flow, Casts) {
  EXPECT_THAT(flows("long *f(int *p)", "return (long *)p;"),
              ElementsAre("%2 = (int8*)p#0", "return = %2"));
  EXPECT_THAT(flows("void *f(int *p)", "return p;"),
              ElementsAre("return = p#0"));
  EXPECT_THAT(flows("int *f(const int *p)", "return (int *)p;"),
              ElementsAre("return = p#0"));
  EXPECT_THAT(flows("void *f(long v)", "return (void *)v;"),
              ElementsAre("%2 = (void*)v#0", "return = %2"));
  EXPECT_THAT(flows("long f(int v)", "return (long)v;"),
              ElementsAre("return = v#0"));
}

TEST(Flow, OtherExpressions) {
  EXPECT_THAT(flows("int *f(int *p)", "return ({ int *q = p; q; });"),
              ElementsAre("q#2 = p#0", "%3 = p#0", "return = %3"));
  EXPECT_THAT(flows("int *f(int *p, int *q)", "return (p, q);"),
              ElementsAre("return = q#1"));
  EXPECT_THAT(
      flows("int *f(int *p)", "return _Generic(p, int *: p, default: 0);"),
      ElementsAre("return = p#0"));
  EXPECT_THAT(
      flows("int *f(int *p)", "return __builtin_expect((long)p, 1) ? p : 0;"),
      Contains("return = p#0"));
  EXPECT_THAT(flows("int *f(int *p)", "return *&p;"),
              ElementsAre("return = p#0"));
  EXPECT_THAT(flows("const char *f(void)", "return \"text\";"),
              ElementsAre("%2 = &literal#1", "return = %2"));
  EXPECT_THAT(
      flows("struct s *f(struct s *p)", "return &(struct s){ .next = p };",
            Types),
      ElementsAre("%3 = &#2", "%4 = &%3->s.next", "*%4 = p#0", "return = %3"));
}

TEST(Flow, Records) {
  EXPECT_THAT(flows("void f(struct s *p)", "struct s v = *p; *p = v;", Types),
              ElementsAre("%2 = &v#1", "*%2 := *p#0 as {s@t.c}",
                          "*p#0 := *%2 as {s@t.c}"));
  EXPECT_THAT(flows("struct s f(struct s *p)", "return *p;", Types),
              ElementsAre("%2 = &return", "*%2 := *p#0 as {s@t.c}"));
  EXPECT_THAT(
      flows("int f(int i)", "return make(i).n;",
            std::string(Types) + "struct s make(int);"),
      ElementsAre("%3 = &%2", "%4 = &%3->s.n", "%5 = *%4", "return = %5"));
  EXPECT_THAT(flows("void f(struct s *p)", "take(*p);",
                    std::string(Types) + "void take(struct s);"),
              IsEmpty());
}

TEST(Flow, ARecordArgumentIsItsAddress) {
  EXPECT_THAT(
      linesOf(std::string(Types) +
                  "void take(struct s); void f(struct s *p) { take(*p); }",
              "call f"),
      ElementsAre(HasSubstr("take(p#0 `*p`)")));
}

TEST(Flow, Initialisers) {
  EXPECT_THAT(
      flows("void f(int *p)", "struct { int *a, *b; } v = { p, .b = p };"),
      ElementsAre("%2 = &v#1", "%3 = &%2->v.a", "*%3 = p#0", "%4 = &%2->v.b",
                  "*%4 = p#0"));
  EXPECT_THAT(flows("void f(int *p)", "int *v[2] = { [1] = p };"),
              ElementsAre("%2 = &v#1", "%3 = %2[-]", "*%3 = p#0"));
  EXPECT_THAT(
      flows("void f(int *p)", "struct s v = { .in.q = p, .n = 2 };", Types),
      ElementsAre("%2 = &v#1", "%3 = &%2->s.in", "%4 = &%3->s.in.q",
                  "*%4 = p#0"));
  EXPECT_THAT(
      flows("void f(int *p)", "union { long l; int *q; } v = { .q = p };"),
      ElementsAre("%2 = &v#1", "%3 = &%2->v.q", "*%3 = p#0"));
  EXPECT_THAT(
      flows("void f(void)",
            "char t[] = \"abc\"; int a[100] = { 1, 2 }; struct s v = { 0 };",
            Types),
      IsEmpty());
}

TEST(Flow, StaticInitialisers) {
  std::vector<std::string> lines =
      linesOf("int x; int *p = &x; struct t { void (*run)(void); int *q; }; "
              "static void go(void) {}\n"
              "struct t table[] = { { go, &x }, { 0, 0 } };",
              "flow -: ");
  EXPECT_THAT(lines,
              ElementsAre("flow -: %0 = &x", "flow -: p = %0",
                          "flow -: %0 = &go@t.c()", "flow -: %1 = &table",
                          "flow -: %2 = %1[-]", "flow -: %3 = &%2->t.run",
                          "flow -: *%3 = %0", "flow -: %4 = &x",
                          "flow -: %5 = &%2->t.q", "flow -: *%5 = %4"));
}

TEST(Flow, FunctionScopeStatics) {
  std::vector<std::string> lines =
      linesOf("int x; void f(void) { static int *p = &x; } void g(void) { "
              "static int *p; }",
              "global");
  EXPECT_THAT(lines, Contains(HasSubstr("global f.p@t.c name=p int4* t.c:1:35 "
                                        "static function-scope defined in f")));
  EXPECT_THAT(lines, Contains(HasSubstr("global g.p@t.c name=p")));
}

TEST(Flow, MemoryFunctions) {
  const char *H = "#include <string.h>\n#include <strings.h>\n";
  EXPECT_THAT(flows("void *f(void *p, void *q)", "return memcpy(p, q, 4);", H),
              ElementsAre("*p#0 := *q#1", "%3 = p#0", "return = %3"));
  EXPECT_THAT(flows("void f(void *p, void *q)", "bcopy(p, q, 4);", H),
              ElementsAre("*q#1 := *p#0"));
  EXPECT_THAT(flows("void f(void *p, void *q)",
                    "__builtin___memcpy_chk(p, q, 4, 4);", H),
              Contains("*p#0 := *q#1"));
  EXPECT_THAT(flows("char *f(char *p)", "return strchr(p, 'x');", H),
              ElementsAre("%2 = p#0", "return = %2"));
  EXPECT_THAT(flows("char *f(char *p, char *q)", "return strcpy(p, q);", H),
              Contains("*p#0 := *q#1"));
  EXPECT_THAT(flows("void f(char *p)", "memset(p, 0, 3);", H),
              ElementsAre("%1 = p#0"));
  EXPECT_THAT(flows("char *f(char *p)", "return strdup(p);", H),
              ElementsAre("*%2 := *p#0", "return = %2"));
  EXPECT_THAT(flows("char *f(char **p)", "return strsep(p, \",\");",
                    std::string("#define _GNU_SOURCE\n") + H),
              Contains("%4 = *p#0"));
}

TEST(Flow, VariableArguments) {
  SourceFolder folder;
  CollectResult r = collectResult(
      folder,
      "#include <stdarg.h>\n"
      "void *f(int n, ...) { va_list ap, aq; va_start(ap, n); va_copy(aq, ap); "
      "void *p = va_arg(aq, void *); va_end(ap); return p; }");
  std::vector<std::string> lines = factLines(r.facts, folder);
  EXPECT_THAT(lines,
              Contains(HasSubstr(
                  "function f name=f t.c:2:7 params=( n#0 ) variadic=...#")));
  EXPECT_THAT(lines, Contains(HasSubstr(" = ...#")));
  EXPECT_THAT(lines, Contains(HasSubstr("gap variadic f")));
  EXPECT_THAT(lines, Not(Contains(HasSubstr("call f"))));
}

TEST(Flow, Atomics) {
  EXPECT_THAT(
      flows("int f(int *p, int v)", "return __sync_fetch_and_add(p, v);"),
      ElementsAre("%3 = *p#0", "%4 = op %3", "%4 = op v#1", "*p#0 = %4",
                  "return = %3"));
  EXPECT_THAT(
      flows("int *f(int **p, int *v)", "return __atomic_exchange_n(p, v, 0);"),
      ElementsAre("%3 = *p#0", "*p#0 = v#1", "return = %3"));
  EXPECT_THAT(flows("void f(int **p, int **v)", "__atomic_store(p, v, 0);"),
              ElementsAre("%2 = *v#1", "*p#0 = %2"));
  EXPECT_THAT(flows("void f(int **p, int **v)", "__atomic_load(p, v, 0);"),
              ElementsAre("%2 = *p#0", "*v#1 = %2"));
}

TEST(Flow, Unions) {
  std::vector<std::string> lines =
      linesOf("struct t { int k; union { long l; void *p; struct { int a, b; "
              "}; } v; union { int m; int n; }; }; struct t x;",
              "field");
  EXPECT_THAT(lines, Contains(HasSubstr("t.v.p void* at 0 cell=t.v.l")));
  EXPECT_THAT(lines, Contains(HasSubstr("t.v.<0>.b int4 at 32 cell=t.v.l")));
  EXPECT_THAT(lines, Contains(HasSubstr("t.<0>.n int4 at 0 cell=t.<0>.m")));
  EXPECT_THAT(lines, Contains(testing::EndsWith("t.k int4 at 0")));
}

TEST(Flow, OldStyleDefinitions) {
  std::vector<std::string> lines =
      flows("int *f(p, i) int *p; int i;", "return p + i;");
  EXPECT_THAT(lines, ElementsAre("%3 = p#0[i#1]", "return = %3"));
}

} // namespace
