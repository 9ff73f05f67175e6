// What flags and parameters may hold: a case of a switch, a bit, or a state
// that nothing has brought about by the end of the load.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DBEHIND | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: item
//
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DSTATE | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DANY_STATE | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DFALLS | FileCheck %s --check-prefix=JOB
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DENTRY | FileCheck %s --check-prefix=JOB
// JOB: item
// JOB-NEXT: job
// Two tests of one flag may be of two objects.
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DTWO | FileCheck %s --check-prefix=PAIR
// PAIR: item
// PAIR: oops
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DBIT | FileCheck %s --check-prefix=WATCHER
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DALL_BITS | FileCheck %s --check-prefix=WATCHER
// WATCHER: item
// WATCHER-NEXT: watcher
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DARGUMENT=TICK | FileCheck %s --check-prefix=TICKS --match-full-lines --implicit-check-not={{.}}
// TICKS: item
// TICKS-NEXT: tick
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- -DARGUMENT=7 | FileCheck %s --check-prefix=OOPS
// RUN: %nvmove --load load --print types FlagValues-flag_values.c -- '-DARGUMENT=getchar()' | FileCheck %s --check-prefix=OOPS
// OOPS: item
// OOPS-NEXT: oops
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n, flags;
  signed char state;
};
struct watcher {
  struct watcher *next;
};
struct job {
  struct job *next;
};
struct tick {
  struct tick *next;
};
struct oops {
  struct oops *next;
};
enum { NEW, READY, BROKEN = -1 };
enum { KEPT = 1, WATCHED = 2 };
enum action { SET, DELETE, TICK };
static struct item *items;
static struct watcher *watchers;
static struct job *jobs;
static struct tick *ticks;
static struct oops *all_oops;

#define PUSH(type, list)                                                       \
  do {                                                                         \
    struct type *new = malloc(sizeof *new);                                    \
    new->next = list;                                                          \
    list = new;                                                                \
  } while (0)

static void watch(void) { PUSH(watcher, watchers); }
static void work(void) { PUSH(job, jobs); }
static void tick(void) { PUSH(tick, ticks); }
static void oops(void) { PUSH(oops, all_oops); }

static void changed(struct item *i) {
#ifdef ENTRY
  if (i->n == 3)
    goto in;
#endif
#ifdef TWO
  if (i->state == BROKEN && i->next && i->next->state == READY)
    oops();
#endif
  if (i->flags & WATCHED)
    watch();
  switch (i->state) {
  case NEW:
    i->n++;
#ifndef FALLS
    break;
#endif
  case READY:
#ifdef ENTRY
  in:
#endif
    work();
    break;
  case BROKEN:
    work();
  }
}

static void apply(enum action action, int n) {
  switch (action) {
  case SET: {
    struct item *i = calloc(1, sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
    i->state = NEW;
    i->flags = KEPT;
#ifdef TWO
    if (i->next && i->next->n == 3)
      i->next->state = READY;
    i->state = BROKEN;
#elif defined STATE
    i->state = BROKEN;
#elif defined ANY_STATE
    i->state = n;
#elif defined BIT
    i->flags |= n ? 2 : 0;
#elif defined ALL_BITS
    i->flags ^= 2;
#endif
    changed(i);
    break;
  }
  case DELETE:
    free(items);
    break;
  case TICK:
    tick();
    break;
  default:
    oops();
  }
}

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int c;
  while ((c = getc(f)) != EOF)
    apply(SET, c);
#ifdef ARGUMENT
  apply(ARGUMENT, 1);
#endif
  fclose(f);
}

int main(int argc, char **argv) {
  char line[80];
  load(argv[1]);
#ifdef BEHIND
  items->state = READY;
  items->flags |= WATCHED;
#endif
  while (fgets(line, 80, stdin)) {
    apply(line[0] == 't' ? TICK : SET, line[1]);
    items->state = READY;
    items->flags |= WATCHED;
    changed(items);
  }
  return items->n;
}
