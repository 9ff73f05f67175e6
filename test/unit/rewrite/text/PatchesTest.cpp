//===- PatchesTest.cpp - Patches, applied by patch(1) ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/rewrite/RewriteTesting.h"

using namespace nvmove;
using namespace nvmove::test;

namespace {

std::vector<Patch> patchesOf(const FactsBuilder &b,
                             const std::string &root = "/p") {
  auto patches = makePatches(b.facts, editsOf(b).edits, b.contents, root);
  if (patches)
    return std::move(*patches);
  ADD_FAILURE() << llvm::toString(patches.takeError());
  return {};
}

/// Applies the patches one after the other without fuzz or offset, and compares
/// each step with the edits up to that layer.
void expectApplies(const FactsBuilder &b) {
  TemporaryDirectory tree;
  for (Id file = 0; file < b.contents.size(); ++file)
    tree.write(b.facts.files[file].path.substr(3),
               b.contents[file]); // behind "/p/"
  std::vector<Edit> edits = editsOf(b).edits;
  for (const Patch &patch : patchesOf(b)) {
    std::string output;
    EXPECT_EQ(run({"patch", "-p1", "--fuzz=0", "-d", tree.path()}, output,
                  patch.text),
              0)
        << output << patch.text;
    EXPECT_EQ(output.find("offset"), std::string::npos) << output;
    Layer layer = Layer(patch.name[0] - '0');
    for (Id file = 0; file < b.contents.size(); ++file)
      EXPECT_EQ(tree.read(b.facts.files[file].path.substr(3)),
                apply(edits, file, b.contents[file], layer));
  }
}

/// Lines "0;" .. "29;" with stores, calls and a variable in some of them.
FactsBuilder program(const std::string &newline, bool endsWithNewline) {
  std::string text = "int @v{n}@;" + newline;
  for (int line = 0; line < 30; ++line) {
    text += "  ";
    if (line % 9 == 2)
      text += "@lv{*p}@ = 1;";
    else if (line % 11 == 5)
      text += "@c.stmt{@c{@c.callee{write}@(@lv{*q}@ = 3)}@;}@";
    else if (line % 13 == 7)
      text += "@a{malloc(8)}@;";
    else
      text += std::to_string(line) + ";";
    text += line < 29 || endsWithNewline ? newline : "";
  }
  FactsBuilder b;
  b.file("/p/src/a b.c", text);
  b.file("/p/src/c.c", "@lv{*r}@ = 1;");
  for (size_t i = 0; b.at("lv", i).file != None; ++i)
    b.facts.stores[b.store(StoreForm::Lvalue, "lv")].span = b.at("lv", i);
  for (size_t i = 0; b.at("c", i).file != None; ++i) {
    Id call = b.call("c", "write");
    b.facts.calls[call].span = b.at("c", i);
    b.facts.calls[call].calleeSpan = b.at("c.callee", i);
    b.facts.calls[call].statement.span = b.at("c.stmt", i);
    b.solution.sites.replaced.push_back({call, "nvm_write", ""});
    Section section;
    section.kind = Section::Kind::Dispatcher;
    section.call = call;
    b.solution.commits.sections.push_back(section);
  }
  for (size_t i = 0; b.at("a", i).file != None; ++i) {
    Id call = b.call("a", "malloc");
    b.facts.calls[call].span = b.at("a", i);
    b.solution.sites.allocations.push_back({call, None, ""});
  }
  b.solution.restored.scalars.push_back(
      {b.global("n", "v", b.integer()), {}, "n", ""});
  return b;
}

TEST(Patches, ApplyInSequence) {
  for (const char *newline : {"\n", "\r\n"})
    for (bool endsWithNewline : {true, false})
      expectApplies(program(newline, endsWithNewline));
}

TEST(Patches, OnePerLayer) {
  std::vector<Patch> patches = patchesOf(program("\n", true));
  ASSERT_EQ(patches.size(), 4u);
  EXPECT_EQ(patches[0].name, "1-roots.patch");
  EXPECT_EQ(patches[1].name, "2-allocation.patch");
  EXPECT_EQ(patches[2].name, "3-sections.patch");
  EXPECT_EQ(patches[3].name, "4-stores.patch");
  EXPECT_EQ(patches[0].files, 1u);
  EXPECT_EQ(patches[3].files, 2u);
}

TEST(Patches, Text) {
  FactsBuilder b;
  b.file("/p/a.c",
         "1\n2\n3\n4\n5\n{\n  @c.stmt{@c{f()}@;}@\n}\n9\n10\n11\n12\n");
  Section section;
  section.kind = Section::Kind::Dispatcher;
  section.call = b.call("c", "f");
  b.solution.commits.sections.push_back(section);
  std::vector<Patch> patches = patchesOf(b);
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_EQ(patches[0].hunks, 1u);
  EXPECT_EQ(patches[0].text,
            "--- a/a.c\n+++ b/a.c\n@@ -1,10 +1,13 @@\n+#include "
            "<nvmove/nvm.h>\n 1\n 2\n 3\n 4\n 5\n {\n"
            "+  nvm_begin();\n   f();\n+  nvm_end();\n }\n 9\n 10\n");
}

TEST(Patches, MissingNewlineAtTheEnd) {
  FactsBuilder b;
  b.file("/p/a.c", "#include <nvmove/nvm.h>\nint @v{n}@;");
  b.solution.restored.scalars.push_back(
      {b.global("n", "v", b.integer()), {}, "n", ""});
  EXPECT_EQ(patchesOf(b)[0].text,
            "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,6 @@\n #include "
            "<nvmove/nvm.h>\n-int n;\n"
            "\\ No newline at end of file\n+int n;\n+\n+NVM_REGISTER(a) {\n+   "
            " NVM_ROOT(n);\n+}\n");
  expectApplies(b);
}

TEST(Patches, HunksThatTouchAreOne) {
  for (auto [gap, hunks] : {std::pair{6, 1u}, {7, 2u}}) {
    std::string text = "#include <nvmove/nvm.h>\n\n\n\n\n\n\n\n@lv{*p}@ = 1;\n";
    for (int i = 0; i < gap; ++i)
      text += "x;\n";
    FactsBuilder b;
    b.file("/p/a.c", text + "@lv{*q}@ = 1;\n");
    b.store(StoreForm::Lvalue, "lv");
    b.facts.stores[b.store(StoreForm::Lvalue, "lv")].span = b.at("lv", 1);
    EXPECT_EQ(patchesOf(b)[0].hunks, hunks) << gap;
    expectApplies(b);
  }
}

TEST(Patches, FileOutsideTheRootIsAnError) {
  FactsBuilder b;
  b.file("/p/a.c", "@lv{*p}@ = 1;");
  b.store(StoreForm::Lvalue, "lv");
  auto patches = makePatches(b.facts, editsOf(b).edits, b.contents, "/q");
  ASSERT_FALSE(bool(patches));
  EXPECT_EQ(llvm::toString(patches.takeError()),
            "/p/a.c is not below /q [outside-root]");
}

} // namespace
