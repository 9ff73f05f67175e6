// As fp_allocator, but the state is static and the pointer is assigned directly.
//
// RUN: cd %S && %nvmove --load load --print types Allocators-fp_allocator_static.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: cell
// CHECK-NEXT: world

#include <stdio.h>
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct world { void *(*alloc)(size_t); struct cell *head; };
static struct world w;
void load(FILE *f) {
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    struct cell *c = (struct cell *)w.alloc(sizeof(struct cell));
    c->v = v;
    c->next = w.head;
    w.head = c;
  }
}
int main(void) {
  w.alloc = malloc;
  load(stdin);
  for (struct cell *c = w.head; c; c = c->next) printf("%d\n", c->v);
}
