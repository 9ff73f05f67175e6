//===- AllocationTest.cpp - Allocation sites ------------------------------===//
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

TEST(Allocation, SiteGetsItsType) {
  FactsBuilder b;
  b.file("/p/a.c", "@rec{struct}@ entry;\ne = @c{zmalloc(sizeof(*e))}@;\nt = "
                   "@d{zcalloc(n)}@;\n");
  b.solution.sites.allocations.push_back(
      {b.call("c", "zmalloc"), b.record("entry", "struct entry", "rec"), ""});
  b.solution.sites.allocations.push_back({b.call("d", "zcalloc"), None, ""});
  EXPECT_EQ(rewritten(b), "NVM_TYPE(entry);\nstruct entry;\ne = "
                          "NVM_ALLOC(entry, zmalloc(sizeof(*e)));\n"
                          "t = NVM_ALLOC(bytes, zcalloc(n));\n");
}

TEST(Allocation, LibraryCallIsReplacedInside) {
  FactsBuilder b;
  b.file("/p/a.c", "p = @c{@c.callee{malloc}@(9)}@;");
  b.solution.sites.allocations.push_back({b.call("c", "malloc"), None, ""});
  b.solution.sites.replaced.push_back({0, "nvm_malloc", ""});
  EXPECT_EQ(rewritten(b), "p = NVM_ALLOC(bytes, nvm_malloc(9));");
}

TEST(Allocation, HookedCallStays) {
  FactsBuilder b;
  b.file("/p/a.c", "p = NVM_ALLOC(bytes, @c{nvm_malloc(9)}@);");
  b.solution.sites.allocations.push_back({b.call("c", "nvm_malloc"), None, ""});
  b.facts.calls[0].inHook = true;
  EXPECT_TRUE(editsOf(b).edits.empty());
}

TEST(Allocation, EqualNamesAreToldApartByTheirFiles) {
  FactsBuilder b;
  b.file("/p/a.c", "@ra{struct}@ node; p = @c{f()}@;");
  b.file("/p/b.c", "@rb{struct}@ node; p = @d{f()}@;");
  b.solution.sites.allocations.push_back(
      {b.call("c", "f"), b.record("node", "struct node", "ra"), ""});
  b.solution.sites.allocations.push_back(
      {b.call("d", "f"), b.record("node", "struct node", "rb"), ""});
  EXPECT_EQ(rewritten(b, 0),
            "NVM_TYPE(node_a);\nstruct node; p = NVM_ALLOC(node_a, f());");
  EXPECT_EQ(rewritten(b, 1),
            "NVM_TYPE(node_b);\nstruct node; p = NVM_ALLOC(node_b, f());");
}

TEST(Allocation, ATypeCalledBytesIsNotTheRuntimes) {
  FactsBuilder b;
  b.file("/p/a.c", "@ra{struct}@ bytes; p = @c{f()}@;");
  b.solution.sites.allocations.push_back(
      {b.call("c", "f"), b.record("bytes", "struct bytes", "ra"), ""});
  EXPECT_EQ(rewritten(b),
            "NVM_TYPE(bytes_a);\nstruct bytes; p = NVM_ALLOC(bytes_a, f());");
}

TEST(Allocation, MacroThatAllocatesSeveralTypes) {
  FactsBuilder b;
  b.file("/p/a.c", "@r{struct}@ x;\n#define NEW(T) @c{malloc(sizeof(T))}@\n");
  b.solution.sites.allocations.push_back(
      {b.call("c", "malloc"), b.record("x", "struct x", "r"), ""});
  b.solution.sites.allocations.push_back(
      {b.call("c", "malloc"), b.record("y", "struct y", "r"), ""});
  EXPECT_EQ(rewritten(b),
            "struct x;\n#define NEW(T) NVM_ALLOC(bytes, malloc(sizeof(T)))\n");
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("allocation-of-several-types"));
}

TEST(Allocation, HeaderDeclaresAndASourceDefines) {
  FactsBuilder b;
  b.file("/p/a.h", "#ifndef A_H\n#define A_H\n@r{struct}@ x;\n#define NEW() "
                   "@c{malloc(8)}@\n#endif\n");
  b.file("/p/a.c", "#include \"a.h\"\n");
  b.solution.sites.allocations.push_back(
      {b.call("c", "malloc"), b.record("x", "struct x", "r"), ""});
  EXPECT_EQ(rewritten(b, 0), "#ifndef A_H\n#define A_H\nextern struct nvm_type "
                             "nvm_type_x;\nstruct x;\n"
                             "#define NEW() NVM_ALLOC(x, malloc(8))\n#endif\n");
  EXPECT_EQ(rewritten(b, 1), "NVM_TYPE(x);\n#include \"a.h\"\n");
}

TEST(Allocation, FunctionsAsValues) {
  FactsBuilder b;
  b.file("/p/a.c",
         "listSetFreeMethod(l, @u{free}@); struct ops o = { @u{&free}@ };");
  Id node = b.global("free", "u", b.integer());
  for (size_t i = 0; i < 2; ++i) {
    Id use = b.addressUse("u", node);
    b.facts.addressUses[use].span = b.at("u", i);
    b.solution.sites.replacedUses.push_back({use, "nvm_free", ""});
  }
  b.facts.addressUses[1].inConstantInitialiser = true;
  EXPECT_EQ(rewritten(b),
            "listSetFreeMethod(l, nvm_free); struct ops o = { &nvm_free };");
}

} // namespace
