// A function of a system header, with its body there, is not looked into, and no
// patch can edit it: what it is handed is told, and announced, as are the stores
// of the program around it.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load boxes.c -- -isystem sys > out
// RUN: FileCheck %s --input-file out
// CHECK: boxes.c:{{[0-9]+}}:5 no-body box_fill has no body in these files and gets loaded state
// CHECK-NOT: unannounced-call
// RUN: grep -h '^+' nvmove-out/patches/*.patch | FileCheck %s --check-prefix=PATCH
// PATCH: box_fill(NVM_REST(&i->box), n);
// PATCH: NVM(i->next) = items;
// In a header of the program the store is announced.
// RUN: %nvmove --load load --out own boxes.c -- -I sys > log
// RUN: not grep 'no-body\|unannounced' log
// RUN: grep -h '^+' own/patches/*.patch | FileCheck %s --check-prefix=OWN
// OWN: NVM(b->full) = n;

//--- sys/box.h
struct box { int full; };
static inline void box_fill(struct box *b, int n) { b->full = n; }
//--- boxes.c
#include <stdio.h>
#include <stdlib.h>
#include <box.h>
struct item { struct box box; struct item *next; };
static struct item *items;
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int n;
  while (f && fscanf(f, "%d", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    box_fill(&i->box, n);
    i->next = items;
    items = i;
  }
}
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;)
    if (items)
      items = items->next;
  return 0;
}
