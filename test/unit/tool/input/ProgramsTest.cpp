//===- ProgramsTest.cpp - Which files are one program ---------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/Programs.h"
#include "tool/Analysis.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nvmove;

namespace {

std::string idsOf(Error error) {
  std::string result;
  handleAllErrors(std::move(error), [&](const MessageError &e) {
    result +=
        messageName(e.message.id).str() + " " + e.message.place.file + ";";
  });
  return result;
}

void write(StringRef file, StringRef text) {
  std::error_code ec;
  raw_fd_ostream os(file, ec);
  ASSERT_FALSE(ec) << ec.message();
  os << text;
}

class Contents : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("nvmove-test", directory));
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  void add(StringRef name, StringRef analysed, bool editable = true) {
    nvmove::File file;
    file.path = (directory + "/" + name).str();
    file.hash = xxh3_64bits(analysed);
    file.editable = editable;
    facts.files.push_back(file);
    write(file.path, analysed);
  }

  SmallString<128> directory;
  Facts facts;
};

TEST_F(Contents, AreReadForEditableFilesOnly) {
  add("a.c", "int a;\n");
  add("system.h", "int s;\n", /*editable=*/false);
  auto contents = readContents(facts, directory);
  ASSERT_TRUE(bool(contents)) << toString(contents.takeError());
  EXPECT_EQ(*contents, (std::vector<std::string>{"int a;\n", ""}));
}

// [source-changed]
TEST_F(Contents, OfAFileThatChangedSinceItWasAnalysedAreRefused) {
  add("a.c", "int a;\n");
  add("b.c", "int b;\n");
  add("c.c", "int c;\n");
  write(facts.files[1].path, "int changed;\n");
  sys::fs::remove(facts.files[2].path);
  EXPECT_EQ(idsOf(readContents(facts, directory).takeError()),
            "source-changed b.c;source-changed c.c;");
}

TEST_F(Contents, OfFactsThatWereCollectedElsewhere) {
  for (const char *name : {"a.c", "b.c", "c.c"})
    add(name, "int x;\n");
  write(facts.files[0].path, "int changed;\n");
  sys::fs::remove(facts.files[1].path);
  sys::fs::remove(facts.files[2].path);
  EXPECT_EQ(
      idsOf(readContents(facts, directory, /*fromFacts=*/true).takeError()),
      "source-changed a.c;source-missing b.c;");
}

TEST(PrefixMap, WholeFoldersAndTheLastThatFits) {
  std::vector<PrefixMap> maps{{"/no/src", "/a"}, {"/no/src/sub", "/b"}};
  auto mapped = [&](std::string path) {
    mapPath(path, maps);
    return path;
  };
  EXPECT_EQ(mapped("/no/src/x.c"), "/a/x.c");
  EXPECT_EQ(mapped("/no/src/sub/x.c"), "/b/x.c");
  EXPECT_EQ(mapped("/no/srcs/x.c"), "/no/srcs/x.c");
  EXPECT_EQ(mapped("/no/src"), "/a");
  std::swap(maps[0], maps[1]);
  EXPECT_EQ(mapped("/no/src/sub/x.c"), "/a/sub/x.c");
  Facts facts;
  facts.records.push_back({"tag@/no/src/x.c#2"});
  facts.records.push_back({"opaque@"});
  mapPaths(facts, maps);
  EXPECT_EQ(facts.records[0].key, "tag@/a/x.c#2");
  EXPECT_EQ(facts.records[1].key, "opaque@");
}

//===-- Which units make up the program
//------------------------------------===//

/// "main uses load; defines helper" in facts.
Facts unit(std::vector<StringRef> defined, std::vector<StringRef> needed) {
  Facts facts;
  auto add = [&](StringRef name, bool hasBody) {
    Function f;
    f.name = f.key = name.str();
    f.hasBody = hasBody;
    facts.functions.push_back(f);
  };
  for (StringRef name : defined)
    add(name, true);
  for (StringRef name : needed) {
    add(name, false);
    Call use; // by an initialiser
    use.callee = facts.functions.size() - 1;
    facts.calls.push_back(use);
  }
  return facts;
}

ProgramChoice choose(const std::vector<Facts> &units) {
  std::vector<Symbols> symbols;
  for (const Facts &u : units)
    symbols.push_back(symbolsOf(u));
  return chooseProgram(symbols, std::vector<std::string>{"load"});
}

using Units = std::vector<size_t>;

TEST(Programs, WhatOnlyAnotherProgramNeedsIsLeftOut) {
  ProgramChoice choice =
      choose({unit({"main"}, {"load", "shared"}), unit({"load"}, {}),
              unit({"shared"}, {}), unit({"main"}, {"shared", "clientOnly"}),
              unit({"clientOnly"}, {})});
  EXPECT_EQ(choice.units, (Units{0, 1, 2}));
  EXPECT_EQ(choice.others, (Units{3, 4}));
  EXPECT_EQ(choice.mains, (Units{0}));
}

/// static inline int helper(void) { return other(); } in a header.
TEST(Programs, WhatOnlyUnusedInlineFunctionsMentionIsNotNeeded) {
  for (bool isCalled : {false, true}) {
    Facts facts = unit({"main", "helper"}, {"other"});
    facts.functions[1].isStatic = true;
    facts.calls.clear();
    Call inside;
    inside.function = 1;
    inside.callee = 2;
    facts.calls.push_back(inside);
    if (isCalled) {
      Call use;
      use.function = 0;
      use.callee = 1;
      facts.calls.push_back(use);
    }
    EXPECT_EQ(symbolsOf(facts).needed.size(), size_t(isCalled));
  }
}

TEST(Programs, WhatNoProgramNamesIsKept) {
  ProgramChoice choice = choose({unit({"main"}, {"load"}), unit({"load"}, {}),
                                 unit({"registeredByConstructor"}, {})});
  EXPECT_EQ(choice.units, (Units{0, 1, 2}));
}

TEST(Programs, AProgramIsNeverDrawnIntoAnother) {
  ProgramChoice choice =
      choose({unit({"main"}, {"load", "util"}), unit({"load"}, {}),
              unit({"main", "util"}, {})});
  EXPECT_EQ(choice.units, (Units{0, 1}));
  EXPECT_EQ(choice.others, (Units{2}));
}

TEST(Programs, SeveralThatLoadAreTakenTogether) {
  ProgramChoice choice =
      choose({unit({"main"}, {"load"}), unit({"main"}, {"load"}),
              unit({"load"}, {}), unit({"main"}, {})});
  EXPECT_EQ(choice.units, (Units{0, 1, 2}));
  EXPECT_EQ(choice.others, (Units{3}));
  EXPECT_EQ(choice.mains, (Units{0, 1}));
}

TEST(Programs, ThatOfAPlugInHasWhatItNeeds) {
  ProgramChoice choice =
      choose({unit({"main"}, {"core"}), unit({"core"}, {}),
              unit({"load"}, {"core"}), unit({"main"}, {"tool"}),
              unit({"tool"}, {}), unit({"otherPlugIn"}, {"core"})});
  EXPECT_EQ(choice.units, (Units{0, 1, 2, 5}));
  EXPECT_EQ(choice.others, (Units{3, 4}));
  EXPECT_EQ(choice.mains, (Units{0}));
  EXPECT_TRUE(choice.isPlugIn);
}

TEST(Programs, WhereNothingTellsNothingIsLeftOut) {
  ProgramChoice choice = choose({unit({"main"}, {"core"}), unit({"core"}, {}),
                                 unit({"load"}, {"malloc"})});
  EXPECT_EQ(choice.units, (Units{0, 1, 2}));
  EXPECT_TRUE(choice.others.empty());
}

TEST(Programs, WithoutTheLoadFunctionAllAreKeptForTheNearNames) {
  ProgramChoice choice = choose({unit({"main"}, {}), unit({"laod"}, {})});
  EXPECT_EQ(choice.units, (Units{0, 1}));
  EXPECT_TRUE(choice.others.empty());
}

TEST(Programs, GlobalsLinkTooAndStaticNamesDoNot) {
  Facts user = unit({"main"}, {"load"}), definer, other;
  auto global = [](bool isDefined, bool isStatic) {
    Node n;
    n.kind = NodeKind::Global;
    n.key = n.name = "state";
    n.isDefined = isDefined;
    n.isStatic = isStatic;
    return n;
  };
  user.nodes.push_back(global(false, false));
  definer.nodes.push_back(global(true, false));
  other = unit({"main"}, {"state"});
  ProgramChoice choice = choose({user, unit({"load"}, {}), definer, other});
  EXPECT_EQ(choice.units, (Units{0, 1, 2}));
  EXPECT_EQ(choice.others, (Units{3}));
}

} // namespace
