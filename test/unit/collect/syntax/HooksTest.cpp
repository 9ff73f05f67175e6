//===- HooksTest.cpp - A rewritten program yields the same facts ----------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/support/CollectSource.h"
#include <gmock/gmock.h>
#include <set>
#include <tuple>

using namespace nvmove;
using namespace nvmove::test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

const std::vector<std::string> FlagValues = {
    std::string("-I") + NVMOVE_SOURCE_DIR + "/runtime/include"};
const char *HookTypes =
    "#include <nvmove/nvm.h>\n#include <stdlib.h>\n"
    "struct t { int n; unsigned bit:2; struct t *next; char buf[8]; }; struct "
    "k { int id; } kind; int total;\n"
    "NVM_TYPE(t);\nint print(char *b, int n); void use(const struct k *k);\n";

std::vector<std::string> lines(const std::string &body,
                               const std::string &kind) {
  return linesOf(std::string(HookTypes) +
                     "void f(struct t *p, struct t *q, int i) { " + body + " }",
                 kind, FlagValues);
}

/// The flow of both bodies is the same.
void expectSameFlow(const std::string &plain, const std::string &hooked) {
  EXPECT_EQ(lines(plain, "flow f"), lines(hooked, "flow f")) << hooked;
}

TEST(Hooks, SameFlow) {
  expectSameFlow("p->next = q;", "NVM(p->next) = q;");
  expectSameFlow("p->n += i;", "NVM(p->n) += i;");
  expectSameFlow("p->n++;", "NVM(p->n)++;");
  expectSameFlow("*p = *q;", "NVM(*p) = *q;");
  expectSameFlow("p->bit = i;", "NVM_OBJ(p)->bit = i;");
  expectSameFlow("total = i;", "NVM(total) = i;");
  expectSameFlow("i = total;", "NVM(i) = total;");
  expectSameFlow("print(p->buf, 8);", "print(NVM_BUF(p->buf, 8), 8);");
  expectSameFlow("q = malloc(sizeof(*q));",
                 "q = NVM_ALLOC(t, malloc(sizeof(*q)));");
  expectSameFlow("use(&kind);", "use(nvm_twin(&kind));");
}

TEST(Hooks, StoresAreMarked) {
  EXPECT_THAT(lines("NVM(p->next) = q;", "store"),
              ElementsAre(testing::AllOf(HasSubstr("record=t@t.c field=t.next"),
                                         HasSubstr("`NVM(p->next)` hooked"))));
  EXPECT_THAT(lines("NVM_OBJ(p)->bit = 1;", "store"),
              ElementsAre(testing::AllOf(HasSubstr("bit-field"),
                                         HasSubstr("record=t@t.c field=t.bit"),
                                         HasSubstr("hooked"))));
  EXPECT_THAT(lines("NVM_OBJ(p)->n = 1; NVM_OBJ(p)->next->n = 2;", "store"),
              ElementsAre(HasSubstr("hooked"), Not(HasSubstr("hooked"))));
  EXPECT_THAT(lines("*NVM(p->next) = *q;", "store"),
              ElementsAre(Not(HasSubstr("hooked"))));
  EXPECT_THAT(lines("NVM(p->next)->n = 2;", "store"),
              ElementsAre(Not(HasSubstr("hooked"))));
  EXPECT_THAT(
      lines("__sync_add_and_fetch(NVM_BUF(&p->n, 4), 1);", "store"),
      ElementsAre(testing::AllOf(HasSubstr("atomic"), HasSubstr("field=t.n"),
                                 HasSubstr("hooked"))));
}

TEST(Hooks, CallsAreMarked) {
  std::vector<std::string> calls =
      lines("q = NVM_ALLOC(t, malloc(sizeof(*q)));", "call f");
  EXPECT_THAT(
      calls, ElementsAre(testing::AllOf(
                 HasSubstr("call f: malloc("), HasSubstr("in-hook"),
                 HasSubstr("makes=t@t.c"), HasSubstr("`malloc(sizeof(*q))`"))));
  EXPECT_THAT(lines("print(NVM_BUF(p->buf, 8), 8);", "call f"),
              ElementsAre(HasSubstr("`NVM_BUF(p->buf, 8)` hooked, - `8`)")));
  EXPECT_THAT(lines("nvm_begin(); nvm_end();", "call f"),
              ElementsAre(HasSubstr("nvm_begin"), HasSubstr("nvm_end")));
}

TEST(Hooks, AddressUsesAreMarked) {
  EXPECT_THAT(lines("use(nvm_twin(&kind));", "address-use f"),
              ElementsAre(HasSubstr("kind -> %3 `&kind` in-hook")));
  EXPECT_THAT(lines("use(&kind);", "address-use f"),
              ElementsAre(Not(HasSubstr("in-hook"))));
  EXPECT_THAT(lines("q = NVM_ALLOC(t, malloc(4));", "address-use f"),
              testing::IsEmpty());
}

TEST(Hooks, MemoryFunctionsOfTheRuntime) {
  EXPECT_THAT(lines("nvm_memcpy(p, q, 4);", "flow f"),
              Contains("flow f: *p#0 := *q#1"));
}

TEST(Hooks, InMacroBodies) {
  std::vector<std::string> stores = linesOf(
      std::string(HookTypes) + "#define SET(o, v) (NVM((o)->n) = "
                               "(v))\nvoid f(struct t *p) { SET(p, 3); }",
      "store", FlagValues);
  EXPECT_THAT(stores, ElementsAre(testing::AllOf(
                          HasSubstr("field=t.n"),
                          HasSubstr("`NVM((o)->n)` constant hooked"))));
}

TEST(Hooks, TheRuntimesHeaderIsNotPartOfTheProgram) {
  SourceFolder folder;
  CollectResult r = collectResult(folder, std::string(HookTypes), FlagValues);
  ASSERT_FALSE(r.failure);
  for (const File &f : r.facts.files)
    EXPECT_TRUE(!f.editable || llvm::StringRef(f.path).ends_with("t.c"))
        << f.path;
  for (const Function &f : r.facts.functions)
    EXPECT_FALSE(f.name == "nvm_store" && f.hasBody);
}

/// `code` with every store of `facts` that can be edited put into its hook.
std::string hookEverything(const Facts &facts, const std::string &code) {
  // At one place inner text ends before outer, and outer begins before inner.
  struct Insertion {
    uint32_t at;
    bool opens;
    uint32_t other;
    std::string text;
    bool operator<(const Insertion &o) const {
      return std::tie(at, opens, o.other, text) <
             std::tie(o.at, o.opens, other, o.text);
    }
  };
  std::set<Insertion> insertions;
  for (const StoreSite &s : facts.stores) {
    EXPECT_TRUE(s.span.valid());
    bool object = s.form == StoreForm::Atomic ||
                  (s.form == StoreForm::BitField && s.baseIsPointer);
    insertions.insert(
        {s.span.begin, true, s.span.end, object ? "NVM_OBJ(" : "NVM("});
    insertions.insert({s.span.end, false, s.span.begin, ")"});
  }
  std::string result;
  uint32_t done = 0;
  for (const Insertion &i : insertions) {
    result += code.substr(done, i.at - done) + i.text;
    done = i.at;
  }
  return result + code.substr(done);
}

TEST(Hooks, EveryStoreInItsHookLeavesTheFlowAlone) {
  const std::string code = std::string(HookTypes) + R"(
#define SET(o, f, v) do { (o)->f = (v); } while (0)
#define NEXT(o) ((o)->next)
#define BUMP(l) ((l)++)
#define RUN(e) do { e; } while (0)
#define EACH(i, n) for ((i) = 0; (i) < (n); (i)++)
union u { int i; struct { short a, b; }; };
void f(struct t *p, struct t **pp, union u *w, char *c, int i) {
  struct t v = *p, *q = p;
  p->n = i; p->n += i; p->n++; --p->n; *p = v; *pp = q; pp[i]->next = q;
  p->bit = i; pp[1]->bit++; (*p).bit |= 1; w->a = i; *c++ = p->buf[0];
  SET(p, n, i); SET(NEXT(p), next, q); NEXT(p) = q; NEXT(NEXT(p)) = NEXT(q);
  BUMP(p->n); RUN(p->next->n = i); RUN(BUMP(q->n));
  EACH(p->n, 3) { p->buf[i] = *c; p->buf[*c = 'x'] = 'y'; }
  __sync_add_and_fetch(&p->n, i); __atomic_store_n(&NEXT(p), q, 0);
  if ((p->next = q) && (i ? (p->n = 1) : (q->n = 2))) while (p->n-- > 0) *c = 0;
  p->next = pp[0] = ({ q->n = 3; q; });
  total = i; v.n = i; (&v)->next = q;
}
)";
  SourceFolder folder;
  CollectResult plain = collectResult(folder, code, FlagValues);
  ASSERT_FALSE(plain.failure);
  auto flowsOf = [&](const Facts &facts) {
    std::vector<std::string> result;
    for (const std::string &l : factLines(facts, folder))
      if (llvm::StringRef(l).starts_with("flow f"))
        result.push_back(l.substr(0, l.find(" at ")));
    return result;
  };
  std::vector<std::string> expected = flowsOf(plain.facts);
  std::string hooked = hookEverything(plain.facts, code);
  CollectResult again = collectResult(folder, hooked, FlagValues);
  ASSERT_FALSE(again.failure) << hooked;
  EXPECT_EQ(flowsOf(again.facts), expected) << hooked;
  EXPECT_EQ(again.facts.stores.size(), plain.facts.stores.size());
  for (const StoreSite &s : again.facts.stores)
    EXPECT_TRUE(s.hooked) << "line " << s.loc.line << " of\n" << hooked;
}

/// The stores of `body`, each as the marks on it: "hooked", "before" and what
/// may run since the hook, "-" for neither.
std::vector<std::string> announced(const std::string &body) {
  SourceFolder folder;
  CollectResult r = collectResult(
      folder,
      std::string(HookTypes) +
          "void other(void); int value(void); void write(int fd);\n"
          "struct v { int n[4]; int many[]; };\n"
          "void f(struct t *p, struct t *q, struct v *v, int i) { " +
          body + " }",
      FlagValues);
  std::vector<std::string> result;
  for (const StoreSite &s : r.facts.stores) {
    std::string marks = s.hooked            ? "hooked"
                        : s.announcedBefore ? "before"
                                            : "-";
    for (Id id : s.hooked ? s.within.functions : s.since.functions)
      marks += " " + r.facts.functions[id].name;
    result.push_back(marks);
  }
  return result;
}

TEST(Hooks, BytesCountAndNotNames) {
  EXPECT_THAT(announced("NVM_BUF(p, 4)->n = 1; NVM_BUF(p, 4)->next = q;"),
              ElementsAre("hooked", "-"));
  EXPECT_THAT(announced("NVM_OBJ(v)->n[i] = 1; NVM_OBJ(v)->many[0] = 1;"),
              ElementsAre("hooked", "-"));
  EXPECT_THAT(announced("NVM_OBJ(p)[0].n = 1; NVM_OBJ(p)[1].n = 1; "
                        "NVM_OBJ(p)[i].n = 1; (NVM_OBJ(p) + 1)->n = 2;"),
              ElementsAre("hooked", "-", "-", "-"));
  EXPECT_THAT(announced("NVM(p->n) = value();"), ElementsAre("hooked value"));
  EXPECT_THAT(announced("NVM(v->n[value()]) = 1;"), ElementsAre("hooked"));
  EXPECT_THAT(announced("NVM_OBJ(v)->n[value()] = 1;"),
              ElementsAre("hooked value"));
}

TEST(Hooks, BeforeTheStore) {
  EXPECT_THAT(announced("NVM_OBJ(p); p->n = 1; p->next = q; q->n = 1;"),
              ElementsAre("before", "before", "-"));
  EXPECT_THAT(announced("NVM(p->n); p->n = 1; p->next = q;"),
              ElementsAre("before", "-"));
  EXPECT_THAT(announced("NVM_OBJ(p); p = q; p->n = 1;"), ElementsAre("-"));
  EXPECT_THAT(announced("NVM_OBJ(p); other(); p->n = value();"),
              ElementsAre("before other value"));
  EXPECT_THAT(announced("if (i) NVM_OBJ(p); p->n = 1;"), ElementsAre("-"));
  EXPECT_THAT(announced("if (i) NVM_OBJ(p); else NVM_OBJ(p); p->n = 1;"),
              ElementsAre("before"));
  EXPECT_THAT(announced("if (!i) return; NVM_OBJ(p); while (i--) p->n++;"),
              ElementsAre("before"));
  EXPECT_THAT(announced("NVM_OBJ(p); while (i--) { p->n++; other(); }"),
              ElementsAre("before other"));
  EXPECT_THAT(announced("while (i--) { NVM_OBJ(p); p->n++; p = p->next; }"),
              ElementsAre("before"));
  EXPECT_THAT(announced("NVM_OBJ(v); for (i = 0; i < 4; i++) v->n[i] = 0; "
                        "v->many[i] = 1;"),
              ElementsAre("before", "-"));
  EXPECT_THAT(announced("NVM(v->many[i]); v->many[i] = 1; i++; "
                        "v->many[i] = 1;"),
              ElementsAre("before", "-"));
}

TEST(Hooks, BeforeTheStoreThroughMemory) {
  EXPECT_THAT(announced("NVM_OBJ(p->next); p->next->n = 1; p->next->bit = 1;"),
              ElementsAre("before", "before"));
  EXPECT_THAT(announced("NVM_OBJ(p->next); NVM(p->next) = q; p->next->n = 1;"),
              ElementsAre("hooked", "-"));
  EXPECT_THAT(announced("NVM_OBJ(p->next); other(); p->next->n = 1;"),
              ElementsAre("-"));
  EXPECT_THAT(announced("struct t **pp = &p; NVM_OBJ(p); *pp = q; p->n = 1;"),
              ElementsAre("-", "-"));
}

} // namespace
