// The allocator is a function pointer in the state, put there before the load through a parameter.
//
// RUN: cd %S && %nvmove --load load --print types Allocators-fp_allocator.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: cell
// CHECK-NEXT: world

#include <stdio.h>
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct world { void *(*alloc)(size_t); struct cell *head; };
static void setup(struct world *w, void *(*alloc)(size_t)) { w->alloc = alloc; w->head = 0; }
void load(struct world *w, FILE *f) {
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    struct cell *c = (struct cell *)w->alloc(sizeof(struct cell));
    c->v = v;
    c->next = w->head;
    w->head = c;
  }
}
int main(void) {
  struct world w;
  setup(&w, malloc);
  load(&w, stdin);
  for (struct cell *c = w.head; c; c = c->next) printf("%d\n", c->v);
}
