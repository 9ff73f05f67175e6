// The static head of a list that goes round is written through pointers: it has
// no twin, what points to it follows it into the next run.
//
// RUN: cd %S && %nvmove_act --load load --analyze-only --force --out %t.out StaticReferents-list_head.c -- -std=gnu99 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK-NOT: twin
// CHECK:      1 followed static
// CHECK-NEXT: items  link.next points to it
// CHECK-NOT: twin
// CHECK-NOT: pointer-to-static

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct link { struct link *next, *prev; };
struct item { int v; struct link link; };
static struct link items = {&items, &items};

static void insert(struct link *n, struct link *head) {
  n->next = head->next;
  n->prev = head;
  head->next->prev = n;
  head->next = n;
}
static void load(FILE *in) {
  for (int v; (v = getc(in)) != EOF;) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    insert(&i->link, &items);
  }
}
int main(void) {
  int sum = 0;
  load(stdin);
  for (struct link *l = items.next; l != &items; l = l->next)
    sum += ((struct item *)((char *)l - offsetof(struct item, link)))->v;
  return sum;
}
