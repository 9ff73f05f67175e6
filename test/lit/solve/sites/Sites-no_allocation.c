// What a library makes, and hands over through the address of a variable, is
// not known to be a block: that nothing makes the type is said. Static tables
// and what is embedded in something that is made are no such thing.
//
// RUN: %nvmove_act --load load --force --out %t.out %s -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: no-allocation  struct item is persistent, but no call is known that allocates it
// CHECK-NOT: no-allocation

#include <stdio.h>
#include <stdlib.h>

extern int lib_make(void **out, int kind);
struct item { int n, used; };
struct part { struct part *next; int n; };
struct whole { struct whole *next; struct part part; };
struct row { struct row *next; int n; };
static struct item *item;
static struct part *parts;
static struct row table[10], *rows;

static struct item *make(void) {
  void *made;
  return lib_make(&made, 1) ? made : NULL;
}

void load(FILE *f) {
  int n, i = 0;
  while (fread(&n, sizeof n, 1, f) == 1) {
    struct whole *w = malloc(sizeof *w);
    if (!item)
      item = make();
    item->n += n;
    w->part.n = n;
    w->part.next = parts;
    parts = &w->part;
    table[i].n = n;
    table[i].next = rows;
    rows = &table[i++];
  }
}

int main(void) {
  load(stdin);
  printf("%d\n", item->n);
  for (struct part *i = parts; i; i = i->next) printf("%d\n", i->n);
  for (struct row *i = rows; i; i = i->next) printf("%d\n", i->n);
}
