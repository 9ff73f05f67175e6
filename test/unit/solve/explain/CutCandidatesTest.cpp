//===- CutCandidatesTest.cpp - What would not stay without a call ---------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/SolveTesting.h"
#include "llvm/ADT/STLExtras.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

const std::string code = R"(
typedef struct FILE FILE; typedef unsigned long size_t;
void *malloc(size_t); int fgetc(FILE *);
FILE *in;
struct item { int id; struct item *next; };
struct mark { int seen; struct mark *next; };
struct log { struct mark *first; };
static struct item *items;
static struct log *logs;
static struct mark *make(void) { return malloc(sizeof(struct mark)); }
static void write_mark(void) { struct mark *m = make(); m->next = logs->first; logs->first = m; }
static void open_log(void) { logs = malloc(sizeof *logs); logs->first = 0; }
static void audit(void) {
  open_log();
  write_mark();
}
static void put(int id) { struct item *i = malloc(sizeof *i); i->id = id; i->next = items; items = i; }
void load(void) {
  put(fgetc(in));
  put(fgetc(in));
  audit();
}
int main(void) { load(); return 0; }
)";

Answer answer(uint32_t maxCuts, std::vector<std::string> stop = {}) {
  SolveOptions options{{"load"}, std::move(stop)};
  options.maxCuts = maxCuts;
  return solveSource(code, options);
}

std::string placeOf(const Answer &a, Id call) {
  const Loc &loc = a.facts.calls[call].loc;
  const std::string &path = a.facts.files[loc.file].path;
  return path.substr(path.rfind('/') + 1) + ":" + std::to_string(loc.line);
}

TEST(Cuts, TheFirstCallOfThoseWithTheSameEffect) {
  Answer a = answer(100);
  std::vector<std::string> callees;
  for (const Cut &cut : a.solution.cuts.list)
    callees.push_back(a.facts.functions[a.facts.calls[cut.call].callee].name);
  // open_log() takes no less with it than audit(); neither put() takes
  // anything, for the other makes items too.
  EXPECT_THAT(callees, ElementsAre("audit", "write_mark"));
  EXPECT_EQ(a.solution.cuts.notTried, 0u);
}

TEST(Cuts, HoldWhenTheCallIsLeftOut) {
  Answer all = answer(100);
  ASSERT_EQ(all.solution.cuts.list.size(), 2u);
  for (const Cut &cut : all.solution.cuts.list) {
    std::vector<std::string> left;
    for (const PersistentType &t : all.solution.records.types)
      if (!llvm::is_contained(cut.records, t.record))
        left.push_back(all.facts.records[t.record].name);
    EXPECT_EQ(answer(0, {placeOf(all, cut.call)}).types(), left)
        << placeOf(all, cut.call);
    EXPECT_LT(left.size(), all.solution.records.types.size());
  }
}

TEST(Cuts, OfCallsThatAreTriedTogetherNoneIsMissed) {
  // Below audit(): two calls on which one type each hangs, and of which each
  // takes it.
  const std::string two = R"(
void *malloc(unsigned long);
struct mark { int seen; }; struct log { int n; }; struct book { int m; };
static struct mark *mark; static struct log *log; static struct book *book;
static void open_log(void) { log = malloc(sizeof *log); }
static void open_book(void) { book = malloc(sizeof *book); }
static void write_mark(void) { mark = malloc(sizeof *mark); }
static void audit(void) { open_log(); open_book(); write_mark(); }
void load(void) { audit(); }
int main(void) { load(); return 0; }
)";
  SolveOptions options{{"load"}};
  options.maxCuts = 100;
  Answer a = solveSource(two, options);
  std::vector<std::string> callees;
  for (const Cut &cut : a.solution.cuts.list)
    callees.push_back(a.facts.functions[a.facts.calls[cut.call].callee].name);
  EXPECT_THAT(callees, testing::UnorderedElementsAre(
                           "audit", "open_log", "open_book", "write_mark"));
}

TEST(Cuts, NoMoreThanAskedFor) {
  Answer one = answer(1);
  EXPECT_EQ(one.solution.cuts.tried, 1u);
  EXPECT_GT(one.solution.cuts.notTried, 0u);
  ASSERT_FALSE(one.solution.cuts.toTry.empty());
  // Those on which more may hang are tried before, or come first here.
  uint32_t most = ~0u;
  for (auto [call, types] : one.solution.cuts.toTry) {
    EXPECT_LE(types, most);
    EXPECT_GT(types, 0u);
    most = types;
  }
  Answer none = answer(0);
  EXPECT_THAT(none.solution.cuts.list, IsEmpty());
  EXPECT_EQ(none.solution.cuts.tried, 0u);
}

TEST(Stop, NoSuchCall) {
  EXPECT_EQ(answer(0, {"nowhere.c:3"}).error,
            "there is no call at nowhere.c:3");
}

} // namespace
