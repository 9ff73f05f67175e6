// What the load asks for by constant arguments, also through a function in
// between, is all that happens; with -DLATER it asks for the rest.
//
// RUN: cd %S && %nvmove --load load --print types FlagValues-constant_argument.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types FlagValues-constant_argument.c -- -std=gnu99 -DLATER > %t.later
// RUN: FileCheck %s --input-file %t.later --match-full-lines --check-prefix=LATER
// RUN: %nvmove --load load --print types FlagValues-constant_argument.c -- -std=gnu99 -DNARROW > %t.narrow
// RUN: FileCheck %s --input-file %t.narrow --match-full-lines --check-prefix=LATER
//
// CHECK: item
// LATER: job

#include <stdio.h>
#include <stdlib.h>

enum { NO_NOTICE = 1, NO_COUNT = 2 };
struct item { int v; struct item *next; };
struct job { int v; struct job *next; };
static struct item *items;
static struct job *jobs;

static void later(int v) {
  struct job *j = malloc(sizeof *j);
  j->v = v;
  j->next = jobs;
  jobs = j;
}
static void drop(int v, int wait, unsigned flags, signed char c) {
  int notify = !(flags & NO_NOTICE);
  if (wait)
    later(v);
  if (notify)
    later(v + 1);
  if (c != 255) {
#ifdef NARROW
    later(v);
#endif
  }
  if (flags == NO_COUNT)
    later(v + 2);
}
static void drop_now(int v, int wait) {
  drop(v, wait, NO_NOTICE | NO_COUNT, (signed char)255);
}
void load(FILE *f) {
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->next = items;
    items = i;
#ifdef LATER
    drop_now(v, v > 3);
#else
    drop_now(v, 0);
#endif
  }
}
int main(int argc, char **argv) {
  load(stdin);
  drop(argc, argc, argc, 0);
  return items ? items->v : 0;
}
