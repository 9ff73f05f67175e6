//===- MergeTest.cpp - One program out of translation units ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/support/CollectSource.h"
#include <algorithm>
#include <gmock/gmock.h>
#include <random>

using namespace nvmove;
using namespace nvmove::test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

namespace {

/// name -> text of C files; headers are not collected.
using Sources = std::vector<std::pair<std::string, std::string>>;

std::vector<Facts> collectAll(const SourceFolder &folder,
                              const Sources &sources) {
  std::vector<Facts> parts;
  for (auto &[name, text] : sources)
    folder.write(name, text);
  for (auto &[name, text] : sources) {
    if (!llvm::StringRef(name).ends_with(".c"))
      continue;
    CollectResult r = folder.collectFile(name);
    EXPECT_FALSE(r.failure) << name;
    parts.push_back(std::move(r.facts));
  }
  return parts;
}

std::vector<std::string> mergedLines(const Sources &sources,
                                     const std::string &kind) {
  SourceFolder folder;
  Facts all = merge(collectAll(folder, sources));
  std::vector<std::string> result;
  for (const std::string &line : factLines(all, folder))
    if (llvm::StringRef(line).starts_with(kind))
      result.push_back(line);
  return result;
}

const Sources Program = {
    {"list.h",
     "struct list; struct list *make(void); extern struct list *all;\n"
     "struct pair { int a; struct pair *p; };\n"
     "static inline void link_pair(struct pair *x, struct pair *y) { x->p = y; "
     "}\n"
     "static const char *names[] = { \"a\", \"b\" };\n"
     "static inline struct list *same(struct list *l) { return l; }\n"},
    {"list.c", "#include <stdlib.h>\n#include \"list.h\"\nstruct list { int n; "
               "struct list *next; };\n"
               "struct list *all; static int count;\n"
               "struct list *make(void) { struct list *l = malloc(sizeof(*l)); "
               "l->next = all; all = l; count++; return same(l); }\n"},
    {"use.c",
     "#include \"list.h\"\n#include <stdio.h>\nstatic int count; static void "
     "helper(struct list *l) { all = l; count = 2; }\n"
     "int usage(char *p) { puts(p); return 1; }\n"
     "int main(int argc, char **argv) { helper(make()); struct pair a, b; "
     "link_pair(&a, &b); puts(names[0]); return usage(argv[0]); }\n"},
    {"other.c", "#include <stdio.h>\n#include <stdlib.h>\nstatic void "
                "helper(void) { }\nint usage(char *q) { puts(q); exit(1); }\n"
                "int main(void) { helper(); return usage(\"x\"); }\n"},
    {"opaque.c", "struct hidden; struct hidden *h; void *get(void) { return "
                 "(void *)h; }\n"},
    {"hidden.c", "struct hidden { int v; }; extern struct hidden *h; int "
                 "value(void) { return h->v; }\n"},
    {"conf.c", "#define BIG\n#include \"conf.h\"\nint big(struct conf *c) { "
               "return c->extra; }\n"},
    {"conf2.c",
     "#include \"conf.h\"\nint small(struct conf *c) { return c->base; }\n"},
    {"conf.h",
     "struct conf { int base;\n#ifdef BIG\nint extra;\n#endif\n};\n"
     "static inline int conf_size(void) { return sizeof(struct conf); }\n"},
};

TEST(Merge, CommutativeAndAssociative) {
  SourceFolder folder;
  std::vector<Facts> parts = collectAll(folder, Program);
  std::string expected = dump(merge(parts));
  std::mt19937 random(1);
  for (int round = 0; round < 40; ++round) {
    std::vector<Facts> pool = parts;
    while (pool.size() > 1) {
      // Join any two or three of them.
      std::shuffle(pool.begin(), pool.end(), random);
      size_t n = std::min<size_t>(pool.size(), 2 + random() % 2);
      std::vector<Facts> group(pool.end() - n, pool.end());
      pool.resize(pool.size() - n);
      pool.push_back(merge(std::move(group)));
    }
    ASSERT_EQ(dump(pool.front()), expected) << "round " << round;
  }
}

TEST(Merge, TypedefsOfAllUnits) {
  auto lines = mergedLines(
      {{"t.h", "typedef struct tag { int a; } one;\n"},
       {"a.c", "#include \"t.h\"\ntypedef struct tag two; one *x; two *y;\n"},
       {"b.c", "#include \"t.h\"\ntypedef one three; three *z;\n"},
       {"c.c", "typedef struct tag opaque; opaque *w;\n"}},
      "record tag@");
  EXPECT_THAT(lines, ElementsAre(HasSubstr(
                         "' alias=one alias=three alias=two t.h:1:16 ")));
}

TEST(Merge, AmbiguousTagsInAnyGrouping) {
  SourceFolder folder;
  std::vector<Facts> parts = collectAll(
      folder,
      {{"a.c",
        "struct c { int a; }; struct c *ca; int fa(void) { return ca->a; }\n"},
       {"b.c", "struct c { long b; }; static struct c *cb; long fb(void) { "
               "return cb->b; }\n"},
       {"u.c", "struct c; void *make(void); extern struct c *ca; struct c "
               "*u(void) { return (struct c *)make(); }\n"}});
  std::string expected = dump(merge(parts));
  EXPECT_THAT(expected, HasSubstr("record c@ "));
  size_t order[] = {0, 1, 2};
  do {
    std::vector<Facts> two{parts[order[0]], parts[order[1]]};
    std::vector<Facts> last{merge(std::move(two)), parts[order[2]]};
    EXPECT_EQ(dump(merge(std::move(last))), expected);
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

TEST(Merge, WhichDefinitionIsMeantInAnyGrouping) {
  SourceFolder folder;
  std::vector<Facts> parts = collectAll(
      folder,
      {{"t.h", "struct t; struct t *a_make(void); void a_put(struct t *);\n"
               "struct t *b_make(void); struct box { struct t *in; };\n"
               "struct both { struct t *any; };\n"},
       {"a.c", "#include \"t.h\"\nstruct t { int a; }; static struct t one;\n"
               "struct t *a_make(void) { return &one; }\n"
               "void a_put(struct t *p) { p->a = 1; }\n"
               "int a_any(struct both *x) { return x->any->a; }\n"},
       {"b.c", "#include \"t.h\"\nstruct t { long b; }; static struct t two;\n"
               "struct t *b_make(void) { return &two; }\n"
               "long b_any(struct both *x) { return x->any->b; }\n"},
       {"pass.c", "#include \"t.h\"\nvoid pass(struct t *p) { a_put(p); }\n"},
       {"far.c", "#include \"t.h\"\nvoid pass(struct t *);\n"
                 "void far(struct box *x) { pass(x->in); }\n"},
       {"other.c", "#include \"t.h\"\nstatic struct t *q;\n"
                   "void other(void) { q = b_make(); }\n"}});
  std::string expected = dump(merge(parts));
  std::vector<Facts> copy = parts;
  std::vector<std::string> lines = factLines(merge(std::move(copy)), folder);
  auto line = [&](llvm::StringRef start) {
    for (const std::string &l : lines)
      if (llvm::StringRef(l).starts_with(start))
        return l;
    return std::string();
  };
  for (llvm::StringRef l : lines)
    EXPECT_TRUE(l.starts_with("type ") || l.starts_with("field both@t.h") ||
                !l.contains("{t@?}"))
        << l.str();
  // Each takes it for its own.
  EXPECT_THAT(line("field both@t.h both.any"), HasSubstr("{t@?}"));
  EXPECT_THAT(line("global q@"), HasSubstr("{t@b.c"));
  EXPECT_THAT(line("field box@t.h box.in"), HasSubstr("{t@a.c"));
  std::mt19937 random(2);
  for (int round = 0; round < 60; ++round) {
    std::vector<Facts> pool = parts;
    while (pool.size() > 1) {
      std::shuffle(pool.begin(), pool.end(), random);
      size_t n = std::min<size_t>(pool.size(), 2 + random() % 2);
      std::vector<Facts> group(pool.end() - n, pool.end());
      pool.resize(pool.size() - n);
      pool.push_back(merge(std::move(group)));
    }
    ASSERT_TRUE(dump(pool.front()) == expected) << "round " << round;
  }
}

TEST(Merge, OfOneIsItself) {
  SourceFolder folder;
  std::vector<Facts> parts = collectAll(folder, {Program[0], Program[1]});
  std::string before = dump(parts[0]);
  EXPECT_EQ(dump(merge(std::move(parts))), before);
  EXPECT_EQ(dump(merge({})), "");
}

TEST(Merge, TheSameUnitTwice) {
  SourceFolder folder;
  std::vector<Facts> parts = collectAll(folder, Program);
  std::string once = dump(merge(parts));
  std::vector<Facts> twice = parts;
  twice.insert(twice.end(), parts.begin(), parts.end());
  EXPECT_EQ(dump(merge(std::move(twice))), once);
}

TEST(Merge, NamesWithInternalLinkageStayApart) {
  Sources s = {{"a.c", "static int n; static void f(void) { n = 1; } struct t "
                       "{ int a; }; struct t va; void a(void) { f(); }\n"},
               {"b.c", "static int n; static void f(void) { n = 2; } struct t "
                       "{ long b; }; struct t vb; void b(void) { f(); }\n"}};
  EXPECT_THAT(mergedLines(s, "global n@"), SizeIs(2));
  EXPECT_THAT(mergedLines(s, "function f@"), SizeIs(2));
  EXPECT_THAT(mergedLines(s, "record t@"), SizeIs(2));
  EXPECT_THAT(mergedLines(s, "call a: f@a.c"), SizeIs(1));
}

TEST(Merge, ExternalNamesAreOne) {
  Sources s = {
      {"a.c", "int n = 1; int f(int x) { return x; }\n"},
      {"b.c", "extern int n; int f(int); int g(void) { return f(n); }\n"}};
  EXPECT_THAT(mergedLines(s, "global n "),
              ElementsAre("global n name=n int4 a.c:1:5 defined"));
  EXPECT_THAT(mergedLines(s, "function f "),
              ElementsAre(testing::AllOf(HasSubstr("params=( x#0 )"),
                                         HasSubstr("body"))));
  EXPECT_THAT(mergedLines(s, "call g: f("), SizeIs(1));
}

TEST(Merge, AnIncompleteRecordIsJoinedToItsOnlyDefinition) {
  Sources s = {
      {"h.h", "struct t; struct t *get(void);\n"},
      {"a.c", "#include \"h.h\"\nstruct t { int n; }; struct t one; struct t "
              "*get(void) { return &one; }\n"},
      {"b.c", "#include \"h.h\"\nstruct t *p; void f(void) { p = get(); }\n"}};
  EXPECT_THAT(mergedLines(s, "record "),
              ElementsAre(HasSubstr("record t@a.c")));
  EXPECT_THAT(mergedLines(s, "global p "), ElementsAre(HasSubstr("{t@a.c?}*")));
}

TEST(Merge, AHeadersDefinitionsAreKeptOnce) {
  Sources s = {{"h.h", "struct t { int n; };\nstatic inline void set(struct t "
                       "*p) { p->n = 1; }\nstatic int table[2] = { 1, 2 };\n"
                       "static int *at = &table[1];\n"},
               {"a.c", "#include \"h.h\"\nvoid a(struct t *p) { set(p); }\n"},
               {"b.c", "#include \"h.h\"\nvoid b(struct t *p) { set(p); }\n"}};
  EXPECT_THAT(mergedLines(s, "store set@h.h"), SizeIs(1));
  EXPECT_THAT(mergedLines(s, "definition set@h.h"), SizeIs(1));
  EXPECT_THAT(mergedLines(s, "address-use -"), SizeIs(1));
  EXPECT_THAT(mergedLines(s, "definition at@h.h"), SizeIs(1));
}

TEST(Merge, AHeadersDefinitionsThatDifferAreAllKept) {
  Sources s = {
      {"h.h",
       "struct t { int n; };\nstatic inline void set(struct t *p) {\n#ifdef "
       "ZERO\np->n = 0;\n#else\np->n = 1; p->n = 2;\n#endif\n}\n"},
      {"a.c", "#include \"h.h\"\nvoid a(struct t *p) { set(p); }\n"},
      {"b.c",
       "#define ZERO\n#include \"h.h\"\nvoid b(struct t *p) { set(p); }\n"}};
  EXPECT_THAT(mergedLines(s, "store set@h.h"), SizeIs(3));
  EXPECT_THAT(mergedLines(s, "function set@h.h"), SizeIs(1));
}

TEST(Merge, ProgramsThatShareAName) {
  SourceFolder folder;
  Facts all = merge(collectAll(folder, Program));
  std::vector<std::string> lines = factLines(all, folder);
  EXPECT_THAT(lines, Contains(HasSubstr("function main@use.c")));
  EXPECT_THAT(lines, Contains(HasSubstr("function main@other.c")));
  auto usage = std::find_if(all.functions.begin(), all.functions.end(),
                            [](const Function &f) { return f.key == "usage"; });
  ASSERT_NE(usage, all.functions.end());
  EXPECT_FALSE(usage->isNoReturn); // one of the two returns
  std::vector<const Definition *> bodies;
  for (const Definition &d : all.definitions)
    if (d.function == Id(usage - all.functions.begin()))
      bodies.push_back(&d);
  ASSERT_THAT(bodies, SizeIs(2));
  EXPECT_EQ(usage->params, bodies[0]->params);
  auto joined = [&](Id a, Id b) {
    return std::any_of(all.constraints.begin(), all.constraints.end(),
                       [&](const Constraint &c) {
                         return c.flow == Flow::Copy && c.dst == a &&
                                c.src == b;
                       });
  };
  EXPECT_TRUE(joined(bodies[0]->params[0], bodies[1]->params[0]));
  EXPECT_TRUE(joined(bodies[1]->params[0], bodies[0]->params[0]));
  EXPECT_TRUE(joined(bodies[0]->result, bodies[1]->result));
}

TEST(Merge, EveryReferenceIsInRange) {
  SourceFolder folder;
  Facts all = merge(collectAll(folder, Program));
  for (const Constraint &c : all.constraints) {
    EXPECT_LT(c.dst, all.nodes.size());
    EXPECT_LT(c.src, all.nodes.size());
  }
  for (const Definition &d : all.definitions)
    for (Id n = d.nodes.begin; n < d.nodes.end; ++n)
      EXPECT_EQ(all.nodes[n].function, d.function);
  for (const Field &f : all.fields) {
    EXPECT_LT(f.type, all.types.size());
    EXPECT_LT(f.cell, all.fields.size());
  }
}

} // namespace
