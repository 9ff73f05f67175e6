//===- SectionsTest.cpp - Sections and guards -----------------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/SolveTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;

namespace {

const std::string sectionsPrelude =
    "typedef struct FILE FILE; typedef unsigned long size_t; void "
    "*malloc(size_t); int fgetc(FILE *); "
    "long write(int, const void *, size_t); "
    "int poll(void *, unsigned long, int); FILE *in; "
    "struct item { char *name; int n; struct item *next; }; "
    "struct item *head;\n"; // one line

TEST(Sections, DispatcherOutputAndGuard) {
  Answer a = solveSource(
      sectionsPrelude +
      R"(int load(void) { struct item *i = malloc(sizeof *i); i->n = fgetc(in); i->next = head; head = i; return 0; }
static void loadAll(void) { if (load() != 0) head = 0; }
static void set(int v) { head->n = v; }
static void add(void) { struct item *i = malloc(sizeof *i); i->next = head; i->name = 0; i->n = 0; head = i; write(2, "a", 1); }
static void command(int c) { if (c) set(c); else add(); }
static void onRead(void) { command(fgetc(in)); write(1, "ok", 2); }
static void onTimer(void) { set(0); }
static void idle(void) { }
static void events(void) { poll(0, 0, 1); onRead(); onTimer(); idle(); }
int main(void) { loadAll(); for (;;) events(); })");
  EXPECT_THAT(a.sections(), ElementsAre("dispatcher onRead",
                                        "dispatcher onTimer", "inner command"));
  EXPECT_THAT(a.guards(), ElementsAre("loadAll"));
  EXPECT_THAT(a.replaced(),
              AllOf(Contains("7: nvm_write"), Contains("5: nvm_write")));
}

TEST(Sections, ResultOfTheLoadIsReplayedWhenMainUsesIt) {
  Answer a = solveSource(
      sectionsPrelude +
      R"(int load(void) { struct item *i = malloc(sizeof *i); i->n = fgetc(in); i->next = head; head = i; return 0; }
int main(void) { if (load() != 0) return 1; return 0; })");
  EXPECT_THAT(a.guards(), ElementsAre("load, result replayed"));
  EXPECT_THAT(a.notCovered(), Contains("no-sections"));
}

TEST(Sections, NamedByTheUser) {
  Answer a = solveSource(
      sectionsPrelude +
          R"(void load(void) { struct item *i = malloc(sizeof *i); i->n = fgetc(in); i->next = head; head = i; }
void step(void) { head->n++; }
int main(void) { load(); step(); step(); return 0; })",
      {{"load"}, {}, {"step"}});
  EXPECT_THAT(a.sections(), ElementsAre("user step"));
  EXPECT_EQ(a.solution.commits.sections[0].calls.size(), 2u);
}

} // namespace
