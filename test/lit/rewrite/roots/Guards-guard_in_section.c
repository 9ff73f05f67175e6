// A load that is a section as well: what is there is seen, and not written
// again.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --section load t.c > log
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s
// RUN: %nvmove verify --load load --section load t.c
// RUN: %nvmove --load load --section load --force t.c | FileCheck %s --check-prefix=AGAIN
// CHECK: nvm_begin();
// CHECK-NEXT: if (!nvm_restore()) load();
// CHECK-NEXT: nvm_end();
// CHECK: { nvm_begin(); { if (!nvm_restore()) load(); } nvm_end(); }
// AGAIN: 0 files edited
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
int main(int argc, char **argv) {
  char line[80];
  (void)argv;
  load();
  if (argc > 1)
    load();
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
  return 0;
}
