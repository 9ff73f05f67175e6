// A record on the stack goes through hundreds of calls that get no container:
// what they do with it is not followed, and the queue is proved empty all the
// same. Not if the record gets there together with the container.
//
// RUN: cd %S && %nvmove --load load --print types EmptyContainerProof-long_ways.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types EmptyContainerProof-long_ways.c -- -std=gnu99 -DWITH_TABLE > %t.with
// RUN: FileCheck %s --input-file %t.with --match-full-lines --check-prefix=WITH
//
// CHECK: item
// CHECK-NEXT: node
// CHECK-NEXT: table
// WITH: signal

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int key;
  void *value;
  struct node *next;
};
struct table {
  struct node *first;
  int used;
};
struct item {
  int v;
};
struct signal {
  int key;
  struct signal *next;
};
struct state {
  struct table *items, *waiting;
  struct signal *ready;
};
struct cursor {
  struct table *table;
  struct node *at;
  int steps;
};
static struct state state;

static struct table *create(void) {
  struct table *t = malloc(sizeof *t);
  t->first = NULL;
  t->used = 0;
  return t;
}
static void add(struct table *t, int key, void *value) {
  struct node *n = malloc(sizeof *n);
  n->key = key;
  n->value = value;
  n->next = t->first;
  t->first = n;
  t->used++;
}
#define TEN(name, c)                                                           \
  name##0(c), name##1(c), name##2(c), name##3(c), name##4(c), name##5(c),      \
      name##6(c), name##7(c), name##8(c), name##9(c)
#define MAKE(name, ...)                                                        \
  static void name(struct cursor *c) { __VA_ARGS__; }
#define MAKE_TEN(name, ...)                                                    \
  MAKE(name##0, __VA_ARGS__)                                                   \
  MAKE(name##1, __VA_ARGS__) MAKE(name##2, __VA_ARGS__)                        \
      MAKE(name##3, __VA_ARGS__) MAKE(name##4, __VA_ARGS__)                    \
          MAKE(name##5, __VA_ARGS__) MAKE(name##6, __VA_ARGS__)                \
              MAKE(name##7, __VA_ARGS__) MAKE(name##8, __VA_ARGS__)            \
                  MAKE(name##9, __VA_ARGS__)
#ifdef WITH_TABLE
MAKE_TEN(leaf, if (c->table) add(c->table, 1, c))
#else
MAKE_TEN(leaf, c->steps++)
#endif
MAKE_TEN(middle, TEN(leaf, c))
MAKE_TEN(top, TEN(middle, c))
static void start(struct cursor *c, struct table *t) { c->at = t->first; }
static struct node *next(struct cursor *c) {
  struct node *n = c->at;
  if (n)
    c->at = n->next;
  return n;
}
static void tell(struct state *s, int key) {
  struct signal *g;
  struct cursor steps = {0}, waiting = {0};
#ifdef WITH_TABLE
  steps.table = s->waiting;
#endif
  TEN(top, &steps);
  start(&waiting, s->waiting);
  while (next(&waiting)) {
    g = malloc(sizeof *g);
    g->key = key;
    g->next = s->ready;
    s->ready = g;
  }
}
static void wait_for(int key) { add(state.waiting, key, &state); }
void load(FILE *f) {
  int key;
  while (fscanf(f, "%d", &key) == 1) {
    struct item *i = malloc(sizeof *i);
    i->v = key;
    add(state.items, key, i);
    tell(&state, key);
  }
}
int main(void) {
  struct pollfd p = {0, POLLIN, 0};
  state.items = create();
  state.waiting = create();
  load(stdin);
  while (poll(&p, 1, -1) >= 0)
    wait_for(1);
}
