//===- SitesTest.cpp - Which sites change, and the sections ---------------===//
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
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

const std::string sitesPrelude =
    "typedef struct FILE FILE; typedef unsigned long size_t; void "
    "*malloc(size_t); void free(void *); char *strdup(const char *); "
    "int fgetc(FILE *); void *memcpy(void *, const void *, size_t); int "
    "snprintf(char *, size_t, const char *, ...); "
    "int sprintf(char *, const char *, ...); long read(int, void *, size_t); "
    "long write(int, const void *, size_t); "
    "int poll(void *, unsigned long, int); FILE *in; "
    "struct item { char *name; int n; struct item *next; }; struct session { "
    "char *line; int n; }; struct item *head;\n"; // one line

TEST(Sites, BlocksMadeOutsideTheLoadByTypeAndByFlow) {
  Answer a = solveSource(
      sitesPrelude +
      R"(void load(void) { struct item *i = malloc(sizeof *i); i->name = malloc(4); i->n = fgetc(in); i->next = head; head = i; }
struct item *command(void) { return malloc(sizeof(struct item)); }
void rename_(struct item *i, const char *s) { i->name = strdup(s); }
char *scratch(void) { return malloc(100); }
struct session *login(void) { struct session *s = malloc(sizeof *s); s->line = malloc(80); return s; }
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.allocationLines(), ElementsAre(2u, 3u, 4u));
  EXPECT_THAT(a.replaced(),
              AllOf(Contains("2: nvm_malloc"), Contains("3: nvm_malloc"),
                    Contains("4: nvm_strdup"), Not(Contains("5: nvm_malloc")),
                    Not(Contains("6: nvm_malloc"))));
}

TEST(Sites, StoresThroughRecordsAndBytes) {
  Answer a = solveSource(
      sitesPrelude +
      R"(void load(void) { struct item *i = malloc(sizeof *i); i->name = malloc(4); i->n = fgetc(in); i->next = head; head = i; }
void persistentField(struct item *i) { i->n++; }
void volatileField(struct session *s) { s->n = 1; }
void bytes(struct item *i) { i->name[0] = 'x'; }
void localBytes(void) { char b[4]; b[0] = 'x'; char *p = b; p[1] = 'y'; }
static void out(int *result) { *result = 1; }
int caller(void) { int r; out(&r); return r; }
static void outField(int *result) { *result = 1; }
void caller2(struct item *i) { outField(&i->n); }
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.storeLines(), ElementsAre(2u, 3u, 5u, 9u));
}

TEST(Sites, EitherArmOfAConditional) {
  Answer a = solveSource(
      sitesPrelude +
      R"(void load(void) { struct item *i = malloc(sizeof *i); i->name = malloc(4); i->n = fgetc(in); i->next = head; head = i; }
void either(struct item *i, int c) { int local; *(c ? &local : &i->n) = 1; }
void other(struct item *i, int c) { char b[4]; *(c ? b : i->name) = 'x'; }
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.storeLines(), ElementsAre(2u, 3u, 4u));
}

TEST(Sites, RecordLaidOverPersistentBytes) {
  Answer a = solveSource(sitesPrelude +
                         R"(struct header { unsigned char kind; };
void load(void) { struct item *i = malloc(sizeof *i); i->name = malloc(4); i->n = fgetc(in); i->next = head; head = i; }
void mark(struct item *i) { struct header *h = (struct header *)i->name; h->kind = 2; }
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.storeLines(), Contains(4u));
}

TEST(Sites, LibraryWriters) {
  Answer a = solveSource(
      sitesPrelude +
      R"(void load(void) { struct item *i = malloc(sizeof *i); i->name = malloc(4); i->n = fgetc(in); i->next = head; head = i; }
void copy(struct item *i, const char *s) { memcpy(i->name, s, 4); }
void input(struct item *i) { read(0, i->name, 4); }
void print(struct item *i) { snprintf(i->name, 4, "%d", i->n); }
void unbounded(struct item *i) { sprintf(i->name, "%d", i->n); sscanf("a", "%s", i->name); }
void elsewhere(void) { char b[8]; memcpy(b, "x", 2); snprintf(b, 8, "y"); }
void drop(struct item *i) { free(i->name); free(i); }
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.replaced(),
              AllOf(Contains("3: nvm_memcpy"), Contains("4: nvm_read"),
                    Contains("6: nvm_sprintf"), Contains("8: nvm_free"),
                    Not(Contains("7: nvm_memcpy"))));
  ASSERT_EQ(a.solution.sites.wrapped.size(), 2u);
  EXPECT_EQ(a.facts.calls[a.solution.sites.wrapped[0].call].loc.line, 5u);
  EXPECT_EQ(a.facts.calls[a.solution.sites.wrapped[1].call].loc.line, 6u); // %s
  EXPECT_STREQ(a.solution.sites.wrapped[1].macro, "NVM_REST");
  EXPECT_THAT(a.notCovered(), ElementsAre("no-sections"));
}

TEST(Sites, WhereAnAddressComesFromMustBeKnown) {
  Answer a = solveSource(
      sitesPrelude +
      R"(char *outside(void); long number(const char *); int open_it(char **);
void load(void) { struct item *i = malloc(sizeof *i); i->n = fgetc(in); i->next = head; head = i; }
static void put(char *p) { *p = 1; }
static void both(char *p) { *p = 1; }
static void answer(int *known) { if (known) *known = 2; }
int main(void) {
  int here; char buffer[4], *p = outside(), *q = (char *)number("12"), *r = 0, *fixed = (char *)-1;
  load();
  *p = 1;
  *q = 2;
  *fixed = 3;
  open_it(&r); *r = 4;
  put(buffer); both(buffer); both(p);
  answer(&here); answer(0);
  return here; })");
  EXPECT_THAT(a.storeLines(),
              AllOf(Contains(5u), Contains(10u), Contains(11u), Contains(13u)));
  EXPECT_THAT(a.storeLines(),
              AllOf(Not(Contains(4u)), Not(Contains(6u)), Not(Contains(12u))));
}

TEST(Sites, ValueComputedByWhatCommitsComesFirst) {
  auto comesFirst = [](const std::string &body) {
    Answer a =
        solveSource(sitesPrelude +
                    R"(static int say(void) { return (int)write(1, "a", 1); }
static int twice(void) { return say(); } static int pure(void) { return 1; }
int load(void) { struct item *i = malloc(sizeof *i); i->n = fgetc(in); i->next = head; head = i; return 0; }
static int f(int a, int b) { return a + b; }
static void onRead(void) { )" +
                    body + R"( twice(); pure(); f(1, 2); }
static void events(void) { poll(0, 0, 1); onRead(); }
int main(void) { load(); for (;;) events(); })");
    return llvm::any_of(a.solution.sites.stores, [](const AnnouncedStore &s) {
      return s.behind != None;
    });
  };
  EXPECT_TRUE(comesFirst("head->n = 1 + say();"));
  EXPECT_TRUE(comesFirst("head->n |= f(1, twice());"));
  EXPECT_FALSE(comesFirst("head->n = pure(); say();"));
  EXPECT_FALSE(comesFirst("f(head->n++, say());"));
  EXPECT_FALSE(comesFirst("f(head->n = 1, say());"));
}

} // namespace
