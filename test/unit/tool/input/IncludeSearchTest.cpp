//===- IncludeSearchTest.cpp - Where headers are found --------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/IncludeSearch.h"
#include "tool/files/Paths.h"
#include "tool/input/IncludeText.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nvmove;

namespace {

TEST(IncludeText, MessagesAndPlaces) {
  auto place =
      placeOfMessage("/p/a:b.c:3:14: fatal error: 'x.h' file not found");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->file, "/p/a:b.c");
  EXPECT_EQ(place->line, 3u);
  EXPECT_EQ(place->column, 14u);
  EXPECT_EQ(textOfMessage("a.c:1:2: error: bad: thing"), "bad: thing");
  EXPECT_FALSE(placeOfMessage("error: unknown argument").has_value());
  EXPECT_EQ(textOfMessage("error: unknown argument"), "unknown argument");
}

class Tree : public testing::Test {
protected:
  void SetUp() override {
    SmallString<128> made;
    ASSERT_FALSE(sys::fs::createUniqueDirectory("nvmove-test", made));
    top = canonicalPath(made);
  }
  void TearDown() override { sys::fs::remove_directories(top); }

  std::string file(StringRef name, StringRef text = "") {
    SmallString<128> path(top);
    sys::path::append(path, name);
    sys::fs::create_directories(sys::path::parent_path(path));
    std::error_code ec;
    raw_fd_ostream os(path, ec);
    os << text;
    return std::string(path);
  }

  std::string top;
};

TEST_F(Tree, TheNearestAndShallowestDirectoryWins) {
  file("p/README");
  std::string source = file("p/src/a.c");
  file("p/deps/one/deep/list.h");
  file("p/deps/two/list.h");
  file("p/src/own/list.h");
  file("p/deps/two/sub/part.h");
  file("list.h");
  IncludeSearch search(std::vector<std::string>{source});
  EXPECT_EQ(search.find("list.h"), top + "/p/src/own");
  EXPECT_EQ(search.find("sub/part.h"), top + "/p/deps/two");
  EXPECT_EQ(search.find("deep/list.h"), top + "/p/deps/one");
  EXPECT_EQ(search.find("eep/list.h"), std::nullopt);
  EXPECT_EQ(search.find("nowhere.h"), std::nullopt);
}

TEST_F(Tree, TheSearchStaysInTheProject) {
  file("p/COPYING");
  std::string source = file("p/src/inner/a.c");
  file("p/include/in.h");
  file("q/include/out.h");
  IncludeSearch search(std::vector<std::string>{source});
  EXPECT_EQ(search.find("in.h"), top + "/p/include");
  EXPECT_EQ(search.find("out.h"), std::nullopt);
}

TEST_F(Tree, AHeaderWithOneCandidateDecidesForTheOthers) {
  file("p/README");
  std::string source = file("p/src/a.c");
  file("p/src/strings.h");
  file("p/deps/client/client.h");
  file("p/deps/client/strings.h");
  IncludeSearch search(std::vector<std::string>{source});
  EXPECT_TRUE(
      search.resolve(std::vector<std::string>{"client.h", "strings.h"}));
  ASSERT_EQ(search.directories().size(), 1u);
  EXPECT_EQ(search.directories()[0].directory, top + "/p/deps/client");
  EXPECT_FALSE(search.resolve(std::vector<std::string>{"nowhere.h"}));
}

TEST_F(Tree, IncludeLines) {
  std::string source =
      file("a.c", "#include <x.h>\n  #  include \"y/z.h\" // why\n#include X\n"
                  "// #include \"no.h\"\n");
  std::vector<IncludeLine> lines = readIncludes(source);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].header, "x.h");
  EXPECT_TRUE(lines[0].angled);
  EXPECT_EQ(lines[1].header, "y/z.h");
  EXPECT_FALSE(lines[1].angled);
  EXPECT_EQ(lines[1].place.line, 2u);
}

} // namespace
