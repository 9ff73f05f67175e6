//===- WitnessChainsTest.cpp - Which proof is shown -----------------------===//
//
// Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/solve/SolveTesting.h"

using namespace nvmove;
using namespace nvmove::test;
using testing::ElementsAre;

namespace {

const std::string chainsPrelude = R"(
typedef struct FILE FILE; typedef unsigned long size_t;
void *malloc(size_t); int fgetc(FILE *);
FILE *in;
)";

std::vector<std::string> chainOf(const Answer &a, const std::string &type) {
  std::vector<std::string> slots;
  for (const PersistentType &t : a.solution.records.types)
    if (a.facts.records[t.record].name == type)
      for (const Hop &hop : t.witness.chain)
        slots.push_back(hop.slot);
  return slots;
}

TEST(Chains, TypedPointersRatherThanTheShortestWay) {
  Answer a = solveSource(chainsPrelude + R"(
struct item { int id; struct item *next; };
struct store { struct item *first; };
static void *last;
static struct store *store;
void load(void) {
  store = malloc(sizeof(struct store));
  struct item *i = malloc(sizeof *i);
  i->id = fgetc(in); i->next = store->first;
  last = i; store->first = i;
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(chainOf(a, "item"), ElementsAre("store", "store.first"));
}

TEST(Chains, FromTheMemoryThatTheLoadFunctionNames) {
  Answer a = solveSource(chainsPrelude + R"(
struct item { int id; };
static struct item *recent;
static struct item *items;
static void touch(struct item *i) { recent = i; }
static void note(struct item *i) { touch(i); }
void load(void) {
  struct item *i = malloc(sizeof *i);
  i->id = fgetc(in);
  note(i); items = i;
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(chainOf(a, "item"), ElementsAre("items"));
}

TEST(Chains, OverWhatTheLoadStores) {
  // `before` leads there too, but by a pointer that the load only reads.
  Answer a = solveSource(chainsPrelude + R"(
struct item { int id; struct item *next; };
struct head { struct item *first; };
static struct head *before;
static struct head *now;
static struct head *make(void) { return malloc(sizeof(struct head)); }
void load(void) {
  now = make();
  struct item *i = malloc(sizeof *i);
  i->id = fgetc(in);
  before->first = i; now->first = i;
}
int main(void) { before = make(); load(); return 0; })");
  EXPECT_THAT(chainOf(a, "item"), ElementsAre("now", "head.first"));
}

TEST(Chains, EveryHopSaysWhoStoresIt) {
  Answer a = solveSource(chainsPrelude + R"(
struct item { int id; }; struct head { struct item *first; };
static struct head *head;
static void start(void) { head = malloc(sizeof *head); }
void load(void) { head->first = malloc(sizeof(struct item)); head->first->id = fgetc(in); }
int main(void) { start(); load(); return 0; })");
  for (const PersistentType &t : a.solution.records.types) {
    if (a.facts.records[t.record].name != "item")
      continue;
    ASSERT_EQ(t.witness.chain.size(), 2u);
    const Hop &first = t.witness.chain[0], &second = t.witness.chain[1];
    EXPECT_EQ(first.target, "head, created before the load");
    EXPECT_EQ(a.facts.functions[first.function].name, "start");
    EXPECT_FALSE(first.duringLoad);
    EXPECT_EQ(a.facts.functions[second.function].name, "load");
    EXPECT_TRUE(second.duringLoad);
    return;
  }
  FAIL() << "item is persistent";
}

TEST(Chains, TheAllocationIsTheProof) {
  Answer a = solveSource(chainsPrelude + R"(
struct item { int id; };
static struct item *items[4];
static void reset(int n) { items[n]->id = 0; }
void load(void) {
  reset(0);
  items[1] = malloc(sizeof(struct item));
  items[1]->id = fgetc(in);
}
int main(void) { load(); return 0; })");
  ASSERT_THAT(a.types(), ElementsAre("item"));
  EXPECT_EQ(a.solution.records.types[0].witness.action,
            "allocates struct item");
}

} // namespace
