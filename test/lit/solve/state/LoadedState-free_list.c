// The cells exist before the load, on a free list; the load takes them from there.
//
// RUN: cd %S && %nvmove --load load --print types LoadedState-free_list.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: cell
// CHECK-NEXT: world

#include <stdio.h>
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct world { struct cell *free_cells; struct cell *head; };
static void setup(struct world *w) {
  struct cell *seg = malloc(1000 * sizeof(struct cell));
  w->head = 0;
  w->free_cells = 0;
  for (int i = 0; i < 1000; i++) { seg[i].next = w->free_cells; w->free_cells = &seg[i]; }
}
void load(struct world *w, FILE *f) {
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    struct cell *c = w->free_cells;
    w->free_cells = c->next;
    c->v = v;
    c->next = w->head;
    w->head = c;
  }
}
int main(void) {
  struct world w;
  setup(&w);
  load(&w, stdin);
  for (struct cell *c = w.head; c; c = c->next) printf("%d\n", c->v);
}
