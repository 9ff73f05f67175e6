//===- LayoutsTest.cpp - What each persistent type looks like -------------===//
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

TEST(Layouts, AllKindsOfMembers) {
  FactsBuilder b;
  b.file("/p/a.c", "@r{struct}@ s { int a; };\n");
  Id s = b.record("s", "struct s", "r");
  Id anonymous = b.record("", "struct (unnamed)", "nowhere");
  b.field(s, "a", b.integer());
  b.field(s, "", b.recordType(anonymous));
  b.field(anonymous, "inner", b.integer());
  b.facts.fields[b.field(s, "bits", b.integer())].width_bits = 1;
  b.facts.fields[b.field(s, "tail", b.array(b.integer(), 0))].flexible = true;
  b.persistent(s);
  b.persistent(anonymous);
  EXPECT_EQ(rewritten(b),
            "NVM_TYPE(s);\nstruct s { int a; };\n\nNVM_LAYOUT(s, struct s,\n"
            "           NVM_FIELD(struct s, a),\n"
            "           NVM_FIELD(struct s, inner),\n"
            "           NVM_FLEXIBLE(struct s, tail));\n");
  EXPECT_TRUE(editsOf(b).findings.empty());
}

/// What is certain about pointers, and nothing else.
class Words : public ::testing::Test, public FactsBuilder {
protected:
  Id s = None, p = None;
  Words() {
    file("/p/a.c", "@r{struct}@ s { struct s *p; };\n");
    s = record("s", "struct s", "r", 8);
    p = field(s, "p", pointerTo(recordType(s)));
    persistent(s);
  }
  std::string layout() {
    std::string text = rewritten(*this);
    size_t at = text.find("NVM_LAYOUT");
    return at == std::string::npos ? "" : text.substr(at);
  }
  std::string only(const std::string &line) {
    return "NVM_LAYOUT(s, struct s,\n           " + line + ");\n";
  }
};

TEST_F(Words, APointer) {
  EXPECT_EQ(layout(), only("NVM_POINTER(struct s, p)"));
}

TEST_F(Words, AnIntegerThatWasMadeAPointer) {
  solution.contents.addresses.fromIntegers = {p};
  EXPECT_EQ(layout(), only("NVM_FIELD(struct s, p)"));
}

TEST_F(Words, WhatIsComputedFromAddresses) {
  solution.contents.addresses.computed = {p};
  EXPECT_EQ(layout(), only("NVM_COMPUTED(struct s, p)"));
}

TEST_F(Words, AnotherRecordInTheSameBlock) {
  Id other = record("other", "struct other", "r", 16);
  Id first = field(other, "first", pointerTo(recordType(s)));
  solution.contents.addresses.sharing = {{s, other}, {other, s}};
  EXPECT_EQ(layout(), only("NVM_POINTER(struct s, p)"));
  // A number where this one has a pointer.
  facts.fields[first].type = type(TypeKind::Integer, None, 8);
  EXPECT_EQ(layout(), only("NVM_FIELD(struct s, p)"));
  // Behind it.
  facts.fields[first].offset_bits = 64;
  EXPECT_EQ(layout(), only("NVM_POINTER(struct s, p)"));
}

TEST_F(Words, MembersOfRecordType) {
  Id inner = record("", "union (unnamed)", "nowhere", 8);
  facts.records[inner].isUnion = true;
  field(inner, "a", pointerTo(integer()));
  Id b = field(inner, "b", pointerTo(recordType(s)));
  facts.fields[p].type = recordType(inner);
  EXPECT_EQ(layout(), only("NVM_POINTER(struct s, p)"));
  facts.fields[b].type = type(TypeKind::Integer, None, 8);
  EXPECT_EQ(layout(), only("NVM_FIELD(struct s, p)"));
  Id t = record("t", "struct t", "r", 8);
  facts.records[t].complete = true;
  persistent(t);
  facts.fields[p].type = array(recordType(t), 3);
  EXPECT_NE(layout().find("NVM_RECORD(struct s, p, t)"), std::string::npos);
}

TEST(Layouts, BitFieldsOnly) {
  FactsBuilder b;
  b.file("/p/a.c", "@r{struct}@ s { int a : 1; };\n");
  Id s = b.record("s", "struct s", "r");
  b.facts.fields[b.field(s, "a", b.integer())].width_bits = 1;
  b.persistent(s);
  EXPECT_EQ(
      rewritten(b),
      "NVM_TYPE(s);\nstruct s { int a : 1; };\n\nNVM_LAYOUT(s, struct s,\n"
      "           NVM_BITS(\"a:1\", 0, sizeof(struct s)));\n");
}

TEST(Layouts, SourceThatAllocatesATypeFromAHeader) {
  FactsBuilder b;
  b.file("/p/a.c", "#include \"t.h\"\n");
  b.file("/p/b.c",
         "#include \"t.h\"\nvoid *f(void) { return @c{malloc(4)}@; }\n");
  b.file("/p/t.h", "@r{struct}@ t { int a; };\n");
  Id t = b.record("t", "struct t", "r");
  b.field(t, "a", b.integer());
  b.persistent(t);
  b.solution.sites.allocations.push_back({b.call("c", "malloc"), t, ""});
  EXPECT_EQ(rewritten(b, 0), b.contents[0]);
  EXPECT_EQ(rewritten(b, 1),
            "NVM_TYPE(t);\n#include \"t.h\"\nvoid *f(void) { return "
            "NVM_ALLOC(t, malloc(4)); }\n"
            "\nNVM_LAYOUT(t, struct t,\n           NVM_FIELD(struct t, a));\n");
}

TEST(Layouts, DefinitionInsideAConditional) {
  FactsBuilder b;
  b.file("/p/a.c", "#if 1\n@r{struct}@ s { int a; };\n#endif\n");
  Id s = b.record("s", "struct s", "r");
  b.field(s, "a", b.integer());
  b.persistent(s);
  EXPECT_EQ(
      rewritten(b),
      "NVM_TYPE(s);\n#if 1\nstruct s { int a; };\n\nNVM_LAYOUT(s, struct s,\n"
      "           NVM_FIELD(struct s, a));\n#endif\n");
}

TEST(Layouts, Refusals) {
  FactsBuilder unnamed;
  unnamed.file("/p/a.c", "struct { int a; } *@r{t}@;\n");
  unnamed.persistent(unnamed.record("", "struct (unnamed at a.c:1:1)", "r"));
  EXPECT_THAT(refusals(editsOf(unnamed)), ElementsAre("unnamed-type"));

  FactsBuilder local;
  local.file("/p/a.c", "int f(void)\n{\n  @r{struct}@ s { int a; };\n}\n");
  Id f = local.function("f");
  local.facts.functions[f].hasBody = true;
  local.facts.functions[f].loc = {0, 1, 5};
  local.facts.functions[f].lines = 4;
  local.persistent(local.record("s", "struct s", "r"));
  EXPECT_THAT(refusals(editsOf(local)), ElementsAre("unnamed-type"));

  FactsBuilder unseen;
  unseen.file("/p/a.c", "int x;\n");
  unseen.file("/p/t.h", "@r{struct}@ t { int a; };\n");
  unseen.persistent(unseen.record("t", "struct t", "r"));
  EXPECT_THAT(refusals(editsOf(unseen)), ElementsAre("layout-type-invisible"));
}

TEST(Layouts, PresentLayoutStays) {
  FactsBuilder b;
  b.file("/p/a.c", "NVM_TYPE(s);\n@r{struct}@ s { int a; };\nNVM_LAYOUT(s, "
                   "struct s,\n  NVM_FIELD(struct s, a));\n");
  Id s = b.record("s", "struct s", "r");
  b.field(s, "a", b.integer());
  b.persistent(s);
  EXPECT_TRUE(editsOf(b).edits.empty());
}

} // namespace
