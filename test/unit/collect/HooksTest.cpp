//===- HooksTest.cpp - A rewritten program yields the same facts ----------===//
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
using testing::Not;

namespace {

const std::vector<std::string> Flags = {std::string("-I") + NVMOVE_SOURCE_DIR +
                                        "/runtime/include"};
const char *Types =
    "#include <nvmove/nvm.h>\n#include <stdlib.h>\n"
    "struct t { int n; unsigned bit:2; struct t *next; char buf[8]; }; struct "
    "k { int id; } kind; int total;\n"
    "NVM_TYPE(t);\nint print(char *b, int n); void use(const struct k *k);\n";

std::vector<std::string> lines(const std::string &body,
                               const std::string &kind) {
  return linesOf(std::string(Types) +
                     "void f(struct t *p, struct t *q, int i) { " + body + " }",
                 kind, Flags);
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
  std::vector<std::string> stores =
      linesOf(std::string(Types) + "#define SET(o, v) (NVM((o)->n) = "
                                   "(v))\nvoid f(struct t *p) { SET(p, 3); }",
              "store", Flags);
  EXPECT_THAT(stores,
              ElementsAre(testing::AllOf(HasSubstr("field=t.n"),
                                         HasSubstr("`NVM((o)->n)` hooked"))));
}

TEST(Hooks, TheRuntimesHeaderIsNotPartOfTheProgram) {
  SourceFolder folder;
  CollectResult r = collectResult(folder, std::string(Types), Flags);
  ASSERT_FALSE(r.failure);
  for (const File &f : r.facts.files)
    EXPECT_TRUE(!f.editable || llvm::StringRef(f.path).ends_with("t.c"))
        << f.path;
  for (const Function &f : r.facts.functions)
    EXPECT_FALSE(f.name == "nvm_store" && f.hasBody);
}

} // namespace
