// What the load fills hangs from a flexible array of a record that each start
// makes. The array has no size, so it is no root, which is told; a member beside
// it is one. Where nothing else is a root the load is not skipped, by which all
// would be lost.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s shelf.c
// RUN: %nvmove_act --load load --out one shelf.c | FileCheck %s
// RUN: %nvmove_act --load load --out two shelf.c -- -DALONE | FileCheck %s --check-prefixes=CHECK,ALONE
// RUN: grep -h '^+' one/patches/*.patch | FileCheck %s --check-prefix=PATCH
// RUN: not grep -r '^+.*nvm_restore' two/patches
// CHECK: shelf->tables {{.*}}restored members: tables
// CHECK-DAG: shelf.c:[[#]]:22 flexible-root 'tables' of 'struct shelf' has no size of its own, so it is not kept
// ALONE-DAG: load-not-guarded {{.*}}the pool keeps no root that points to what it creates
// PATCH: if (!nvm_restore()) load(argv[1]);
// PATCH: NVM_ROOT_ARRAY(shelf, struct shelf,
// PATCH-NEXT: NVM_POINTER(struct shelf, first));
#include <stdio.h>
#include <stdlib.h>
struct item { int n; struct item *next; };
struct table { struct item *slots[8]; };
struct shelf {
  int options;
#ifndef ALONE
  struct table *first;
#endif
  struct table *tables[];
};
static struct shelf *shelf;
static void put(struct table *t, struct item *i) {
  i->next = t->slots[i->n & 7];
  t->slots[i->n & 7] = i;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int n;
  while (f && fscanf(f, "%d", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
#ifndef ALONE
    if (n == 0)
      put(shelf->first, i);
    else
#endif
      put(shelf->tables[n & 1], i);
  }
}
int main(int argc, char **argv) {
  shelf = calloc(1, sizeof *shelf + 2 * sizeof(struct table *));
  shelf->options = argc;
#ifndef ALONE
  shelf->first = calloc(1, sizeof *shelf->first);
#endif
  for (int t = 0; t < 2; t++)
    shelf->tables[t] = calloc(1, sizeof *shelf->tables[t]);
  load(argv[1]);
  for (int c; (c = getchar()) != EOF;)
    for (struct item *i = shelf->tables[c & 1]->slots[c & 7]; i; i = i->next)
      i->n += c;
  return 0;
}
