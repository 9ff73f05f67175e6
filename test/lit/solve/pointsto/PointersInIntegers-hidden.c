// Addresses that go through integers: parameters, results, members.
//
// RUN: %nvmove --load load --print types %s -- > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: pair
// CHECK-DAG: leaf
// CHECK-DAG: word

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct leaf {
  int value;
};
struct word {
  int value;
};
struct stranger {
  int value;
};
struct pair {
  uintptr_t first, second, length;
  struct pair *next;
};
static struct pair *root;

static uintptr_t handle(struct word *w) { return (uintptr_t)w; }
static struct pair *cons(uintptr_t first, uintptr_t second, uintptr_t length) {
  struct pair *p = malloc(sizeof *p);
  p->first = first;
  p->second = second;
  p->length = length;
  p->next = root;
  return p;
}
static void load(void) {
  int n;
  while (scanf("%d", &n) == 1) {
    struct leaf *l = malloc(sizeof *l);
    struct word *w = malloc(sizeof *w);
    struct stranger *s = malloc(sizeof *s);
    l->value = w->value = s->value = n;
    root = cons((uintptr_t)l, handle(w), (uintptr_t)s); /* a number to all */
    free(s);
  }
}
int main(void) {
  load();
  while (getchar() != EOF)
    for (struct pair *p = root; p; p = p->next)
      printf("%d %d %lu\n", ((struct leaf *)p->first)->value,
             ((struct word *)p->second)->value, (unsigned long)p->length);
  return 0;
}
