//===- BuildLogTest.cpp - What the commands of a build make ---------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/input/BuildLog.h"
#include "tool/input/ShellLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace nvmove;
using testing::ElementsAre;

namespace {

/// "depth:word,word", with a question mark behind what the shell expands.
std::vector<std::string> commands(StringRef line) {
  std::vector<std::string> result;
  for (const ShellCommand &command : parseShellLine(line)) {
    std::vector<std::string> words;
    for (const ShellWord &word : command.words)
      words.push_back(word.text + (word.expands ? "?" : ""));
    result.push_back(std::to_string(command.depth) + ":" + join(words, ","));
  }
  return result;
}

TEST(ShellLine, SplitsCommands) {
  EXPECT_THAT(commands("a b; c && d||e | f & g"),
              ElementsAre("0:a,b", "0:c", "0:d", "0:e", "0:f", "0:g"));
  EXPECT_THAT(commands("(cd x && (a)) ; b"),
              ElementsAre("1:cd,x", "2:a", "0:b"));
  EXPECT_THAT(commands("if test -f a; then cc a; else ! b; fi # cc c"),
              ElementsAre("0:test,-f,a", "0:cc,a", "0:b"));
  EXPECT_THAT(commands("for f in a b; do { cc $f; }; done"),
              ElementsAre("0:cc,$f?"));
  EXPECT_THAT(commands("a \\\n  b\\\nc\nd"), ElementsAre("0:a,bc", "0:d"));
  EXPECT_THAT(commands(" \t; ;"), ElementsAre());
}

TEST(ShellLine, TakesQuotesOff) {
  EXPECT_THAT(commands(R"(cc '-DA="x y"' "-DB=\"z\"" -DC=\"c\" a\ b "\n")"),
              ElementsAre(R"(0:cc,-DA="x y",-DB="z",-DC="c",a b,\n)"));
  EXPECT_THAT(commands("a '' \"\"b"), ElementsAre("0:a,,b"));
  EXPECT_THAT(commands("a#b '#' \\#"), ElementsAre("0:a#b,#,#"));
  // What does not end.
  EXPECT_THAT(commands("a 'b c"), ElementsAre("0:a,b c"));
  EXPECT_THAT(commands("a \"b $(c"), ElementsAre("0:a,b ?"));
  EXPECT_THAT(commands("a `b"), ElementsAre("0:a,?"));
  EXPECT_THAT(commands("a \\"), ElementsAre("0:a,\\"));
}

TEST(ShellLine, LeavesRedirectionsOut) {
  EXPECT_THAT(commands("a >x 2>&1 <y b"), ElementsAre("0:a,b"));
  EXPECT_THAT(commands("a 2> /dev/null >>'x y'"), ElementsAre("0:a"));
  EXPECT_THAT(commands("a b2>x"), ElementsAre("0:a,b2"));
}

TEST(ShellLine, KeepsSubstitutionsInOneWord) {
  EXPECT_THAT(commands("cc `a 'b' \\`c;d` -c x.c"),
              ElementsAre("0:cc,?,-c,x.c"));
  EXPECT_THAT(commands("cc x$(a \"$(b ')')\" | c)y '$(z)'"),
              ElementsAre("0:cc,xy?,$(z)"));
  EXPECT_THAT(commands("cc *.c ~/x '*' \\*"),
              ElementsAre("0:cc,*.c?,~/x?,*,*"));
}

/// "program: source source", without the folder.
std::vector<std::string> programs(StringRef text) {
  BuildLog log = readBuildLog(text, "/nowhere");
  auto name = [](StringRef file) {
    EXPECT_TRUE(file.consume_front("/nowhere/")) << file.str();
    return file.str();
  };
  std::vector<std::string> result;
  for (const LinkedProgram &program : log.programs) {
    std::string line = name(program.output) + ":";
    for (size_t c : program.compiled)
      line += " " + name(log.compilations[c].source);
    result.push_back(line);
  }
  return result;
}

TEST(BuildLog, TellsMembersOfLibraries) {
  auto members = [](StringRef log) {
    return readBuildLog(log, "/d").programs.front().members;
  };
  const std::string library = "gcc -c a.c\nar r x.a a.o\ngcc -c b.c\n";
  EXPECT_THAT(members(library + "gcc -o p b.o x.a"), ElementsAre(0));
  EXPECT_THAT(members(library + "gcc -o p b.o a.o x.a"), ElementsAre());
  EXPECT_THAT(members(library + "gcc -o p b.o -Wl,--whole-archive x.a"),
              ElementsAre());
}

TEST(BuildLog, FollowsObjectsAndLibraries) {
  EXPECT_THAT(programs("gcc -c a.c\ngcc -c b.c -o o/b.o\ngcc -o p a.o o/b.o"),
              ElementsAre("p: a.c b.c"));
  EXPECT_THAT(programs("gcc -c a.c\nx-ar -rcs l/libx.a a.o\ngcc -c b.c\n"
                       "gcc b.o -Ll -lx -o p\ngcc b.o -lx -o q"),
              ElementsAre("p: a.c b.c", "q: b.c"));
  EXPECT_THAT(programs("gcc -c a.c b.c\nld -r -o ab.o a.o b.o\ncp ab.o c.o\n"
                       "g++ -o p c.o"),
              ElementsAre("p: a.c b.c"));
  EXPECT_THAT(programs("gcc -shared -o libx.so.1 a.c\n"
                       "ln -s libx.so.1 libx.so\ncc b.c -L. -lx"),
              ElementsAre("a.out: a.c b.c"));
  // The library is made after its program is printed.
  EXPECT_THAT(programs("gcc -o p a.c libx.a\ngcc -c x.c\nar r libx.a x.o"),
              ElementsAre("p: a.c x.c"));
}

TEST(BuildLog, KnowsWhereItIs) {
  EXPECT_THAT(programs("make[1]: Entering directory '/nowhere/lib'\n"
                       "gcc -c a.c\n"
                       "make[1]: Leaving directory '/nowhere/lib'\n"
                       "(cd lib && cc -c b.c); cc -o p lib/a.o lib/b.o"),
              ElementsAre("p: lib/a.c lib/b.c"));
}

TEST(BuildLog, SkipsWhatDoesNotCompile) {
  EXPECT_THAT(programs("echo gcc -o x a.c\ngcc -E a.c -o y\ngcc -M a.c\n"
                       "rm -f cc a.o\ngcc --version\nprintf cc -c a.c"),
              ElementsAre());
}

TEST(BuildLog, KnowsCompilersAfterOtherWords) {
  BuildLog log = readBuildLog("A=b ccache gcc-12 -DX -c a.c\n"
                              "sh libtool --mode=compile arm-linux-cc -c b.c\n"
                              "our-own-script -DY -c c.c -o c.o",
                              "/nowhere");
  std::vector<std::string> seen;
  for (const Compilation &c : log.compilations)
    seen.push_back(join(c.arguments, " "));
  EXPECT_THAT(seen, ElementsAre("gcc-12 -DX -c a.c", "arm-linux-cc -c b.c",
                                "our-own-script -DY -c c.c -o c.o"));
}

TEST(BuildLog, AsksTheShellForArgumentsAlone) {
  BuildLog log = readBuildLog("d=`echo x`; cc -D$d $(echo -DY -DZ) -c a.c > b\n"
                              "echo $(touch /nowhere/c)",
                              "/");
  ASSERT_EQ(log.compilations.size(), 1u);
  EXPECT_EQ(join(log.compilations[0].arguments, " "), "cc -Dx -DY -DZ -c a.c");
}

} // namespace
