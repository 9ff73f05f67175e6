//===- DebugInfoTest.cpp - Statics and what they lead to ------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tool/trial/DebugInfo.h"
#include "tool/trial/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace nvmove;
using testing::Contains;
using testing::ElementsAre;

namespace {

const char *const source = R"(
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
enum color { RED, GREEN = 5 };
struct opaque;
struct item {
  struct item *next, *other;
  char name[8];
  unsigned flag : 3, rest : 5;
  enum color color;
  void (*act)(void);
  union { long number; struct item *item; } u;
};
static struct item *list, *alias;
static struct item table[3];
static struct item *second = &table[1];
static int numbers[2][3];
static long **rows;
static double real = 1.5;
static char text[16] = "hello";
static char *word;
static void *anything = &table[2];
static FILE *stream;
static const int fixed = 7;
static _Thread_local int mine;
int shared = -3;
void nvm_ready(void) {}
static int bump(void) { static unsigned char calls = 200; return ++calls + ++mine + fixed; }
int main(void) {
  char byte = 0;
  list = calloc(1, sizeof(*list));
  list->next = list;
  list->other = &table[1];
  list->name[0] = 'a';
  list->flag = 5;
  list->rest = 17;
  list->color = GREEN;
  list->act = nvm_ready;
  list->u.item = list;
  alias = list;
  table[1].next = &table[2];
  numbers[1][2] = 42;
  rows = calloc(3, sizeof(*rows));
  rows[2] = calloc(1, sizeof(long));
  *rows[2] = 9;
  word = "word";
  stream = stdout;
  bump();
  if (write(1, &byte, 1) == 1)
    for (;;)
      pause();
  return second == NULL && anything == NULL && real > shared && text[0];
}
)";

/// The program, built once and started; at rest when it has written a byte.
class DebugInfoTest : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("nvmove-trial", folder));
    std::error_code ec;
    std::string file = (folder + "/main.c").str();
    {
      llvm::raw_fd_ostream os(file, ec);
      os << source;
    }
    std::string program = (folder + "/main").str();
    std::string command = "cd " + std::string(folder) + " && " + GetParam() +
                          " main.c -o main 2> log";
    ASSERT_EQ(system(command.c_str()), 0);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    child = fork();
    if (child == 0) {
      dup2(ends[1], 1);
      execl(program.c_str(), program.c_str(), nullptr);
      _exit(1);
    }
    close(ends[1]);
    char byte;
    ASSERT_EQ(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    image.emplace(llvm::cantFail(ProgramImage::open(program)));
    debug = std::make_unique<DebugInfo>(image->object());
  }
  void TearDown() override {
    if (child > 0) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
    llvm::sys::fs::remove_directories(folder);
  }
  std::string valueOf(llvm::StringRef path) {
    ProcessMemory memory(child, *image);
    Snapshot snapshot = walkMemory(memory, *image, debug->statics());
    EXPECT_TRUE(snapshot.complete);
    for (const MemoryValue &value : snapshot.values)
      if (value.path == path)
        return value.text + (value.certain ? "" : " ?");
    return "none";
  }

  llvm::SmallString<128> folder;
  pid_t child = -1;
  std::optional<ProgramImage> image;
  std::unique_ptr<DebugInfo> debug;
};

TEST_P(DebugInfoTest, Statics) {
  std::vector<std::string> names;
  for (const StaticVariable &s : debug->statics()) {
    names.push_back(s.name);
    EXPECT_TRUE(llvm::StringRef(s.file).ends_with("/main.c")) << s.file;
  }
  EXPECT_THAT(names, ElementsAre("alias", "list", "table", "second", "numbers",
                                 "rows", "real", "text", "word", "anything",
                                 "stream", "shared", "bump.calls"));
  EXPECT_EQ(debug->statics()[2].line, 16u);
  EXPECT_THAT(debug->skipped(), Contains("mine: each thread has its own"));
}

TEST_P(DebugInfoTest, Values) {
  EXPECT_EQ(valueOf("shared"), "-3");
  EXPECT_EQ(valueOf("real"), "1.5");
  EXPECT_EQ(valueOf("bump.calls"), "201");
  EXPECT_EQ(valueOf("text"), "\"hello\"");
  EXPECT_EQ(valueOf("word"), "\"word\"");
  EXPECT_EQ(valueOf("numbers[1][2]"), "42");
  EXPECT_EQ(valueOf("numbers[1][1]"), "none"); // zero
}

TEST_P(DebugInfoTest, Pointers) {
  EXPECT_EQ(valueOf("alias"), "(object)");
  EXPECT_EQ(valueOf("list"), "alias"); // met there first
  EXPECT_EQ(valueOf("alias->next"), "alias");
  EXPECT_EQ(valueOf("alias->other"), "&table[1]");
  EXPECT_EQ(valueOf("alias->name"), "\"a\"");
  EXPECT_EQ(valueOf("alias->flag"), "5");
  EXPECT_EQ(valueOf("alias->rest"), "17");
  EXPECT_EQ(valueOf("alias->color"), "GREEN");
  EXPECT_EQ(valueOf("alias->act"), "nvm_ready");
  EXPECT_EQ(valueOf("alias->u"), "(memory)");
  EXPECT_EQ(valueOf("second"), "&table[1]");
  EXPECT_EQ(valueOf("anything"), "&table[2]");
  EXPECT_EQ(valueOf("table[1].next"), "&table[2]");
  EXPECT_EQ(valueOf("stream"), "libc.so.6+" + valueOf("stream").substr(10));
}

/// How many elements a block has is known roughly: what is there is found, and
/// said to be uncertain.
TEST_P(DebugInfoTest, ElementsOfBlocks) {
  EXPECT_EQ(valueOf("rows[0]"), "NULL");
  EXPECT_EQ(valueOf("rows[2]"), "(object) ?");
  EXPECT_THAT(valueOf("*rows[2]") + valueOf("rows[2][0]"),
              testing::HasSubstr("9 ?"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, DebugInfoTest,
                         testing::Values("gcc -g -gdwarf-5 -fPIE -pie",
                                         "gcc -g -gdwarf-4 -no-pie",
                                         "gcc -g -gz",
                                         "gcc -gdwarf-3 -gstrict-dwarf"));

} // namespace
