// libevent without a base: what event_set() is handed runs when event_dispatch()
// waits, after the load.
//
// RUN: %nvmove --print types --load load %s | FileCheck %s --implicit-check-not={{.}}
// CHECK: item
#include <stdio.h>
#include <stdlib.h>
struct event { void *opaque[16]; };
void event_init(void);
void event_set(struct event *, int fd, short what, void (*handler)(int, short, void *), void *arg);
int event_add(struct event *, const void *timeout);
int event_dispatch(void);
struct item { struct item *next; int key; };
struct job { struct job *next; int n; };
struct conn { struct event ev; struct job *jobs; int seen; };
static struct item *items;
static struct conn *control;
static void arm(struct conn *c);
static void handler(int fd, short what, void *arg) {
  struct conn *c = arg;
  struct job *j = malloc(sizeof *j);
  j->n = what + fd;
  j->next = c->jobs;
  c->jobs = j;
  c->seen++;
  arm(c);
}
static void arm(struct conn *c) {
  event_set(&c->ev, 0, 2, handler, c);
  event_add(&c->ev, NULL);
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int k;
  while (f && fscanf(f, "%d", &k) == 1) {
    struct item *it = malloc(sizeof *it);
    it->key = k;
    it->next = items;
    items = it;
    arm(control);
  }
}
int main(int argc, char **argv) {
  event_init();
  control = calloc(1, sizeof *control);
  load(argv[argc - 1]);
  event_dispatch();
  return 0;
}
