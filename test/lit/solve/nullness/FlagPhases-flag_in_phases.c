// A flag that is set while the state is loaded keeps back what is behind a test
// that it is not.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DBY_FUNCTION | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DIN_MAIN | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DLOCAL | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DON_HEAP | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: item
// CHECK-NEXT: db
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DGLOBAL | FileCheck %s --check-prefix=GLOBAL --match-full-lines --implicit-check-not={{.}}
// GLOBAL: item
// GLOBAL-NEXT: db
//
// Not when it may be clear by then, or of another object.
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DSOMETIMES | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DLATE | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DEACH | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DCLEARS | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DTWO | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DTWO_ON_HEAP | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DFIRST | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DZEROED | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DREPLACED | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DSIGNAL | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types FlagPhases-flag_in_phases.c -- -DJUMP | FileCheck %s --check-prefix=ALL
// ALL: item
// ALL-NEXT: entry
// ALL-NEXT: db
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  struct item *next;
  int n;
};
struct entry {
  struct entry *next;
  int n;
};
struct db {
  struct item *items;
  struct entry *log;
  int loading;
};
#if defined LOCAL || defined ON_HEAP || defined TWO_ON_HEAP
static struct db *the;
#else
static struct db db;
#define the (&db)
#endif
#ifdef TWO
static struct db second;
#endif
#ifdef GLOBAL
static int loading;
#define LOADING(d) loading
#else
#define LOADING(d) (d)->loading
#endif
static jmp_buf top;

static void append(struct db *d, int n) {
  struct entry *e = malloc(sizeof *e);
  e->n = n;
  e->next = d->log;
  d->log = e;
}

static void add(struct db *d, int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = d->items;
  d->items = i;
  if (!LOADING(d))
    append(d, n);
#ifdef CLEARS
  LOADING(d) = 0;
#endif
}

static void begin(struct db *d) { LOADING(d) = 1; }
static void end(struct db *d) { LOADING(d) = 0; }
static void on(int signal) { LOADING(the) = 0; }

static void load(const char *name) {
  struct db *d = the;
  FILE *f = fopen(name, "r");
  int c;
#ifdef BY_FUNCTION
  begin(d);
#elif defined IN_MAIN
#elif defined SOMETIMES
  if (f)
    begin(d);
#elif defined LATE
  add(d, 0);
  begin(d);
#elif defined SIGNAL
  signal(SIGALRM, on);
  begin(d);
#elif defined JUMP
  if (setjmp(top)) {
    add(d, 1);
    return;
  }
  begin(d);
#else
  LOADING(d) = 1;
#endif
#ifdef ZEROED
  memset(d, 0, sizeof *d);
#elif defined REPLACED
  *d = (struct db){0};
#elif defined TWO
  second.items = NULL;
  add(&second, 1);
#endif
  while ((c = getc(f)) != EOF) {
    add(d, c);
#ifdef EACH
    end(d);
#elif defined JUMP
    if (c == 0) {
      end(d);
      longjmp(top, 1);
    }
#endif
  }
#ifndef IN_MAIN
  end(d);
#endif
  fclose(f);
}

#if defined ON_HEAP || defined TWO_ON_HEAP
static struct db *make(void) { return calloc(1, sizeof(struct db)); }
#endif

int main(int argc, char **argv) {
  char line[80];
#ifdef LOCAL
  struct db mine = {0};
  the = &mine;
#elif defined ON_HEAP
  the = make();
#elif defined TWO_ON_HEAP
  the = make();
  add(make(), 1);
#elif defined FIRST
  add(the, 1);
#endif
#ifdef IN_MAIN
  begin(the);
#endif
  load(argv[1]);
#ifdef IN_MAIN
  end(the);
#endif
  while (fgets(line, 80, stdin))
    add(the, line[0]);
  return the->items->n;
}
