//===- StoresTest.cpp - Every construct that writes -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/support/CollectSource.h"
#include <gmock/gmock.h>

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

const char *StoreTypes = R"(
struct in { int b; int arr[3]; };
struct s { int x; struct in in; int a[4]; unsigned bit:3; struct s *next; char tail[]; };
union u { int i; struct { int m, n; } ; };
)";

/// "record field `text`" of each store in the body of f.
std::vector<std::string> stores(const std::string &body,
                                const std::string &before = "") {
  SourceFolder folder;
  std::string code =
      StoreTypes + before +
      "\nint f(struct s *p, struct s **pp, int *q, union u *w, int i)\n{ " +
      body + "\n return 0; }\n";
  CollectResult r = collectResult(folder, code);
  EXPECT_FALSE(r.failure);
  std::vector<std::string> result;
  for (const StoreSite &s : r.facts.stores) {
    std::string text = "<none>";
    if (s.span.valid()) {
      auto buffer =
          llvm::MemoryBuffer::getFile(r.facts.files[s.span.file].path);
      text = (*buffer)
                 ->getBuffer()
                 .substr(s.span.begin, s.span.end - s.span.begin)
                 .str();
    }
    std::string line =
        (s.record == None ? "-" : r.facts.records[s.record].name) + " " +
        (s.field == None ? "-" : r.facts.fields[s.field].name) + " `" + text +
        "`";
    if (s.form == StoreForm::BitField)
      line += s.baseIsPointer ? " bit-field->" : " bit-field.";
    if (s.form == StoreForm::Atomic)
      line += " atomic";
    if (s.hooked)
      line += " hooked";
    result.push_back(line);
  }
  return result;
}

TEST(Stores, Assignment) {
  EXPECT_THAT(stores("p->x = 1;"), ElementsAre("s x `p->x`"));
  EXPECT_THAT(stores("(*p).x = 1;"), ElementsAre("s x `(*p).x`"));
  EXPECT_THAT(stores("p[i].x = 1;"), ElementsAre("s x `p[i].x`"));
  EXPECT_THAT(stores("i[p].x = 1;"), ElementsAre("s x `i[p].x`"));
  EXPECT_THAT(stores("p->in.b = 1;"), ElementsAre("s in `p->in.b`"));
  EXPECT_THAT(stores("p->in.arr[i] = 1;"), ElementsAre("s in `p->in.arr[i]`"));
  EXPECT_THAT(stores("p->a[i] = 1;"), ElementsAre("s a `p->a[i]`"));
  EXPECT_THAT(stores("*(p->a + i) = 1;"), ElementsAre("s a `*(p->a + i)`"));
  EXPECT_THAT(stores("p->tail[i] = 1;"), ElementsAre("s tail `p->tail[i]`"));
  EXPECT_THAT(stores("p->next->next = p;"),
              ElementsAre("s next `p->next->next`"));
  EXPECT_THAT(stores("pp[1]->x = 2;"), ElementsAre("s x `pp[1]->x`"));
  EXPECT_THAT(stores("(p->x) = 2;"), ElementsAre("s x `(p->x)`"));
}

TEST(Stores, ThroughPointersWithoutMember) {
  EXPECT_THAT(stores("*q = 1;"), ElementsAre("- - `*q`"));
  EXPECT_THAT(stores("q[i] = 1;"), ElementsAre("- - `q[i]`"));
  EXPECT_THAT(stores("*pp = p;"), ElementsAre("- - `*pp`"));
  EXPECT_THAT(stores("*p = **pp;"), ElementsAre("s - `*p`"));
  EXPECT_THAT(stores("p[1] = p[0];"), ElementsAre("s - `p[1]`"));
  EXPECT_THAT(stores("*q++ = 1;"), ElementsAre("- - `*q++`"));
  EXPECT_THAT(stores("*(int *)p = 1;"), ElementsAre("- - `*(int *)p`"));
}

TEST(Stores, CompoundAndIncrement) {
  EXPECT_THAT(stores("p->x += 1;"), ElementsAre("s x `p->x`"));
  EXPECT_THAT(stores("p->x <<= i;"), ElementsAre("s x `p->x`"));
  EXPECT_THAT(stores("p->x++;"), ElementsAre("s x `p->x`"));
  EXPECT_THAT(stores("--p->x;"), ElementsAre("s x `p->x`"));
  EXPECT_THAT(stores("p->x = p->in.b = 3;"),
              ElementsAre("s in `p->in.b`", "s x `p->x`"));
}

TEST(Stores, InEveryKindOfStatement) {
  EXPECT_THAT(stores("if ((p->x = i)) p->x = 1; else p->x = 2;").size(), 3u);
  EXPECT_THAT(stores("for (p->x = 0; p->x < 3; p->x++) p->in.b = 1;").size(),
              3u);
  EXPECT_THAT(stores("while (p->x--) *q = 1;").size(), 2u);
  EXPECT_THAT(stores("do p->x = 1; while ((*q)--);").size(), 2u);
  EXPECT_THAT(
      stores("switch (p->x = i) { case 1: *q = 1; break; default: *q = 2; }")
          .size(),
      3u);
  EXPECT_THAT(stores("again: p->x = 1; if (i) goto again;").size(), 1u);
  EXPECT_THAT(stores("return p->x = 1;").size(), 1u);
  EXPECT_THAT(stores("int v = p->x = 1; (void)v;").size(), 1u);
  EXPECT_THAT(stores("int v[2] = { p->x = 1, *q = 2 }; (void)v;").size(), 2u);
  EXPECT_THAT(stores("int v[p->x = 2]; (void)v;").size(), 1u);
  EXPECT_THAT(stores("i = ({ p->x = 1; *q = 2; });").size(), 2u);
  EXPECT_THAT(stores("i ? (p->x = 1) : (*q = 2);").size(), 2u);
  EXPECT_THAT(stores("i = (p->x = 1) ?: 2;").size(), 1u);
  EXPECT_THAT(stores("p->x = 1, *q = 2;").size(), 2u);
  EXPECT_THAT(stores("i && (p->x = 1);").size(), 1u);
  EXPECT_THAT(stores("f(p, pp, (p->x = 1, q), w, *q = 2);").size(), 2u);
  EXPECT_THAT(stores("p->a[*q = 1] = 2;"),
              testing::UnorderedElementsAre("- - `*q`", "s a `p->a[*q = 1]`"));
  EXPECT_THAT(stores("_Generic(i, int: p->x = 1, default: *q = 2);").size(),
              1u);
  EXPECT_THAT(stores("__builtin_choose_expr(0, *q = 1, p->x = 2);"),
              ElementsAre("s x `p->x`"));
  EXPECT_THAT(stores("void *l = &&out; goto *(p->x = 1, l); out:;").size(), 1u);
}

TEST(Stores, InParallelRegions) {
  SourceFolder folder;
  CollectResult r = collectResult(folder,
                                  "int g(void);\nvoid f(int *p, int n) {\n"
                                  "#pragma omp parallel for num_threads(g())\n"
                                  "for (int i = 0; i < n; i++) p[i] = g();\n"
                                  "#pragma omp critical\n{ *p = 1; }\n}\n",
                                  {"-fopenmp"});
  ASSERT_FALSE(r.failure);
  EXPECT_EQ(r.facts.stores.size(), 2u);
  EXPECT_EQ(r.facts.calls.size(), 2u);
  EXPECT_TRUE(r.facts.gaps.empty());
}

TEST(Stores, WhatIsNotRunStoresNothing) {
  EXPECT_THAT(stores("(void)sizeof(p->x = 1);"), IsEmpty());
  EXPECT_THAT(stores("(void)__builtin_constant_p(p->x = 1);"), IsEmpty());
  EXPECT_THAT(stores("__typeof__(p->x = 1) v = 2; (void)v;"), IsEmpty());
}

TEST(Stores, DeclaredVariablesAreNotReachedThroughPointers) {
  EXPECT_THAT(stores("i = 1; struct s v; v.x = 2; v.in.arr[1] = 3; int a[3]; "
                     "a[i] = 4; *a = 5; *(a + 1) = 6; (&v)->x = 7; *&i = 8;"),
              IsEmpty());
}

TEST(Stores, AParameterDeclaredAsArrayIsAPointer) {
  SourceFolder folder;
  CollectResult r = collectResult(folder, "void g(int a[4]) { a[1] = 2; }");
  ASSERT_EQ(r.facts.stores.size(), 1u);
}

TEST(Stores, BitFields) {
  EXPECT_THAT(stores("p->bit = 1;"), ElementsAre("s bit `p` bit-field->"));
  EXPECT_THAT(stores("p->next->bit++;"),
              ElementsAre("s bit `p->next` bit-field->"));
  EXPECT_THAT(stores("p[i].bit |= 1;"), ElementsAre("s bit `p[i]` bit-field."));
}

TEST(Stores, Unions) {
  EXPECT_THAT(stores("w->i = 1;"), ElementsAre("u i `w->i`"));
  // The member of the union that is written is the anonymous record.
  EXPECT_THAT(stores("w->n = 1;"), ElementsAre("u  `w->n`"));
}

TEST(Stores, Atomics) {
  EXPECT_THAT(stores("__sync_add_and_fetch(&p->x, 1);"),
              ElementsAre("s x `&p->x` atomic"));
  EXPECT_THAT(stores("__sync_lock_test_and_set(q, 1);"),
              ElementsAre("- - `q` atomic"));
  EXPECT_THAT(stores("__atomic_store_n(&p->x, 1, 0);"),
              ElementsAre("s x `&p->x` atomic"));
  EXPECT_THAT(stores("i = __atomic_load_n(&p->x, 0);"), IsEmpty());
  EXPECT_THAT(stores("__atomic_fetch_add(&pp[1]->x, 1, 0);"),
              ElementsAre("s x `&pp[1]->x` atomic"));
  EXPECT_THAT(
      stores("int e = 1; __atomic_compare_exchange_n(q, &e, 2, 0, 0, 0);"),
      ElementsAre("- - `q` atomic"));
  EXPECT_THAT(stores("__builtin_add_overflow(i, 1, &p->x);"),
              ElementsAre("s x `&p->x` atomic"));
  EXPECT_THAT(stores("__atomic_test_and_set(p->tail, 0);"),
              ElementsAre("s tail `p->tail` atomic"));
  EXPECT_THAT(stores("__sync_synchronize();"), IsEmpty());
}

TEST(Stores, AssemblyOutputs) {
  EXPECT_THAT(stores("__asm__(\"\" : \"=m\"(p->x));"),
              ElementsAre("s x `p->x`"));
}

//===-- Macros ------------------------------------------------------------===//

TEST(StoresInMacros, InTheBody) {
  EXPECT_THAT(stores("SET(p, 1); SET(p->next, 2);",
                     "#define SET(o, v) do { (o)->x = (v); } while (0)"),
              ElementsAre("s x `(o)->x`", "s x `(o)->x`"));
  EXPECT_THAT(stores("INC(p->x);", "#define INC(l) ((l)++)"),
              ElementsAre("s x `(l)`"));
  EXPECT_THAT(stores("ASSIGN(p->x, 1);", "#define ASSIGN(l, v) l = v"),
              ElementsAre("s x `l`"));
  EXPECT_THAT(stores("FIRST;", "#define FIRST p->x = 1"),
              ElementsAre("s x `p->x`"));
}

TEST(StoresInMacros, InAnArgument) {
  EXPECT_THAT(stores("RUN(p->x = 1);", "#define RUN(e) do { e; } while (0)"),
              ElementsAre("s x `p->x`"));
  EXPECT_THAT(
      stores("OUTER(p->x++);", "#define RUN(e) (e)\n#define OUTER(e) RUN(e)"),
      ElementsAre("s x `p->x`"));
  EXPECT_THAT(stores("RUN(RUN(*q) = 1);", "#define RUN(e) (e)"),
              ElementsAre("- - `RUN(*q)`"));
}

TEST(StoresInMacros, InANestedBody) {
  EXPECT_THAT(
      stores("OUTER(p);",
             "#define SET(o, f) (o)->f = 1\n#define OUTER(o) SET(o, x)"),
      ElementsAre("s x `(o)->f`"));
}

TEST(StoresInMacros, LvalueMacro) {
  EXPECT_THAT(stores("X(p) = 1;", "#define X(o) ((o)->x)"),
              ElementsAre("s x `X(p)`"));
  EXPECT_THAT(stores("X(p) = 1;", "#define X(o) (o)->x"),
              ElementsAre("s x `X(p)`"));
  EXPECT_THAT(stores("p->FIELD = 1;", "#define FIELD in.b"),
              ElementsAre("s in `p->FIELD`"));
  EXPECT_THAT(stores("P x = 1;", "#define P p->"), ElementsAre("s x `P x`"));
}

TEST(StoresInMacros, LvalueMacroThatBeginsOrEndsWithItsArgument) {
  EXPECT_THAT(stores("X(p) = 1;", "#define X(o) o->x"),
              ElementsAre("s x `X(p)`"));
  EXPECT_THAT(stores("AT(q) = 1;", "#define AT(o) *o"),
              ElementsAre("- - `AT(q)`"));
  EXPECT_THAT(stores("OF(p, x) = 1;", "#define OF(o, f) o->f"),
              ElementsAre("s x `OF(p, x)`"));
  EXPECT_THAT(stores("IS(p)->x = 1;", "#define IS(o) o"),
              ElementsAre("s x `IS(p)->x`"));
  EXPECT_THAT(stores("RUN(X(p->next) = 1);",
                     "#define X(o) o->x\n#define RUN(e) do { e; } while (0)"),
              ElementsAre("s x `X(p->next)`"));
  EXPECT_THAT(stores("SET(p);", "#define X(o) o->x\n#define SET(o) X(o) = 1"),
              ElementsAre("s x `X(o)`"));
  EXPECT_THAT(
      stores("SET(X, p);", "#define X(o) o->x\n#define SET(l, o) l(o) = 1"),
      ElementsAre("s x `l(o)`"));
  EXPECT_THAT(stores("SET(SYM, p);", "#define SYM_X(o) o->x\n"
                                     "#define SET(id, o) id##_X(o) = 1"),
              ElementsAre("s x `id##_X(o)`"));
}

TEST(StoresInMacros, OperatorMacro) {
  EXPECT_THAT(stores("p->x IS 1;", "#define IS ="), ElementsAre("s x `p->x`"));
  EXPECT_THAT(stores("p->x ADD;", "#define ADD += 1"),
              ElementsAre("s x `p->x`"));
  EXPECT_THAT(
      stores("WRITE(p->x);", "#define ADD += 1\n#define WRITE(l) l ADD"),
      ElementsAre("s x `l`"));
}

TEST(StoresInMacros, PastedTokens) {
  EXPECT_THAT(
      stores("SET(p, x);",
             "#define SET(o, f) (o)->in.f##_ = 1\n#define b_ b\n#define x_ b"),
      ElementsAre("s in `(o)->in.f##_`"));
}

TEST(StoresInMacros, MoreInTheMacroThanTheLvalue) {
  // At the use only a part of the macro is the lvalue, and `=` is not inside
  // it.
  EXPECT_THAT(stores("BEGIN->x = 1;", "#define BEGIN *q = 2; p"),
              ElementsAre("- - `*q`", "s x `<none>`"));
}

TEST(StoresInMacros, OfASystemHeader) {
  // No file of the program, but a text that a definition anew can edit.
  SourceFolder folder;
  CollectResult r =
      collectResult(folder, "#include <sys/select.h>\nstruct t { fd_set set; "
                            "};\nvoid g(struct t *p) { FD_SET(3, &p->set); }");
  ASSERT_EQ(r.facts.stores.size(), 1u);
  Span span = r.facts.stores[0].span;
  ASSERT_TRUE(span.valid());
  EXPECT_FALSE(r.facts.files[span.file].editable);
  EXPECT_TRUE(r.facts.gaps.empty());
}

TEST(StoresInMacros, UneditableOnesAreListed) {
  SourceFolder folder;
  CollectResult r =
      collectResult(folder, "#define BEGIN *q = 2; p\nstruct t { int x; };\n"
                            "void g(struct t *p, int *q) { BEGIN->x = 1; }");
  ASSERT_EQ(r.facts.stores.size(), 2u);
  EXPECT_FALSE(r.facts.stores[1].span.valid());
  ASSERT_EQ(r.facts.gaps.size(), 1u);
  EXPECT_EQ(r.facts.gaps[0].kind, Gap::Kind::UneditableStore);
}

TEST(StoresInMacros, OneSpanForAllExpansionsInAHeader) {
  SourceFolder folder;
  folder.write("h.h", "struct t { int n; };\n#define BUMP(o) ((o)->n += 1)\n");
  folder.write("a.c", "#include \"h.h\"\nvoid a(struct t *p) { BUMP(p); }\n");
  folder.write("b.c",
               "#include \"h.h\"\nvoid b(struct t *p) { BUMP(p); BUMP(p); }\n");
  std::vector<Facts> parts;
  parts.push_back(folder.collectFile("a.c").facts);
  parts.push_back(folder.collectFile("b.c").facts);
  Facts all = merge(std::move(parts));
  ASSERT_EQ(all.stores.size(), 3u);
  EXPECT_EQ(all.stores[0].span, all.stores[1].span);
  EXPECT_EQ(all.stores[0].span, all.stores[2].span);
  EXPECT_EQ(all.files[all.stores[0].span.file].path, folder.path() + "/h.h");
}

} // namespace
