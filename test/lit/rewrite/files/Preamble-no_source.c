// Each of two sources can be built with the other one in it, so neither is sure
// to be compiled once: there is no source to define a type in, which is told.
// The stores are announced, and the load is not skipped.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load store.c main.c > out
// RUN: FileCheck %s --input-file out
// RUN: not grep -r 'NVM_TYPE\|nvm_restore' nvmove-out/patches
// CHECK: load-not-guarded
// CHECK: store.c:1:1 no-source no source file can hold NVM_TYPE(item)
// CHECK: 3 stores announced
// With a source more there is one.
// RUN: %nvmove_act --load load --out more store.c main.c more.c | FileCheck %s --check-prefix=MORE --implicit-check-not=no-source
// MORE: 1 type declared
// RUN: grep -h -A9 '^+++ b/more.c' more/patches/*.patch | grep 'NVM_TYPE(item);'

//--- more.c
#include "item.h"
//--- item.h
struct item { int n; struct item *next; };
extern struct item *items;
void load(const char *name);
//--- store.c
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
#ifdef STORE_LAST
#include "main.c"
#endif
//--- main.c
#include <stdio.h>
#include "item.h"
#ifdef MAIN_LAST
#include "store.c"
#endif
int main(int argc, char **argv) {
  load(argv[1]);
  for (int c; (c = getchar()) != EOF;)
    for (struct item *i = items; i; i = i->next)
      i->n++;
  return 0;
}
