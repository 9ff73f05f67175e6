// A function has an object loaded and puts it into the table in which handlers find it. With what the finding says
// nothing is left to do, nor where the table is the load's. What only the load reads is no matter.
//
// RUN: %nvmove_act --load load --out %t --force %s | FileCheck %s
// RUN: %nvmove --load open_set --out %t --force %s | FileCheck %s --check-prefix=NOT
// RUN: %nvmove --load load --out %t --force %s -- -DINSIDE | FileCheck %s --check-prefix=NOT
// CHECK: RegisteredOutside-table.c:[[#@LINE+25]]:{{[0-9]+}} registered-outside{{ +}}open_set() has an object loaded, and beside that puts it into sets, which is not kept: a later start makes another object, and does not load it (in put)
// CHECK-NEXT: name that function as the load: --load open_set
// NOT-NOT: registered-outside
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  struct item *next;
  int id;
};
struct set {
  char *name;
  struct item *items;
};
static struct set *sets[8];
static int used;
static struct set *current; // which nobody reads but the load

static void add(struct set *s, int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = s->items;
  s->items = i;
}
static void put(struct set **table, struct set *s) {
  table[used++] = s;
}
static void load(struct set *s, FILE *in) {
  int id;
#ifdef INSIDE
  put(sets, s);
#endif
  while (fscanf(in, "%d", &id) == 1)
    add(current, id);
}
static int open_set(const char *name) {
  FILE *in = fopen(name, "r");
  if (!in)
    return 0;
  struct set *s = calloc(1, sizeof *s);
  s->name = strdup(name);
  current = s;
  load(s, in);
  fclose(in);
#ifndef INSIDE
  put(sets, s);
#endif
  return 1;
}
static void open_sets(char **names) {
  for (; *names; names++)
    if (!open_set(*names))
      exit(1);
}
int main(int argc, char **argv) {
  int id, n;
  open_sets(argv + 1);
  while (scanf("%d %d", &n, &id) == 2) {
    add(sets[n], id);
    printf("%d\n", sets[n]->items->id);
  }
  return argc < 0;
}
