// Two programs of one load function, given together: the pool is opened by the
// first main alone, which is told, at the second one. Both loads are guarded.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load load.c one.c two.c > out 2> log
// RUN: FileCheck %s --input-file out
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include load.c one.c two.c
// RUN: grep -c nvm_start one.c
// RUN: not grep nvm_start two.c
// CHECK: two.c:3:5 several-mains a second main reaches the load function; only the first gets the pool (in main)
// CHECK-NOT: several-mains
// CHECK: 2 guarded loads
// LOG: [several-programs]
// Alone each program has one.
// RUN: %nvmove --load load --out alone load.c two.c -- -I %runtime_include | FileCheck %s --check-prefix=ALONE --implicit-check-not=several-mains
// ALONE: 1 call of nvm_start

//--- item.h
struct item { int n; struct item *next; };
extern struct item *items;
void load(const char *name);
//--- load.c
#include <stdio.h>
#include <stdlib.h>
#include "item.h"
struct item *items;
void load(const char *name) {
  FILE *f = fopen(name, "r");
  int n;
  while (f && fscanf(f, "%d", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
  }
}
//--- one.c
#include <stdio.h>
#include "item.h"
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;)
    for (struct item *i = items; i; i = i->next)
      i->n++;
  return 0;
}
//--- two.c
#include <stdio.h>
#include "item.h"
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;)
    for (struct item *i = items; i; i = i->next)
      i->n++;
  return 0;
}
