// The load tells who waits for a key. While it runs nobody does yet: the queue
// of what to tell is no part of the state. Waiters come from the event loop.
//
// RUN: cd %S && %nvmove --load load --print types PreLoadNullness-nobody_waits.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types PreLoadNullness-nobody_waits.c -- -std=gnu99 -DWAITS_EARLY > %t.early
// RUN: FileCheck %s --input-file %t.early --match-full-lines --check-prefix=EARLY
// RUN: %nvmove --load load --print types PreLoadNullness-nobody_waits.c -- -std=gnu99 -DOTHER_WAY > %t.other
// RUN: FileCheck %s --input-file %t.other --match-full-lines --check-prefix=EARLY
// RUN: %nvmove --load load --print types PreLoadNullness-nobody_waits.c -- -std=gnu99 -DBY_CALLBACK > %t.callback
// RUN: FileCheck %s --input-file %t.callback --match-full-lines --check-prefix=EARLY
//
// CHECK: item
// CHECK-NEXT: node
// CHECK-NEXT: table
// EARLY: signal

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

struct node { int key; void *value; struct node *next; };
struct table { struct node *first; int used; };
struct item { int v; };
struct signal { int key; struct signal *next; };
struct state { struct table *items, *waiting; struct signal *ready; };
static struct state state;

static struct table *create(void) {
  struct table *t = malloc(sizeof *t);
  t->first = NULL;
  t->used = 0;
  return t;
}
static struct node *find(struct table *t, int key) {
  struct node *n;
  for (n = t->first; n; n = n->next)
    if (n->key == key)
      return n;
  return NULL;
}
static void add(struct table *t, int key, void *value) {
  struct node *n = malloc(sizeof *n);
  n->key = key;
  n->value = value;
  n->next = t->first;
  t->first = n;
  t->used++;
}
static void tell(struct state *s, int key) {
  struct signal *g;
  if (find(s->waiting, key) == NULL)
    return;
  g = malloc(sizeof *g);
  g->key = key;
  g->next = s->ready;
  s->ready = g;
}
static void wait_for(int key) { add(state.waiting, key, &state); }
#ifdef BY_CALLBACK
static int count(const void *a, const void *b) {
  wait_for(1);
  return 0;
}
#endif
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
  int two[2] = {2, 1};
  state.items = create();
  state.waiting = create();
#ifdef WAITS_EARLY
  wait_for(7);
#endif
#ifdef OTHER_WAY
  state.waiting = state.items;
#endif
#ifdef BY_CALLBACK
  qsort(two, 2, sizeof *two, count);
#endif
  load(stdin);
  while (poll(&p, 1, -1) >= 0)
    wait_for(two[0]);
}
