// Members of records are flags, too: zero in all objects until the load has
// ended.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DCOPY | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DZEROS | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DBEHIND | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: item
// CHECK-NEXT: db
//
// Not when something that runs by then sets one of them, in whatever way.
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DBEFORE | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DSTEP | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DADDRESS | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DSTATIC | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DLITERAL | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DBYTES | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DRAW | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DWRAPPED | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DPLACED | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DOTHER | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DUNION | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DFILLED | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagValues-flag_of_field.c -- -DSIGNAL | FileCheck %s --check-prefix=ALL
// ALL: item
// ALL-NEXT: db
// ALL-NEXT: watcher
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
struct watcher {
  struct watcher *next;
};
struct db {
  struct item *items;
  int ready;
};
struct twin {
  struct item *items;
  int on;
};
#ifdef UNION
static union {
  struct db db;
  struct twin twin;
} u;
#define the u.db
#elif defined STATIC
static struct db the = {NULL, 1};
#else
static struct db the;
#endif
static struct watcher *watchers;
struct reader {
  void *to;
};

static void tell(void) {
  struct watcher *w = malloc(sizeof *w);
  w->next = watchers;
  watchers = w;
}

static void add(struct db *d, int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = d->items;
  d->items = i;
  if (d->ready > 0)
    tell();
}

static void fill(void *to, size_t size) { read(0, to, size); }
static void put(struct reader *r) { read(0, r->to, sizeof(int)); }
static void set(char *to, size_t size) {
  while (size--)
    *to++ = 1;
}
static void on(int signal) { the.ready = signal; }

static void prepare(int c) {
#ifdef BEFORE
  the.ready = c;
#elif defined STEP
  the.ready++;
#elif defined ADDRESS
  int *p = &the.ready;
  *p = c;
#elif defined LITERAL
  the = (struct db){.ready = c};
#elif defined BYTES
  set((char *)&the, sizeof the);
#elif defined RAW
  read(c, &the, sizeof the);
#elif defined WRAPPED
  fill(&the, sizeof the);
#elif defined PLACED
  struct reader r;
  r.to = &the;
  put(&r);
#elif defined OTHER
  ((struct twin *)&the)->on = c;
#elif defined UNION
  u.twin.on = c;
#elif defined FILLED
  memset(&the, c, sizeof the);
#elif defined SIGNAL
  signal(SIGALRM, on);
#elif defined COPY
  struct db empty = {0};
  the = empty;
#elif defined ZEROS
  memset(&the, 0, sizeof the);
  the.ready = 0;
#endif
}

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int c;
  while ((c = getc(f)) != EOF)
    add(&the, c);
  fclose(f);
}

int main(int argc, char **argv) {
  char line[80];
  prepare(argc);
  load(argv[1]);
#ifdef BEHIND
  the.ready = 1;
#endif
  while (fgets(line, 80, stdin)) {
    the.ready = line[0];
    add(&the, line[1]);
  }
  return the.items->n;
}
