//===- StoresTest.cpp - Announced stores and buffers ----------------------===//
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

std::string announced(std::string_view marked, StoreForm form,
                      bool baseIsPointer = false) {
  FactsBuilder b;
  b.file("/p/a.c", marked);
  Id store = b.store(form, "lv");
  b.facts.stores[store].baseIsPointer = baseIsPointer;
  return rewritten(b);
}

TEST(Stores, Lvalue) {
  EXPECT_EQ(announced("@lv{entry->next}@ = x;", StoreForm::Lvalue),
            "NVM(entry->next) = x;");
  EXPECT_EQ(announced("@lv{d->n}@++;", StoreForm::Lvalue), "NVM(d->n)++;");
  EXPECT_EQ(announced("--@lv{*p}@;", StoreForm::Lvalue), "--NVM(*p);");
}

TEST(Stores, CommaInSubscriptNeedsParentheses) {
  EXPECT_EQ(announced("@lv{t[i, j]}@ = 1;", StoreForm::Lvalue),
            "NVM((t[i, j])) = 1;");
  EXPECT_EQ(announced("@lv{t[f(i, j)]}@ = 1;", StoreForm::Lvalue),
            "NVM(t[f(i, j)]) = 1;");
}

TEST(Stores, ParenthesesAreUsed) {
  EXPECT_EQ(announced("@lv{(o)}@->lru = 1;", StoreForm::BitField, true),
            "NVM_OBJ(o)->lru = 1;");
  EXPECT_EQ(announced("@lv{(*(o))}@ = 1;", StoreForm::Lvalue),
            "NVM(*(o)) = 1;");
  EXPECT_EQ(announced("@lv{(o, p)}@->lru = 1;", StoreForm::BitField, true),
            "NVM_OBJ((o, p))->lru = 1;");
  EXPECT_EQ(announced("@lv{(a)[(b)]}@ = 1;", StoreForm::Lvalue),
            "NVM((a)[(b)]) = 1;");
  EXPECT_EQ(announced("@lv{(f)(o)}@->lru = 1;", StoreForm::BitField, true),
            "NVM_OBJ((f)(o))->lru = 1;");
}

TEST(Stores, BitField) {
  EXPECT_EQ(announced("@lv{o}@->lru = 1;", StoreForm::BitField, true),
            "NVM_OBJ(o)->lru = 1;");
  EXPECT_EQ(announced("@lv{t[i]}@.lru = 1;", StoreForm::BitField),
            "NVM(t[i]).lru = 1;");
}

TEST(Stores, Atomic) {
  EXPECT_EQ(
      announced("__sync_add_and_fetch(@lv{&o->n}@, 1);", StoreForm::Atomic),
      "__sync_add_and_fetch(NVM_OBJ(&o->n), 1);");
}

TEST(Stores, MemberOfPackedRecordIsAnnouncedByItsObject) {
  for (auto [marked, expected] :
       {std::pair{"@rec{}@@lv{SH(8, s)->len}@ = 1;",
                  "NVM_OBJ(SH(8, s))->len = 1;"},
        {"@rec{}@@lv{h[i].len}@ = 1;", "NVM(h[i]).len = 1;"},
        {"@rec{}@@lv{h->buf[i]}@ = 1;", "NVM(h->buf[i]) = 1;"},
        {"@rec{}@@lv{*h->p}@ = 1;", "NVM(*h->p) = 1;"}}) {
    FactsBuilder b;
    b.file("/p/a.c", marked);
    Id record = b.record("hdr", "struct hdr", "rec");
    b.facts.records[record].packed = true;
    b.store(StoreForm::Lvalue, "lv", record);
    EXPECT_EQ(rewritten(b), expected);
  }
}

TEST(Stores, Nested) {
  FactsBuilder b;
  b.file("/p/a.c", "@lv{x->y[@lv{x->i}@++]}@ = 0;");
  b.store(StoreForm::Lvalue, "lv");
  Id inner = b.store(StoreForm::Lvalue, "lv");
  b.facts.stores[inner].span = b.at("lv", 1);
  EXPECT_EQ(rewritten(b), "NVM(x->y[NVM(x->i)++]) = 0;");
}

TEST(Stores, MacroBodyIsEditedOnce) {
  FactsBuilder b;
  b.file("/p/a.c", "#define SET(p) @lv{(p)->n}@ = 1\n");
  for (int i = 0; i < 3; ++i)
    b.store(StoreForm::Lvalue, "lv");
  EXPECT_EQ(rewritten(b), "#define SET(p) NVM((p)->n) = 1\n");
  EXPECT_EQ(editsOf(b).counts.at("stores announced"), 1u);
}

TEST(Stores, MacroWithBitFieldAndOtherExpansionIsRefused) {
  FactsBuilder b;
  b.file("/p/a.c", "#define SET(p, f) @lv{(p)->f}@ = 1\n");
  b.store(StoreForm::Lvalue, "lv");
  b.store(StoreForm::BitField, "lv");
  EditResult result = editsOf(b);
  EXPECT_TRUE(result.edits.empty());
  EXPECT_THAT(refusals(result), ElementsAre("macro-expansions-differ"));
}

TEST(Stores, MacroWithBitFieldOfTheSameObjectAnnouncesTheObject) {
  FactsBuilder b;
  b.file("/p/a.c", "#define SET(p, f) @lv{@base{(p)}@->f}@ = 1\n");
  Id store = b.store(StoreForm::Lvalue, "lv");
  b.facts.stores[store].base = b.at("base");
  Id bits = b.store(StoreForm::BitField, "base");
  b.facts.stores[bits].baseIsPointer = true;
  EXPECT_EQ(rewritten(b), "#define SET(p, f) NVM_OBJ(p)->f = 1\n");
  // As where f is q->n.
  b.facts.stores[store].base = {};
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("macro-expansions-differ"));
}

TEST(Stores, HookedStoreStays) {
  FactsBuilder b;
  b.file("/p/a.c", "NVM(@lv{p->n}@) = 1;");
  b.store(StoreForm::Lvalue, "lv");
  b.solution.sites.stores.back().done = true;
  EXPECT_TRUE(editsOf(b).edits.empty());
}

TEST(Stores, TextThatCannotBeEditedIsRefused) {
  FactsBuilder b;
  b.file("/p/a.c", "int x;");
  b.store(StoreForm::Lvalue, "nowhere");
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("uneditable-site"));

  FactsBuilder directive;
  directive.file("/p/a.c", "@lv{t[\n#ifdef A\n0\n#else\n1\n#endif\n]}@ = 1;");
  directive.store(StoreForm::Lvalue, "lv");
  EXPECT_THAT(refusals(editsOf(directive)),
              ElementsAre("directive-in-expression"));
}

FactsBuilder buffer(std::string_view marked) {
  FactsBuilder b;
  b.file("/p/a.c", marked);
  WrappedBuffer wrapped;
  wrapped.call = b.call("c", "vsnprintf");
  wrapped.buffer = 0;
  wrapped.size = 1;
  b.solution.sites.wrapped.push_back(wrapped);
  return b;
}

TEST(Stores, Buffer) {
  EXPECT_EQ(
      rewritten(buffer("@c{vsnprintf(@c.arg{buf}@, @c.arg{n}@, f, ap)}@;")),
      "vsnprintf(NVM_BUF(buf, n), n, f, ap);");
  EXPECT_EQ(rewritten(buffer("@c{vsnprintf(@c.arg{b}@, @c.arg{(size_t)(e - b) "
                             "/* rest */}@, f, ap)}@;")),
            "vsnprintf(NVM_BUF(b, (size_t)(e - b)), (size_t)(e - b) /* rest "
            "*/, f, ap);");
}

TEST(Stores, SizeWithSideEffectIsNotEvaluatedTwice) {
  for (std::string_view size :
       {"n--", "room(b)", "MIN(a, b)", "n += 2", "(room)(b)", "f[1](b)"}) {
    FactsBuilder b = buffer("@c{vsnprintf(@c.arg{buf}@, @c.arg{" +
                            std::string(size) + "}@, f, ap)}@;");
    EXPECT_EQ(rewritten(b),
              "vsnprintf(NVM_REST(buf), " + std::string(size) + ", f, ap);");
  }
}

TEST(Stores, AnnouncedBufferStays) {
  FactsBuilder b =
      buffer("@c{vsnprintf(NVM_BUF(@c.arg{buf}@, n), @c.arg{n}@, f, ap)}@;");
  b.facts.calls[0].argIsHooked = {true, false};
  EXPECT_TRUE(editsOf(b).edits.empty());
}

TEST(Stores, LibraryFunctions) {
  FactsBuilder b;
  b.file("/p/a.c", "@c{@c.callee{memcpy}@(p->b, s, n)}@; "
                   "@d{@d.callee{(read)}@(fd, p->b, n)}@; "
                   "@e{@e.callee{write}@(fd, p->b, n)}@;");
  b.solution.sites.replaced.push_back(
      {b.call("c", "memcpy"), "nvm_memcpy", ""});
  b.solution.sites.replaced.push_back({b.call("d", "read"), "nvm_read", ""});
  b.solution.sites.replaced.push_back({b.call("e", "write"), "nvm_write", ""});
  EXPECT_EQ(rewritten(b), "nvm_memcpy(p->b, s, n); (nvm_read)(fd, p->b, n); "
                          "nvm_write(fd, p->b, n);");
  EditResult result = editsOf(b);
  EXPECT_EQ(result.counts.at("library stores replaced"), 2u);
  EXPECT_EQ(result.counts.at("outputs replaced"), 1u);
}

TEST(Stores, UnknownReplacementIsAnError) {
  FactsBuilder b;
  b.file("/p/a.c", "@c{@c.callee{memcpy}@(p->b, s, n)}@;");
  b.solution.sites.replaced.push_back(
      {b.call("c", "memcpy"), "nvm_memfrob", ""});
  auto result = makeEdits(b.facts, b.solution, b.contents);
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "the runtime has no 'nvm_memfrob' [unknown-replacement]");
}

} // namespace
