// The block's pointer is rounded up through an integer before it is used.
//
// RUN: cd %S && %nvmove --load load --print types PointersInIntegers-align_integer.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: cell

#include <stdio.h>
#include <stdlib.h>
struct cell { int v; struct cell *next; };
static struct cell *head;
static char *seg;
void load(FILE *f) {
  int v;
  char *cp = (char *)malloc(1000 * sizeof(struct cell) + 32);
  seg = cp;
  if (((unsigned long)cp) % 32 != 0)
    cp = (char *)(32 * ((unsigned long)cp / 32 + 1));
  struct cell *c = (struct cell *)cp;
  while (fscanf(f, "%d", &v) == 1) {
    c->v = v;
    c->next = head;
    head = c++;
  }
}
int main(void) {
  load(stdin);
  for (struct cell *c = head; c; c = c->next) printf("%d\n", c->v);
}
