//===- StaticsTest.cpp - Roots, twins and kept scalars --------------------===//
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

/// struct server { long dirty; redisDb *db; } server; and the header it needs.
struct Server : FactsBuilder {
  Id dict, expires, id, dirty, db, variable, redisDb;
  explicit Server(std::string_view source =
                      "#include \"db.h\"\nstruct server @v{server}@;\n") {
    file("/p/src/server.c", source);
    file("/p/src/db.h", "@r{typedef struct}@ redisDb { void *dict; void "
                        "*expires; int id; } redisDb;\n");
    redisDb = record("redisDb", "redisDb", "r", 24);
    dict = field(redisDb, "dict", pointerTo(type(TypeKind::Void)));
    expires = field(redisDb, "expires", pointerTo(type(TypeKind::Void)));
    id = field(redisDb, "id", integer());
    Id server = record("server", "struct server", "r", 16);
    dirty = field(server, "dirty", integer());
    db = field(server, "db", pointerTo(recordType(redisDb)));
    variable = global("server", "v", recordType(server));
  }
};

TEST(Statics, RootsOfAFile) {
  Server b;
  Root array;
  array.path = "server.db[].dict";
  array.variable = b.variable;
  array.fields = {b.db};
  array.container = b.redisDb;
  array.containerFields = {{b.dict}, {b.expires}};
  b.solution.restored.roots.push_back(array);
  b.solution.restored.scalars.push_back(
      {b.variable, {b.dirty}, "server.dirty", ""});
  EXPECT_EQ(rewritten(b), "#include \"db.h\"\nstruct server server;\n"
                          "\nNVM_REGISTER(server) {\n"
                          "    NVM_ROOT_ARRAY(server.db, redisDb,\n"
                          "                   NVM_POINTER(redisDb, dict),\n"
                          "                   NVM_POINTER(redisDb, expires));\n"
                          "    NVM_ROOT(server.dirty);\n"
                          "}\n");
}

TEST(Statics, ContainerThatTheFileDoesNotSee) {
  Server b("struct server @v{server}@;\n");
  Root array;
  array.variable = b.variable;
  array.fields = {b.db};
  array.container = b.redisDb;
  b.solution.restored.roots.push_back(array);
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("root-type-incomplete"));
}

TEST(Statics, RootThatTheProgramMakesAnewIsNotKept) {
  Server b;
  Root shared;
  shared.variable = b.variable;
  shared.fields = {b.db};
  shared.notKept = "made anew";
  b.solution.restored.roots.push_back(shared);
  EXPECT_TRUE(editsOf(b).edits.empty());
}

TEST(Statics, ArraysOnThePath) {
  FactsBuilder b;
  b.file("/p/a.c", "static struct slot { void *head; } "
                   "@v{@r{}@slots}@[2];\nstatic void *@w{table}@[9];\n");
  Id slot = b.record("slot", "struct slot", "r", 8);
  Id head = b.field(slot, "head", b.pointerTo(b.type(TypeKind::Void)));
  Root inside, whole;
  inside.variable = b.global("slots", "v", b.array(b.recordType(slot), 2));
  inside.fields = {head};
  whole.variable =
      b.global("table", "w", b.array(b.pointerTo(b.type(TypeKind::Void)), 9));
  b.solution.restored.roots = {inside, whole};
  EXPECT_EQ(rewritten(b),
            b.contents[0] +
                "\nNVM_REGISTER(a) {\n    NVM_ROOT_POINTERS(slots[0].head);\n"
                "    NVM_ROOT_POINTERS(slots[1].head);\n    "
                "NVM_ROOT_POINTERS(table);\n}\n");
}

TEST(Statics, StaticArrayOfContainers) {
  FactsBuilder b;
  b.file("/p/a.c",
         "static struct @r{slot}@ { void *head; int fd; } @v{slots}@[2];\n");
  Id slot = b.record("slot", "struct slot", "r", 16);
  Id head = b.field(slot, "head", b.pointerTo(b.type(TypeKind::Void)));
  Root root;
  root.variable = b.global("slots", "v", b.array(b.recordType(slot), 2));
  root.container = slot;
  root.containerFields = {{head}};
  b.solution.restored.roots = {root};
  EXPECT_EQ(rewritten(b),
            b.contents[0] +
                "\nNVM_REGISTER(a) {\n    NVM_ROOT_POINTERS(slots[0].head);\n"
                "    NVM_ROOT_POINTERS(slots[1].head);\n}\n");
}

TEST(Statics, PathsThroughArraysAndPointers) {
  FactsBuilder b;
  b.file("/p/a.c", "@r{}@struct two { struct one { void *p; } ones[2]; };\n"
                   "struct two *@v{twos}@;\n");
  Id one = b.record("one", "struct one", "r", 8);
  Id p = b.field(one, "p", b.pointerTo(b.type(TypeKind::Void)));
  Id two = b.record("two", "struct two", "r", 16);
  Id ones = b.field(two, "ones", b.array(b.recordType(one), 2));
  Root root;
  root.variable = b.global("twos", "v", b.pointerTo(b.recordType(two)));
  root.container = two;
  root.containerFields = {{ones, p}};
  b.solution.restored.roots = {root};
  EXPECT_EQ(rewritten(b),
            b.contents[0] +
                "\nNVM_REGISTER(a) {\n"
                "    NVM_ROOT_ARRAY(twos, struct two,\n"
                "                   NVM_POINTER(struct two, ones[0].p),\n"
                "                   NVM_POINTER(struct two, ones[1].p));\n}\n");
  b.solution.restored.roots[0].container = None;
  b.solution.restored.roots[0].fields = {p};
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("root-path"));
}

TEST(Statics, HugeArrayIsNoRoot) {
  FactsBuilder b;
  b.file("/p/a.c", "@r{}@struct s { int n, other, bit : 1; } @v{s}@[999];\n");
  Id s = b.record("s", "struct s", "r", 8);
  Id n = b.field(s, "n", b.integer()), bit = b.field(s, "bit", b.integer());
  b.field(s, "other", b.integer());
  b.facts.fields[bit].width_bits = 1;
  Id variable = b.global("s", "v", b.array(b.recordType(s), 999));
  for (Id field : {n, bit}) {
    b.solution.restored.scalars = {{variable, {field}, "s.x", ""}};
    EXPECT_THAT(refusals(editsOf(b)), ElementsAre("root-array-too-long"));
  }
}

/// struct map { struct { int x, y; struct { int z; }; } info[99][99];
///              union { int i; }; void *p; } map;
TEST(Statics, RecordsThatAreRestoredWhole) {
  FactsBuilder b;
  b.file("/p/a.c", "struct @r{map}@ { int n; } @v{map}@;\n");
  Id map = b.record("map", "struct map", "r", 99 * 99 * 12 + 16);
  Id info = b.record("info", "struct info", "r", 12);
  Id inner = b.record("", "struct (unnamed)", "r", 4);
  Id either = b.record("", "union (unnamed)", "r", 4);
  b.facts.records[either].isUnion = true;
  Id x = b.field(info, "x", b.integer()), y = b.field(info, "y", b.integer());
  Id in = b.field(info, "", b.recordType(inner));
  Id z = b.field(inner, "z", b.integer());
  Id all = b.field(map, "info", b.array(b.recordType(info), 99 * 99));
  Id one = b.field(map, "", b.recordType(either));
  Id i = b.field(either, "i", b.integer());
  Id p = b.field(map, "p", b.pointerTo(b.type(TypeKind::Void)));
  Id variable = b.global("map", "v", b.recordType(map));
  for (std::vector<Id> path :
       {std::vector<Id>{all, x}, {all, y}, {all, in, z}, {one, i}})
    b.solution.restored.scalars.push_back({variable, path, "map.", ""});
  EXPECT_EQ(rewritten(b), b.contents[0] + "\nNVM_REGISTER(a) {\n"
                                          "    NVM_ROOT(map.info);\n"
                                          "    NVM_ROOT(map.i);\n}\n");
  b.facts.fields[p].type = b.integer();
  b.solution.restored.scalars.push_back({variable, {p}, "map.p", ""});
  EXPECT_EQ(rewritten(b),
            b.contents[0] + "\nNVM_REGISTER(a) {\n    NVM_ROOT(map);\n}\n");
  b.solution.restored.scalars.erase(b.solution.restored.scalars.begin() + 2);
  EXPECT_THAT(refusals(editsOf(b)),
              ElementsAre("root-array-too-long", "root-array-too-long"));
}

/// struct s { char c; int a : 1, : 3, b : 4; int n; int d : 2; } s;
struct BitFields : FactsBuilder {
  Id s, a, b, n, d, variable;
  BitFields() {
    file("/p/a.c", "struct @r{s}@ { int a; } @v{s}@;\n");
    s = record("s", "struct s", "r", 12);
    field(s, "c", integer());
    a = bits("a", 8, 1);
    b = bits("b", 12, 4);
    n = field(s, "n", integer());
    d = bits("d", 64, 2);
    variable = global("s", "v", recordType(s));
  }
  Id bits(const std::string &name, uint64_t offset_bits, uint32_t width_bits) {
    Id id = field(s, name, integer());
    facts.fields[id].offset_bits = offset_bits;
    facts.fields[id].width_bits = width_bits;
    return id;
  }
  void restore(Id id) {
    solution.restored.scalars.push_back(
        {variable, {id}, "s." + facts.fields[id].name, ""});
  }
  std::string registered(const std::string &line) {
    return contents[0] + "\nNVM_REGISTER(a) {\n    " + line + "\n}\n";
  }
};

TEST(Statics, BitFieldsComeTogether) {
  BitFields b;
  b.restore(b.b);
  EXPECT_EQ(rewritten(b),
            b.registered("NVM_ROOT_BITS(s, \"a:1,:3,b:4\", &s.c + 1, &s.n);"));
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("bit-fields-together"));
  b.restore(b.a);
  b.restore(b.d);
  EXPECT_EQ(rewritten(b),
            b.registered("NVM_ROOT_BITS(s, \"a:1,:3,b:4\", &s.c + 1, &s.n);\n"
                         "    NVM_ROOT_BITS(s, \"d:2\", &s.n + 1, &s + 1);"));
  EXPECT_TRUE(editsOf(b).findings.empty());
}

TEST(Statics, BitFieldsInAnArray) {
  BitFields b;
  b.facts.nodes[b.variable].type = b.pointerTo(b.recordType(b.s));
  Root root;
  root.variable = b.variable;
  root.container = b.s;
  root.containerFields = {{b.a}, {b.b}, {b.d}};
  b.solution.restored.roots = {root};
  EXPECT_EQ(
      rewritten(b),
      b.registered("NVM_ROOT_ARRAY(s, struct s,\n"
                   "                   NVM_BITS(\"a:1,:3,b:4\", "
                   "NVM_END(struct s, c), NVM_BEGIN(struct s, n)),\n"
                   "                   NVM_BITS(\"d:2\", NVM_END(struct s, n), "
                   "sizeof(struct s)));"));
}

TEST(Statics, BitFieldsWithoutBounds) {
  BitFields b;
  b.restore(b.b);
  b.facts.fields[b.n].name = ""; // an anonymous record
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("bit-field-root"));
  b.facts.fields[b.n].name = "n";
  b.facts.records[b.s].isUnion = true;
  EXPECT_THAT(refusals(editsOf(b)), ElementsAre("bit-field-root"));
}

FactsBuilder scalar(std::string_view marked, std::string_view header = "") {
  FactsBuilder b;
  b.file("/p/a.c", marked);
  if (!header.empty())
    b.file("/p/a.h", header);
  b.solution.restored.scalars.push_back(
      {b.global("n", "v", b.integer()), {}, "n", ""});
  return b;
}

TEST(Statics, ConditionalDefinition) {
  EXPECT_EQ(
      rewritten(scalar(
          "#ifdef A\nstatic int @v{n}@ = 1;\n#else\nint m;\n#endif\nint z;\n")),
      "#ifdef A\nstatic int n = 1;\n\nNVM_REGISTER(a) {\n    "
      "NVM_ROOT(n);\n}\n#else\nint m;\n#endif\nint z;\n");
  EXPECT_THAT(
      refusals(editsOf(scalar("#ifdef A\nint @v{n}@;\nvoid f(void) "
                              "{\n#else\nvoid g(void) {\n#endif\n}\n"))),
      ElementsAre("conditional-definition"));
}

TEST(Statics, DefinitionThatCannotBeRegistered) {
  FactsBuilder inMacro =
      scalar("#define COUNT static int @v{n}@;\nvoid f(void) { COUNT }\n");
  inMacro.facts.nodes[0].isFunctionScope = true;
  EXPECT_THAT(refusals(editsOf(inMacro)), ElementsAre("function-scope-static"));

  FactsBuilder elsewhere = scalar("extern int @v{n}@;\n");
  elsewhere.facts.nodes[0].isDefined = false;
  EXPECT_THAT(refusals(editsOf(elsewhere)), ElementsAre("no-definition"));

  FactsBuilder header = scalar("#include \"a.h\"\n", "static int @v{n}@;\n");
  header.file("/p/b.c", "#include \"a.h\"\n");
  EXPECT_THAT(refusals(editsOf(header)), ElementsAre("static-in-header"));
}

TEST(Statics, PresentRegistrationStays) {
  EXPECT_TRUE(
      editsOf(scalar("int @v{n}@;\n\nNVM_REGISTER(a) {\n    NVM_ROOT(n);\n}\n"))
          .edits.empty());
  EXPECT_EQ(rewritten(scalar(
                "int @v{n}@;\nNVM_REGISTER(a) {\n    NVM_ROOT(m);\n}\n")),
            "int n;\nNVM_REGISTER(a) {\n    "
            "NVM_ROOT(m);\n}\n\nNVM_REGISTER(a_2) {\n    NVM_ROOT(n);\n}\n");
}

TEST(Statics, TwinWhoseNameAMacroPastes) {
  FactsBuilder b;
  b.file("/p/a.c", "#define NAME(x) @u{f_##x}@\nint NAME(a)@v{}@(void) { "
                   "return 1; } int (*p)(void) = NAME(a);\n");
  Twin twin;
  twin.variable = b.global("f_a", "v", b.integer());
  twin.uses = {b.addressUse("u", twin.variable)};
  b.solution.contents.twins.push_back(twin);
  EXPECT_EQ(rewritten(b),
            b.contents[0] + "\nNVM_REGISTER(a) {\n    NVM_STATIC(f_a);\n}\n")
      << "pointers to it follow: nothing to edit";
}

TEST(Statics, Twin) {
  FactsBuilder b;
  b.file(
      "/p/a.c",
      "struct T @v{type}@;\nd->type = @u{&type}@; d = nvm_twin(@u{&type}@);\n");
  Twin twin;
  twin.variable = b.global("type", "v", b.integer());
  for (size_t i = 0; i < 2; ++i) {
    twin.uses.push_back(b.addressUse("u", twin.variable));
    b.facts.addressUses[i].span = b.at("u", i);
  }
  b.facts.addressUses[1].inHook = true;
  b.solution.contents.twins.push_back(twin);
  EXPECT_EQ(rewritten(b), "struct T type;\nd->type = nvm_twin(&type); "
                          "d = nvm_twin(&type);\n"
                          "\nNVM_REGISTER(a) {\n    NVM_TWIN(type);\n}\n");
}

TEST(Statics, Followed) {
  FactsBuilder b;
  b.file("/p/a.c", "struct T @v{type}@, @w{several}@[3];\nd->type = "
                   "@u{&type}@; void @f{f}@(void) {}\n");
  Twin twin;
  twin.isFollowed = true;
  twin.variable = b.global("type", "v", b.integer());
  twin.uses = {b.addressUse("u", twin.variable)};
  b.solution.contents.twins.push_back(twin);
  Twin array;
  array.isFollowed = true;
  array.variable = b.global("several", "w", b.array(b.integer(), 3));
  b.solution.contents.twins.push_back(array);
  EXPECT_EQ(rewritten(b), b.contents[0] +
                              "\nNVM_REGISTER(a) {\n    NVM_STATIC(type);\n"
                              "    NVM_STATIC_ARRAY(several);\n}\n");
  b.solution.contents.holdsLiterals = true;
  EXPECT_EQ(rewritten(b), b.contents[0] +
                              "\nNVM_REGISTER(a) {\n    NVM_STATIC(type);\n"
                              "    NVM_STATIC_ARRAY(several);\n"
                              "    NVM_LITERALS();\n}\n");
}

FactsBuilder kept(std::string_view marked, bool inCompound,
                  bool mayLeave = false) {
  FactsBuilder b;
  b.file("/p/a.c", marked);
  StaticWrite write;
  write.variable = b.global("seed", "v", b.integer());
  write.statement = b.statement("s", inCompound);
  write.statement.mayLeave = mayLeave;
  write.loc = b.locAt("s");
  b.facts.staticWrites.push_back(write);
  b.solution.restored.kept.push_back({write.variable, {}, "seed", {0}, {}, ""});
  return b;
}

/// Of a seed that a call fills, and what another one does behind it.
FactsBuilder filled(std::string_view marked, bool endsThere) {
  FactsBuilder b;
  b.file("/p/a.c", marked);
  Call fill;
  fill.function = 0;
  fill.span = b.at("c");
  fill.statement = b.statement("s", true);
  fill.loc = b.locAt("s");
  Call behind = fill;
  behind.span = b.at("d");
  behind.deadEnd = endsThere;
  b.facts.calls = {fill, behind};
  b.solution.restored.kept.push_back(
      {b.global("seed", "v", b.integer()), {}, "seed", {}, {0}, ""});
  return b;
}

TEST(Statics, KeptScalar) {
  EXPECT_EQ(rewritten(kept("{ @s{seed = s;}@ }", true)),
            "{ seed = s; NVM_KEEP(seed); }");
  EXPECT_EQ(rewritten(kept("if (a) @s{seed = s;}@", false)),
            "if (a) { seed = s; NVM_KEEP(seed); }");
  EXPECT_TRUE(
      editsOf(kept("{ @s{seed = s;}@ NVM_KEEP(seed); }", true)).edits.empty());
  EXPECT_THAT(refusals(editsOf(kept("@s{if ((seed = s)) f();}@", true))),
              ElementsAre("kept-scalar-write"));
  EXPECT_THAT(refusals(editsOf(kept("@s{return seed = s;}@", true, true))),
              ElementsAre("kept-scalar-write"));
}

TEST(Statics, KeptScalarThatIsFilled) {
  std::string_view text = "{ @s{if (@c{fill(&seed)}@) @d{die()}@;}@ }";
  EXPECT_EQ(rewritten(filled(text, true)),
            "{ if (fill(&seed)) die(); NVM_KEEP(seed); }");
  EXPECT_THAT(refusals(editsOf(filled(text, false))),
              ElementsAre("kept-scalar-write"));
}

} // namespace
