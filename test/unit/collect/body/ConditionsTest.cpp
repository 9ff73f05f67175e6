//===- ConditionsTest.cpp - What is known where a call is made ------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/support/CollectSource.h"
#include <gtest/gtest.h>
#include <set>

using namespace nvmove;
using namespace nvmove::test;

namespace {

Facts collectSource(const std::string &code) {
  SourceFolder folder;
  return collectResult(folder, code).facts;
}

/// Names of the pointers that are not null at the call of g().
std::string tested(const std::string &body) {
  Facts f = collectSource(
      "void g(void); int *get(int); int *q; struct s { int *m; };\n"
      "void f(int *p, int i, struct s *s) { " +
      body + " }\n");
  std::string names;
  for (const Call &c : f.calls)
    if (c.callee != None && f.functions[c.callee].name == "g")
      for (Id n : c.nonNull)
        names += (names.empty() ? "" : " ") +
                 (f.nodes[n].name.empty() ? "%" : f.nodes[n].name);
  return names;
}

/// What holds of f's parameters at the call of g(), and what g() is called
/// with.
std::string integers(const std::string &body) {
  Facts f = collectSource("void g(int, unsigned); int h(void);\n"
                          "void f(int i, unsigned u, signed char c, _Bool b) "
                          "{ " +
                          body + " }\n");
  std::string text;
  for (const Call &c : f.calls) {
    if (c.callee == None || f.functions[c.callee].name != "g")
      continue;
    for (const ParamTest &t : c.tests) {
      text += f.nodes[t.param].name;
      if (t.mask != ~uint64_t(0))
        text += "&" + std::to_string(t.mask);
      text += (t.equal ? "==" : "!=") + std::to_string(t.value) + " ";
    }
    for (const ArgValue &a : c.argValues)
      text +=
          std::to_string(a.arg) + ":" +
          (a.param == None ? std::to_string(a.value) : f.nodes[a.param].name) +
          " ";
  }
  return text;
}

/// What holds of statics and members at the call of g().
std::string flags(const std::string &body) {
  Facts f = collectSource(
      "void g(void); unsigned long strlen(const char *); int strcmp(const char "
      "*, const char *); char text[8]; int n[8]; char *p; struct s { char "
      "text[8]; };\nvoid f(struct s *s, int i) { " +
      body + " }\n");
  std::string text;
  for (const Call &c : f.calls) {
    if (c.callee == None || f.functions[c.callee].name != "g")
      continue;
    for (const FlagTest &t : c.flags)
      text += (t.field == None ? f.nodes[t.variable].name
                               : "s." + f.fields[t.field].name) +
              (t.equal ? "==" : "!=") + std::to_string(t.value) + " ";
  }
  return text;
}

/// The variables that g() is called with; a version of one has a ' behind it.
std::string versions(const std::string &body) {
  Facts f = collectSource("void g(void *); void *h(void); int i;\n"
                          "void f(void *p, void *q) { " +
                          body + " }\n");
  std::string text;
  for (const Call &c : f.calls)
    if (c.callee != None && f.functions[c.callee].name == "g")
      text += f.nodes[c.args[0]].name +
              (f.nodes[c.args[0]].kind == NodeKind::Temp ? "' " : " ");
  return text;
}

/// The arms of if statements that the call of g() stands in.
std::string arms(const std::string &body) {
  Facts f =
      collectSource("void g(void); void f(int i, int j) { " + body + " }\n");
  std::string text;
  for (const Call &c : f.calls)
    for (uint32_t arm : c.arms)
      text += std::to_string(arm / 2) + (arm % 2 ? "-" : "+");
  return text;
}

} // namespace

TEST(Conditions, PointersTested) {
  EXPECT_EQ(tested("if (p) g();"), "p");
  EXPECT_EQ(tested("if (!p) ; else g();"), "p");
  EXPECT_EQ(tested("if (p != 0) g();"), "p");
  EXPECT_EQ(tested("if (0 == p) return; g();"), "p");
  EXPECT_EQ(tested("if (!p) { i = 1; return; } { g(); }"), "p");
  EXPECT_EQ(tested("if (p && q) g();"), "p q");
  EXPECT_EQ(tested("if (!p || !q) return; g();"), "p q");
  EXPECT_EQ(tested("while (p) g();"), "p");
  EXPECT_EQ(tested("for (; p; p++) g();"), "p");
  EXPECT_EQ(tested("while ((p = get(i))) g();"), "% p"); // the value too
  EXPECT_EQ(tested("if (get(i)) g();"), "%");
  EXPECT_EQ(tested("if (s->m) g();"), "%");
  EXPECT_EQ(tested("if (__builtin_expect(!!(p), 1)) g();"), "p");
  EXPECT_EQ(tested("p ? g() : (void)0;"), "p");
  EXPECT_EQ(tested("p && (g(), 1);"), "p");
  EXPECT_EQ(tested("do { if (!p) break; g(); } while (i);"), "p");
}

TEST(Conditions, Asserted) {
  EXPECT_EQ(tested("p || (__builtin_trap(), 0); g();"), "p");
  EXPECT_EQ(tested("p ? (void)0 : __builtin_unreachable(); g();"), "p");
  EXPECT_EQ(tested("(void)(sizeof p), ({ if (p) ; else __builtin_trap(); });"
                   "g();"),
            "p");
  EXPECT_EQ(tested("i ? (void)0 : __builtin_trap(); g();"), "");
  EXPECT_EQ(tested("int known = p != 0; if (known) g();"), "p");
  EXPECT_EQ(tested("int known = p != 0; known = 1; if (known) g();"), "");
}

TEST(Conditions, IntegersTested) {
  EXPECT_EQ(integers("if (i) g(h(), u + 1);"), "i!=0 ");
  EXPECT_EQ(integers("if (!i) g(h(), u + 1);"), "i==0 ");
  EXPECT_EQ(integers("if (u & 4) return; g(h(), h());"), "u&4==0 ");
  EXPECT_EQ(integers("int later = !(u & 4); if (later) g(h(), h());"),
            "u&4==0 ");
  EXPECT_EQ(integers("if (i == 3) g(h(), h());"), "i==3 ");
  EXPECT_EQ(integers("if (i == 3) return; g(h(), h());"), "i!=3 ");
  EXPECT_EQ(integers("if (b) g(h(), h());"), "b!=0 ");
  // Changed somewhere; a number that the type does not have; cut short.
  EXPECT_EQ(integers("if (i) g(h(), h()); i++;"), "");
  EXPECT_EQ(integers("int *a = &i; if (i) g(h(), h());"), "");
  EXPECT_EQ(integers("if (c == 255) g(h(), h());"), "");
  EXPECT_EQ(integers("char x = u & 256; if (x) g(h(), h());"), "");
  EXPECT_EQ(integers("if (i > 3) g(h(), h());"), "");
}

TEST(Conditions, TextsTested) {
  EXPECT_EQ(flags("if (*text) g();"), "text!=0 ");
  EXPECT_EQ(flags("if (!*text) return; g();"), "text!=0 ");
  EXPECT_EQ(flags("if (text[0] == 'a') g();"), "text==97 ");
  EXPECT_EQ(flags("if (s->text[0] != '\\0') g();"), "s.text!=0 ");
  EXPECT_EQ(flags("if (strlen(text)) g();"), "text!=0 ");
  EXPECT_EQ(flags("if (strlen(s->text) > 0) g();"), "s.text!=0 ");
  EXPECT_EQ(flags("if (strlen(text) == 0) return; g();"), "text!=0 ");
  EXPECT_EQ(flags("if (strcmp(text, \"\") == 0) return; g();"), "text!=0 ");
  EXPECT_EQ(flags("if (strcmp(\"\", text)) g();"), "text!=0 ");
  // Not the first character, no text, no array, and what is anything.
  EXPECT_EQ(flags("if (text[1]) g();"), "");
  EXPECT_EQ(flags("if (text[i]) g();"), "");
  EXPECT_EQ(flags("if (*n) g();"), "");
  EXPECT_EQ(flags("if (*p) g();"), "");
  EXPECT_EQ(flags("if (strcmp(text, \"a\")) g();"), "");
  EXPECT_EQ(flags("char own[8]; if (*own) g();"), "");
}

TEST(Conditions, IntegersPassed) {
  EXPECT_EQ(integers("g(-1, -1);"), "0:18446744073709551615 1:4294967295 ");
  EXPECT_EQ(integers("g(i, u);"), "0:i 1:u ");
  EXPECT_EQ(integers("g(u, i);"), ""); // converted
  EXPECT_EQ(integers("i = 2; g(i, h());"), "");
}

TEST(Conditions, Versions) {
  EXPECT_EQ(versions("g(p); p = h(); g(p); p = q; g(p);"), "p p' p' ");
  EXPECT_EQ(versions("p = h(); if (i) p = q; g(p);"), "p ");
  EXPECT_EQ(versions("p = h(); if (i) { p = q; return; } g(p);"), "p' ");
  EXPECT_EQ(versions("p = h(); while (i) { g(p); p = q; } g(p);"), "p' p' ");
  EXPECT_EQ(versions("while ((p = h())) g(p);"), "p' ");
  EXPECT_EQ(versions("for (p = q; i; g(p)) { if (i) continue; p = h(); }"),
            "p' ");
  EXPECT_EQ(versions("do { if (i) continue; p = h(); } while (g(p), i);"),
            "p ");
  EXPECT_EQ(versions("do { p = q; if (i) break; p = h(); } while (0); g(p);"),
            "p ");
  EXPECT_EQ(versions("do { p = h(); } while (0); g(p);"), "p' ");
  EXPECT_EQ(versions("p = h(); again: g(p); p = q; if (i) goto again;"), "p ");
  EXPECT_EQ(versions("switch (i) { case 1: p = h(); case 2: g(p); }"), "p ");
  EXPECT_EQ(versions("p = h(); i ? p = q : 0; g(p);"), "p ");
  EXPECT_EQ(versions("p = h(); void **a = &p; g(p);"), "p' ");
  EXPECT_EQ(versions("p = h(); i && (p = q); g(p);"), "p ");
}

/// What the local r may be where g() is called: the names of statics.
std::string inLoops(const std::string &body) {
  Facts f = collectSource(
      "void g(void *); int i; void *a, *b, *c, *d; void **h(void **);\n"
      "void f(void) { void **r; " +
      body + " }\n");
  std::string text;
  for (const Call &call : f.calls) {
    if (call.callee == None || f.functions[call.callee].name != "g")
      continue;
    std::set<std::string> names;
    std::set<Id> seen;
    std::vector<Id> work{call.args[0]};
    while (!work.empty()) {
      Id node = work.back();
      work.pop_back();
      if (!seen.insert(node).second)
        continue;
      for (const Constraint &flow : f.constraints) {
        if (flow.dst != node || flow.src == None)
          continue;
        if (flow.flow == Flow::AddressOf)
          names.insert(f.nodes[flow.src].name);
        else
          work.push_back(flow.src);
      }
    }
    for (const std::string &name : names)
      text += name;
    text += " ";
  }
  return text;
}

TEST(Conditions, ALoopHasVersionsOfItsOwn) {
  EXPECT_EQ(inLoops("for (r = &a; i; r = &b) g(r); g(r);"
                    "for (r = &c; i; r = &d) g(r); g(r);"),
            "ab ab cd cd ");
  EXPECT_EQ(inLoops("r = &d; g(r); r = &a; while (i) { g(r); if (i) r = &b; "
                    "else if (i) continue; g(r); r = &c; g(r); } g(r);"),
            "d abc abc c abc ");
  EXPECT_EQ(inLoops("r = &d; g(r); r = &a; while (i) { r = &b; if (i) break; r "
                    "= &c; } g(r);"),
            "d abc ");
  EXPECT_EQ(inLoops("r = &d; g(r); r = &a; do { g(r); r = &b; } while (i); "
                    "g(r);"),
            "d ab ab ");
  // What the inner loop assigns, the outer one enters with again.
  EXPECT_EQ(inLoops("r = &d; g(r); r = &a; while (i) { g(r); r = &b; while (i) "
                    "{ g(r); r = &c; } g(r); }"),
            "d abc bc bc ");
  // Control comes into it from elsewhere.
  EXPECT_EQ(inLoops("r = &d; if (i) goto in; r = &a; while (i) { in: g(r); r = "
                    "&b; }"),
            "abd ");
  EXPECT_EQ(inLoops("r = &d; switch (i) { case 0: r = &a; while (i) { case 1: "
                    "g(r); r = &b; } }"),
            "abd ");
  EXPECT_EQ(inLoops("r = &d; h(&r); for (r = &a; i; r = &b) g(r);"), "abd ");
}

TEST(Conditions, VersionsOfWhatHasItsAddressTaken) {
  auto shared = [](const std::string &body) {
    return inLoops("void w(void ***, void **); int n(const void *); h(&r); " +
                   body);
  };
  EXPECT_EQ(shared("r = &a; r = &b; g(r); g(r);"), "b ab ");
  EXPECT_EQ(shared("r = &a; r = &b; void *m = __builtin_malloc(8); g(r);"),
            "b ");
  EXPECT_EQ(shared("r = &a; r = &b; w(&r, &c); g(r);"), "ab ");
  EXPECT_EQ(shared("r = &a; r = &b; if (i) w(&r, &c); g(r);"), "ab ");
  EXPECT_EQ(shared("void **p = &d; r = &a; r = &b; *p = 0; g(r);"), "ab ");
  EXPECT_EQ(shared("r = &a; r = &b; while (i) { g(r); }"), "ab ");
  // In which order is not said.
  EXPECT_EQ(shared("void u(int, int); r = &a; r = &b; u((g(r), 0), n(0));"),
            "ab ");
  EXPECT_EQ(shared("r = &a; n(0) + (r = &b, 0); g(r);"), "ab ");
}

TEST(Conditions, ControlComesToALoopFromElsewhere) {
  EXPECT_EQ(
      inLoops("r = &a; while (i) { g(r); in: ; } r = &b; if (i) goto in;"),
      "ab ");
  EXPECT_EQ(inLoops("r = &a; while (i) if (i) { in: break; } g(r); r = &b; if "
                    "(i) goto in;"),
            "ab ");
  EXPECT_EQ(inLoops("r = &a; switch (i) { case 0: in: break; case 1: r = &c; "
                    "return; } g(r); r = &b; if (i) goto in;"),
            "abc ");
  EXPECT_EQ(inLoops("r = &d; switch (i) { case 0: r = &a; while (i) { g(r); "
                    "case 1: ; } }"),
            "ad ");
}

TEST(Conditions, NothingIsKnown) {
  EXPECT_EQ(tested("if (i) g();"), "");
  EXPECT_EQ(tested("if (!p) g();"), "");
  EXPECT_EQ(tested("if (p) ; else g();"), "");
  EXPECT_EQ(tested("if (p || q) g();"), "");
  EXPECT_EQ(tested("if (!p && !q) return; g();"), "");
  EXPECT_EQ(tested("if (!p) i = 1; g();"), "");
  EXPECT_EQ(tested("if (p) { i = 1; } g();"), "");
  EXPECT_EQ(tested("do g(); while (p);"), "");
  // Entered from elsewhere.
  EXPECT_EQ(tested("if (i) goto in; if (!p) return; in: g();"), "");
  EXPECT_EQ(tested("if (i) goto in; if (p) { in: g(); }"), "");
  EXPECT_EQ(tested("if (i) goto in; while (p) { in: g(); }"), "");
  EXPECT_EQ(tested("if (i) goto in; for (; p;) { in: g(); }"), "");
  EXPECT_EQ(tested("switch (i) { case 1: ; if (!p) return; case 2: g(); }"),
            "");
}

TEST(Conditions, Arms) {
  EXPECT_EQ(arms("if (i) g();"), "0+");
  EXPECT_EQ(arms("if (i) ; else g();"), "0-");
  EXPECT_EQ(arms("if (i) { if (j) ; else g(); }"), "0+1-");
  EXPECT_EQ(arms("if (i) return; g();"), "0-");
  EXPECT_EQ(arms("if (i) j = 1; else return; g();"), "0+");
  EXPECT_EQ(arms("if (i) j = 1; g();"), "");
  EXPECT_EQ(arms("if (j) goto in; if (i) { in: g(); }"), "");
  EXPECT_EQ(arms("if (i) return; out: g(); if (j) goto out;"), "");
}
