// Constructors run before main: what they register is called by the load, and
// what they wait for is no longer empty.
//
// RUN: cd %S && %nvmove --load load --print types constructor.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types constructor.c -- -std=gnu99 -DPLAIN > %t.plain
// RUN: FileCheck %s --input-file %t.plain --match-full-lines --implicit-check-not={{.}} --check-prefix=PLAIN
//
// CHECK: item
// CHECK-NEXT: signal
// PLAIN: item

#include <stdio.h>
#include <stdlib.h>

struct item { int v; struct item *next; };
struct signal { int v; struct signal *next; };
struct waiter { int v; };
static struct item *items;
static struct signal *signals;
static struct waiter *waiter;
static void *on_item;

static void signal_item(int v) {
  struct signal *s = malloc(sizeof *s);
  s->v = v;
  s->next = signals;
  signals = s;
}
#ifndef PLAIN
__attribute__((constructor))
#endif
static void set_up(void) {
  waiter = malloc(sizeof *waiter);
  on_item = signal_item;
}
static void load(FILE *in) {
  int v;
  while ((v = getc(in)) != EOF) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->next = items;
    items = i;
    if (waiter) {
      void (*tell)(int) = on_item;
      if (tell)
        tell(v);
    }
  }
}
int main(int argc, char **argv) {
  load(stdin);
  if (argc > 2)
    set_up();
  return 0;
}
