// Lists that each start makes, and that are empty until the load has ended: what
// called it then puts into them what it gave back.
//
// RUN: %nvmove --print roots --load load %s | FileCheck %s --implicit-check-not={{.}}
// CHECK: app.inner->head
// CHECK-NEXT: items->head
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int id; };
struct list { struct item *head; int n; };
static struct list *items, *others;
static struct { struct list *inner; } app;
static void add(struct list *l, struct item *i) {
  i->next = l->head;
  l->head = i;
  l->n++;
}
static struct item *load(FILE *f) {
  int n;
  if (fscanf(f, "%d", &n) != 1)
    return NULL;
  struct item *i = malloc(sizeof *i);
  i->id = n;
  i->next = NULL;
  return i;
}
int main(int argc, char **argv) {
  FILE *f = fopen(argv[argc - 1], "r");
  items = calloc(1, sizeof *items);
  others = calloc(1, sizeof *others);
  app.inner = calloc(1, sizeof *app.inner);
  struct item *i = load(f);
  i->next = items->head;
  items->head = i;
  app.inner->head = i;
  for (int c; (c = getchar()) != EOF;) {
    struct item *n = malloc(sizeof *n);
    n->id = c;
    add(items, n);
    add(others, n);
  }
  return 0;
}
