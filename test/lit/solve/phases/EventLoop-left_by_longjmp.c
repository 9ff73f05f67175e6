// A loop without an end is left by longjmp() from below: what it loads stays.
//
// RUN: cd %S && %nvmove --load load --print types EventLoop-left_by_longjmp.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types EventLoop-left_by_longjmp.c -- -std=gnu99 -DBELOW > %t.below
// RUN: FileCheck %s --input-file %t.below --match-full-lines --implicit-check-not={{.}}
// CHECK: item

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct item { int v; struct item *next; };
static struct item *items;
static jmp_buf at_end;

static int need(FILE *in) {
  int c = getc(in);
  if (c == EOF)
    longjmp(at_end, 1);
  return c;
}
static void read_one(FILE *in) {
  int v = need(in);
  struct item *i = malloc(sizeof *i);
  i->v = v;
  i->next = items;
  items = i;
}
#ifdef BELOW
static void read_all(FILE *in) {
  for (;;)
    read_one(in);
}
#endif
static void load(FILE *in) {
  if (setjmp(at_end))
    return;
#ifdef BELOW
  read_all(in);
#else
  for (;;)
    read_one(in);
#endif
}
int main(void) {
  load(stdin);
  return items != NULL;
}
