//===- TypesTest.cpp - Which types and roots are persistent -===//
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

// Every snippet has its own main, so that start-up is known.
const std::string typesPrelude = R"(
typedef struct FILE FILE; typedef unsigned long size_t;
void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
size_t fread(void *, size_t, size_t, FILE *); int fgetc(FILE *); void *memcpy(void *, const void *, size_t);
void exit(int) __attribute__((noreturn)); long time(long *); int getpid(void);
long read(int, void *, size_t); long write(int, const void *, size_t); int poll(void *, unsigned long, int);
FILE *in;
)";

TEST(Types, ListBehindAStaticPointer) {
  Answer a = solveSource(typesPrelude + R"(
struct item { int id; struct item *next; };
struct record { int id; };
static struct item *head;
void load(void) {
  struct record r;
  while (fread(&r, sizeof r, 1, in) == 1) {
    struct item *it = malloc(sizeof *it);
    it->id = r.id; it->next = head; head = it;
  }
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("item"));
  EXPECT_THAT(a.roots(), ElementsAre("head"));
  EXPECT_TRUE(a.solution.records.types[0].carriesFileData);
}

TEST(Types, WitnessNamesTheCallsTheSiteAndTheChain) {
  Answer a = solveSource(typesPrelude + R"(
struct item { int id; };
static struct item *head;
static struct item *make(void) { return malloc(sizeof(struct item)); }
void load(void) { head = make(); head->id = fgetc(in); }
int main(void) { load(); return 0; })");
  ASSERT_THAT(a.types(), ElementsAre("item"));
  const Witness &w = a.solution.records.types[0].witness;
  ASSERT_EQ(w.callPath.size(), 1u);
  EXPECT_EQ(a.facts.functions[a.facts.calls[w.callPath[0]].callee].name,
            "make");
  EXPECT_EQ(w.action, "allocates struct item");
  ASSERT_EQ(w.chain.size(), 1u);
  EXPECT_EQ(w.chain[0].slot, "head");
  EXPECT_THAT(w.chain[0].target, HasSubstr("item, allocated at"));
  EXPECT_TRUE(w.chain[0].duringLoad);
}

TEST(Types, BlocksThatNothingStaticLeadsTo) {
  Answer a = solveSource(typesPrelude + R"(
struct cursor { int at; };
struct item { int id; };
static struct item *only;
void load(void) {
  struct cursor *c = malloc(sizeof *c);
  c->at = 0;
  only = malloc(sizeof *only);
  only->id = fgetc(in);
  free(c);
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("item"));
}

TEST(Types, CalleeWithScalarsOnlyLoadsASubtree) {
  // The paper's rule (a) skips it: unsound.
  const std::string code = typesPrelude + R"(
struct leaf { int v; };
static struct leaf *leaves[8];
static void load_level(int n) { leaves[n] = malloc(sizeof(struct leaf)); leaves[n]->v = fgetc(in); }
void load(void) { for (int i = 0; i < 8; i++) load_level(i); }
int main(void) { load(); return 0; })";
  EXPECT_THAT(solveSource(code).types(), ElementsAre("leaf"));
  SolveOptions worklist{{"load"}};
  worklist.algorithm = Algorithm::Worklist;
  EXPECT_THAT(solveSource(code, worklist).types(), IsEmpty());
}

TEST(Types, ThroughATableOfFunctions) {
  Answer a = solveSource(typesPrelude + R"(
struct a { int x; }; struct b { int y; };
static struct a *as; static struct b *bs;
static void loadA(void) { as = malloc(sizeof *as); as->x = fgetc(in); }
static void loadB(void) { bs = malloc(sizeof *bs); bs->y = fgetc(in); }
static const struct { int tag; void (*fn)(void); } table[] = {{1, loadA}, {2, loadB}};
void load(void) { for (int i = 0; i < 2; i++) table[i].fn(); }
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("a", "b"));
}

TEST(Types, RecordsReadRawIntoStaticMemory) {
  Answer a = solveSource(typesPrelude + R"(
struct player { int score; struct { int x, y; } at; };
static struct player players[16];
static int n;
void load(void) { fread(&n, sizeof n, 1, in); fread(players, sizeof(struct player), n, in); }
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("player"));
  EXPECT_THAT(a.scalars(), ElementsAre("n"));
}

TEST(Types, WrapperKeepsTheCallersApart) {
  Answer a = solveSource(typesPrelude + R"(
static void *xmalloc(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }
struct kept { int v; }; struct temporary { int v; };
static struct kept *k;
void load(void) {
  struct temporary *t = xmalloc(sizeof *t);
  t->v = fgetc(in);
  k = xmalloc(sizeof *k);
  k->v = t->v;
  free(t);
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("kept"));
}

TEST(Types, WhatEndsTheProgramIsNotFollowed) {
  Answer a = solveSource(typesPrelude + R"(
struct report { int line; }; struct item { int v; };
static struct report *last; static struct item *it;
static void complain(void) { last = malloc(sizeof *last); last->line = 1; }
void load(void) {
  it = malloc(sizeof *it);
  it->v = fgetc(in);
  if (it->v < 0) { complain(); exit(1); }
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("item"));
}

TEST(Types, EventsServedDuringTheLoadAreNotTheLoad) {
  Answer a = solveSource(typesPrelude + R"(
struct item { int v; }; struct client { int fd; struct client *next; };
static struct item *it; static struct client *clients;
static void (*handler)(int); static int watched[2];
static void onReadable(int fd) { struct client *c = malloc(sizeof *c); c->fd = fd; c->next = clients; clients = c; }
static void processEvents(void) { poll(watched, 1, 1); handler(3); }
static void serveMeanwhile(void) { for (int i = 0; i < 4; i++) processEvents(); }
void load(void) { it = malloc(sizeof *it); it->v = fgetc(in); serveMeanwhile(); }
int main(void) { handler = onReadable; load(); while (1) processEvents(); })");
  EXPECT_THAT(a.types(), ElementsAre("item"));
  EXPECT_THAT(a.notCovered(), Contains("dispatcher-reentered"));
}

TEST(Types, SizeWithoutMembersLaysOutBytes) {
  Answer a = solveSource(typesPrelude + R"(
struct tiny { unsigned char flags; char text[]; };
struct large { int len; char text[]; };
static char *name;
static int headerSize(int n) { return n < 32 ? (int)sizeof(struct tiny) : (int)sizeof(struct large); }
void load(void) {
  int n = fgetc(in);
  void *block = malloc(headerSize(n) + n);
  char *s = (char *)block + headerSize(n);
  if (n < 32) s[-1] = n; else ((struct large *)(s - sizeof(struct large)))->len = n;
  name = s;
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("large", "tiny"));
}

TEST(Types, PointerHiddenInAnInteger) {
  Answer a = solveSource(typesPrelude + R"(
struct node { unsigned long nextAndColour; int v; };
static struct node *first;
void load(void) {
  struct node *n = malloc(sizeof *n), *m = calloc(1, sizeof *m);
  first = n;
  n->nextAndColour = (unsigned long)m | 1;
  struct node *again = (struct node *)(first->nextAndColour & ~1ul);
  again->v = fgetc(in);
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("node"));
}

TEST(Roots, ContainerThatStartUpMakes) {
  Answer a = solveSource(typesPrelude + R"(
struct dict { struct entry *first; }; struct entry { int key; struct entry *next; };
struct db { struct dict *dict; struct dict *watched; int id; };
struct server { struct db *db; int dbnum; int loading; };
struct server server;
static int find(struct dict *d) { return d->first != 0; }
static void insert(struct dict *d, int key) {
  struct entry *e = malloc(sizeof *e);
  e->key = key; e->next = d->first; d->first = e;
}
void load(void) {
  server.loading = 1;
  int n = fgetc(in);
  if (!find(server.db[n].watched)) insert(server.db[n].dict, fgetc(in));
  server.loading = 0;
}
int main(void) {
  server.dbnum = 16;
  server.db = malloc(sizeof(struct db) * server.dbnum);
  for (int i = 0; i < 16; i++) {
    server.db[i].dict = calloc(1, sizeof(struct dict));
    server.db[i].watched = calloc(1, sizeof(struct dict));
  }
  load();
  return 0;
})");
  EXPECT_THAT(a.types(), ElementsAre("dict", "entry"));
  EXPECT_THAT(a.roots(), ElementsAre("server.db[].dict"));
  EXPECT_THAT(a.scalars(), IsEmpty()) << "a flag is not state";
}

TEST(Roots, LocalOfMain) {
  Answer a = solveSource(typesPrelude + R"(
struct item { int v; struct item *next; };
struct state { struct item *head; };
void load(struct state *s) { struct item *i = malloc(sizeof *i); i->v = fgetc(in); i->next = s->head; s->head = i; }
int main(void) { struct state s = {0}; load(&s); return 0; })");
  EXPECT_THAT(a.types(), Contains("item"));
  EXPECT_THAT(a.roots(), ElementsAre("s.head"));
  EXPECT_THAT(a.notCovered(), Not(Contains("root-in-local")));
}

// Where it is there before the pool is opened, pointers follow it.
TEST(Roots, LocalOfMainThatObjectsPointTo) {
  const std::string program = typesPrelude + R"(
struct state;
struct item { int v; struct item *next; struct state *owner; };
struct state { struct item *head; };
void load(struct state *s) { struct item *i = malloc(sizeof *i); i->v = fgetc(in); i->next = s->head; i->owner = s; s->head = i; }
int main(void) {)";
  Answer first =
      solveSource(program + "struct state s = {0}; load(&s); return 0; }");
  EXPECT_THAT(first.types(), Contains("item"));
  EXPECT_THAT(first.roots(), ElementsAre("s.head"));
  EXPECT_THAT(first.notCovered(), Not(Contains("root-in-local")));
  Answer later = solveSource(
      program + "fgetc(in); struct state s = {0}; load(&s); return 0; }");
  EXPECT_THAT(later.types(), Contains("item"));
  EXPECT_THAT(later.roots(), IsEmpty());
  EXPECT_THAT(later.notCovered(), Contains("root-in-local"));
}

TEST(Roots, ResultOfTheLoadStoredByItsCaller) {
  Answer a = solveSource(typesPrelude + R"(
struct item { int v; };
static struct item *state;
struct item *load(void) { struct item *i = malloc(sizeof *i); i->v = fgetc(in); return i; }
int main(void) { state = load(); return 0; })");
  EXPECT_THAT(a.types(), ElementsAre("item"));
  EXPECT_THAT(a.roots(), ElementsAre("state"));
}

TEST(Scalars, CountersAndFileValues) {
  Answer a = solveSource(typesPrelude + R"(
struct item { int v; struct item *next; };
static struct item *head; static int count; static int maximum; static long started; static int busy;
void load(void) {
  busy = 1; started = time(0);
  struct item *i = malloc(sizeof *i);
  i->v = fgetc(in); i->next = head; head = i;
  count++; maximum = i->v;
  busy = 0;
}
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.scalars(), ElementsAre("count", "maximum"));
}

TEST(Copies, APartIsCopiedWithoutTheRest) {
  const std::string program = typesPrelude + R"(
struct item { int id; };
struct parser { int line; };
struct place { struct item *what; };
struct view { struct place at; struct parser *by; };
static struct view saved;
void load(void) {
  struct view now;
  now.by = malloc(sizeof *now.by);
  now.by->line = fgetc(in);
  now.at.what = malloc(sizeof *now.at.what);
  now.at.what->id = fgetc(in);
  COPY
  free(now.by);
}
int main(void) { load(); return 0; })";
  auto with = [&](const std::string &copy) {
    std::string text = program;
    return solveSource(text.replace(text.find("COPY"), 4, copy)).types();
  };
  EXPECT_THAT(with("saved.at = now.at;"),
              AllOf(Contains("item"), Not(Contains("parser"))));
  EXPECT_THAT(with("saved = now;"), Contains("parser"));
  // How many bytes follow what is named is not known.
  EXPECT_THAT(with("memcpy(&saved.at, &now.at, sizeof saved);"),
              Contains("parser"));
}

// What leads to the load writes at each start; what it keeps of the load stays.
TEST(OnTheWay, OnlyWhatWasLoadedCounts) {
  auto solve = [&](const std::string &wrapper) {
    return solveSource(typesPrelude + R"(
struct item { int id; };
struct node { struct item *of; struct node *next; };
struct server { int port; struct item *only; };
static struct server *server;
static struct node *nodes;
static int count;
struct item *load(void) {
  struct item *i = malloc(sizeof *i);
  i->id = fgetc(in);
  return i;
}
)" + wrapper);
  };
  for (std::string program :
       {"static void init(void) { BODY } int main(void) { init(); return 0; }",
        "int main(void) { BODY return 0; }"}) {
    auto with = [&](const std::string &body) {
      std::string text = program;
      return solve(text.replace(text.find("BODY"), 4, body));
    };
    Answer list = with(R"(
      struct item *i;
      while ((i = load())) {
        struct node *n = malloc(sizeof *n);
        n->of = i; n->next = nodes; nodes = n;
      })");
    EXPECT_THAT(list.types(), ElementsAre("item", "node")) << program;
    EXPECT_THAT(list.roots(), ElementsAre("nodes")) << program;
    Answer one =
        with("server = malloc(sizeof *server); server->port = fgetc(in);"
             "server->only = load(); count = server->only->id;");
    EXPECT_THAT(one.types(), ElementsAre("item")) << program;
    EXPECT_THAT(one.roots(), ElementsAre("server->only")) << program;
    EXPECT_THAT(one.scalars(), ElementsAre("count")) << program;
    // A number that was loaded has no root of its own in there.
    Answer number = with("server = malloc(sizeof *server);"
                         "server->only = load();"
                         "server->port = server->only->id;");
    EXPECT_THAT(number.types(), ElementsAre("item", "server")) << program;
    EXPECT_THAT(number.roots(), ElementsAre("server")) << program;
  }
}

TEST(Kept, SeedThatChoosesTheBucket) {
  Answer a = solveSource(typesPrelude + R"(
struct item { int v; struct item *next; };
static struct item *table[64];
static unsigned seed; static unsigned now; static unsigned limit = 3;
static unsigned hash(unsigned v) { return (v * 31 ^ seed) % 64; }
static void setSeed(unsigned s) { seed = s; }
void load(void) {
  struct item *i = malloc(sizeof *i);
  i->v = fgetc(in);
  i->next = table[hash(i->v)];
  table[hash(i->v)] = i;
}
static void tick(void) { now = time(0); table[now % 64] = 0; }
int main(void) { setSeed(time(0) ^ getpid()); limit = 4; load(); while (1) { poll(0, 0, 1); tick(); } })");
  EXPECT_THAT(a.kept(), ElementsAre("seed"));
}

TEST(Twins, StaticsThatPersistentFieldsPointTo) {
  Answer a = solveSource(typesPrelude + R"(
struct ops { int (*hash)(int); }; struct dict { struct ops *type; int used; };
static int h1(int x) { return x; } static int h2(int x) { return -x; }
static struct ops loadOps = {h1}, otherOps = {h2}, counted = {h1};
static struct dict *d;
static struct dict *make(struct ops *type) { struct dict *n = malloc(sizeof *n); n->type = type; n->used = 0; return n; }
struct dict *later(void) { counted.hash = h2; return make(&otherOps); }
struct dict *again(void) { return make(&counted); }
void load(void) { d = make(&loadOps); d->used = fgetc(in); }
int main(void) { load(); return 0; })");
  EXPECT_THAT(a.twins(), ElementsAre("loadOps", "otherOps"));
  EXPECT_THAT(a.twins(true), ElementsAre("counted"))
      << "counted is written at run time";
}

TEST(Twins, AlsoWhereOnlyCodeOutsideTheLoadPutsThem) {
  Answer a = solveSource(typesPrelude + R"(
struct order { int ascending; };
struct table { struct order *order; int n; };
static struct order plain = {1};
static struct table *t;
void load(void) { if (!t) t = malloc(sizeof *t); t->n = fgetc(in); }
static void configure(void) { t = malloc(sizeof *t); t->order = &plain; }
int main(void) { configure(); load(); return 0; })");
  EXPECT_THAT(a.twins(), ElementsAre("plain"));
}

TEST(Errors, UnknownLoadFunctionSuggestsNames) {
  Answer a = solveSource(
      "int rdbLoad(void) { return 0; }\nint main(void) { return rdbLoad(); }",
      {{"rdbLod"}});
  EXPECT_THAT(a.error, HasSubstr("--load: no function named 'rdbLod'"));
  EXPECT_THAT(a.error, HasSubstr("did you mean 'rdbLoad'"));
}

} // namespace
