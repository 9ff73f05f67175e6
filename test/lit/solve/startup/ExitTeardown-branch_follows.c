// A section in a branch that ends the process may follow, too, though no path
// returns from there: no nvm_detach() is put before it.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load t.c -- -I %runtime_include | FileCheck %s
// RUN: not grep '^+.*nvm_detach' nvmove-out/patches/1-roots.patch nvmove-out/patches/3-sections.patch
// CHECK: freed-at-exit {{.*}}main continues to the end of the program here
// CHECK-SAME: nvm_detach() cannot be put before it, as a section may begin after it
#include "nvmove/nvm.h"
#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int n; };
static struct item *items;

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  fclose(f);
}
static void free_items(void) {
  while (items) {
    struct item *i = items;
    items = i->next;
    free(i);
  }
}
int main(int argc, char **argv) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    add(c);
  free_items();
  if (argc > 1) {
    nvm_begin();
    add(1);
    nvm_end();
    exit(2);
  }
  return argv == 0;
}
