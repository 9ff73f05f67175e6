// The load stands under a condition, as it does everywhere: if (f) { load(f);
// fclose(f); }. That is said only where the other way makes state, which then
// takes the place of what came back.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: sed 's/else ELSE;//' %s > t.c
// RUN: %nvmove --notes --load load --out none t.c > log
// RUN: not grep load-condition log
// RUN: sed 's/ELSE;/puts("new");/' %s > t.c
// RUN: %nvmove --notes --load load --out says t.c > log
// RUN: not grep load-condition log
// RUN: sed 's/ELSE;/{ add("x"); exit(1); }/' %s > t.c
// RUN: %nvmove --notes --load load --out fails t.c > log
// RUN: not grep load-condition log
// RUN: sed 's/ELSE;/defaults(2);/' %s > t.c
// RUN: %nvmove --notes --load load --out calls t.c > log
// RUN: FileCheck %s --input-file log
// RUN: sed 's/ELSE;/all = calloc(1, sizeof *all);/' %s > t.c
// RUN: %nvmove --notes --load load --out allocates t.c > log
// RUN: FileCheck %s --input-file log
// RUN: sed 's/ELSE;/count = 7;/' %s > t.c
// RUN: %nvmove --notes --load load --out writes t.c > log
// RUN: FileCheck %s --input-file log
// RUN: sed -e 's/else ELSE;//' -e 's/if (f)/if (!f) defaults(1); else/' %s > t.c
// RUN: %nvmove --notes --load load --out before t.c > log
// RUN: FileCheck %s --input-file log
// CHECK: load-condition {{.*}}without it state is created (t.c:[[#]]): a later run that does not reach the load
// CHECK-NEXT: -> call it only if nvm_restore() is 0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[32]; struct item *next; };
static struct item *all;
static int count;
static void add(const char *name) {
  struct item *it = calloc(1, sizeof *it);
  strncpy(it->name, name, 31);
  it->next = all;
  all = it;
  count++;
}
static void load(FILE *f) {
  char line[32];
  while (fscanf(f, "%31s", line) == 1)
    add(line);
}
void defaults(int n);
void defaults(int n) {
  while (n--)
    add("default");
}
int main(void) {
  char line[32];
  FILE *f = fopen("state", "r");
  if (f) {
    load(f);
    fclose(f);
  } else ELSE;
  while (fgets(line, sizeof line, stdin)) {
    add(line);
    printf("%d %s\n", count, all->name);
  }
  return 0;
}
