// What is proved to be empty narrows down what runs before the load has ended,
// and then more is empty: nobody waits, so nobody is woken, so nobody is told.
// A pointer that only handlers set to another function does not lead there.
//
// RUN: cd %S && %nvmove --load load --print types PreLoadNullness-narrowed.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types PreLoadNullness-narrowed.c -- -std=gnu99 -DWAITS_EARLY > %t.early
// RUN: FileCheck %s --input-file %t.early --match-full-lines --check-prefix=EARLY
// RUN: %nvmove --load load --print types PreLoadNullness-narrowed.c -- -std=gnu99 -DSETS_EARLY > %t.sets
// RUN: FileCheck %s --input-file %t.sets --match-full-lines --check-prefix=EARLY
// RUN: %nvmove --load load --print types PreLoadNullness-narrowed.c -- -std=gnu99 -DSETS_IN_THREAD > %t.thread
// RUN: FileCheck %s --input-file %t.thread --match-full-lines --check-prefix=EARLY
//
// CHECK: item
// CHECK-NEXT: node
// CHECK-NEXT: table
// EARLY: signal

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node { int key; void *value; struct node *next; };
struct table { struct node *first; int used; };
struct item { int v; };
struct signal { int key; struct signal *next; };
struct state { struct table *items, *waiting, *woken; struct signal *ready; };
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
  if (find(s->woken, key) == NULL)
    return;
  g = malloc(sizeof *g);
  g->key = key;
  g->next = s->ready;
  s->ready = g;
}
static void wake(struct state *s, int key) {
  if (find(s->waiting, key) == NULL)
    return;
  add(s->woken, key, &state);
}
static void wait_for(int key) { add(state.waiting, key, &state); }
static void skip(int key) { (void)key; }
static void (*first)(int) = skip;
void load(FILE *f) {
  int key;
  while (fscanf(f, "%d", &key) == 1) {
    struct item *i = malloc(sizeof *i);
    i->v = key;
    add(state.items, key, i);
    wake(&state, key);
    tell(&state, key);
  }
}
static void *work(void *unused) {
  first = wait_for;
  return unused;
}
int main(void) {
  struct pollfd p = {0, POLLIN, 0};
  pthread_t thread;
  state.items = create();
  state.waiting = create();
  state.woken = create();
#ifdef WAITS_EARLY
  wait_for(7);
#endif
#ifdef SETS_EARLY
  work(NULL);
#endif
#ifdef SETS_IN_THREAD
  pthread_create(&thread, NULL, work, NULL);
#endif
  first(1);
  load(stdin);
  while (poll(&p, 1, -1) >= 0) {
    first = wait_for;
    wait_for(2);
    if (p.revents > 1)
      pthread_create(&thread, NULL, work, NULL);
  }
}
