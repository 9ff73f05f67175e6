// Nobody listens while the state is loaded: the head of a circular list leads
// to itself, as a function or the load itself sees. Not so where something is
// put into the list before the load or by it, or where its head is kept
// elsewhere.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types EmptyRings-empty_ring.c -- -DNOTHING > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types EmptyRings-empty_ring.c -- -DDIRECT > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types EmptyRings-empty_ring.c -- -DIN_LOOP > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: task
// CHECK-NEXT: list
//
// RUN: %nvmove --load load --print types EmptyRings-empty_ring.c -- -DBEFORE > %t
// RUN: FileCheck %s --input-file %t --check-prefix=FILLED
// RUN: %nvmove --load load --print types EmptyRings-empty_ring.c -- -DDURING > %t
// RUN: FileCheck %s --input-file %t --check-prefix=FILLED
// RUN: %nvmove --load load --print types EmptyRings-empty_ring.c -- -DESCAPES > %t
// RUN: FileCheck %s --input-file %t --check-prefix=FILLED
// RUN: %nvmove --load load --print types EmptyRings-empty_ring.c -- -DREAD > %t
// RUN: FileCheck %s --input-file %t --check-prefix=FILLED
// FILLED: event
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct list { struct list *next, *prev; };
#define HEAD(n) { &(n), &(n) }
static int list_empty(const struct list *h) { return h->next == h; }
static void list_add_tail(struct list *n, struct list *h) {
  n->prev = h->prev;
  n->next = h;
  h->prev->next = n;
  h->prev = n;
}
static void list_del(struct list *e) {
  e->next->prev = e->prev;
  e->prev->next = e->next;
}
struct task { struct list all; int id; };
struct event { struct list link; int kind, id; };
struct listener { struct list link; int heard; };
static struct list tasks = HEAD(tasks), events = HEAD(events),
                   listeners = HEAD(listeners);
#ifdef ESCAPES
struct list **door = &listeners.next;
#endif

static void add_event(int kind, int id) {
  struct event *e = malloc(sizeof *e);
  e->kind = kind;
  e->id = id;
  list_add_tail(&e->link, &events);
}

static void post(int kind, int id) {
#if defined DIRECT
  if (listeners.next != &listeners)
    add_event(kind, id);
#elif defined IN_LOOP
  for (struct list *l = listeners.next; l != &listeners; l = l->next)
    add_event(kind, id);
#else
  if (list_empty(&listeners))
    return;
  add_event(kind, id);
#endif
}

static void listen_to_all(void) {
  struct listener *l = calloc(1, sizeof *l);
  list_add_tail(&l->link, &listeners);
}

static void add(int id) {
  struct task *t = malloc(sizeof *t);
  t->id = id;
  list_add_tail(&t->all, &tasks);
  post('n', id);
}

static void load(const char *file) {
  int id;
  FILE *f = fopen(file, "r");
  while (fscanf(f, "%d", &id) == 1) {
    add(id);
#ifdef DURING
    listen_to_all();
#endif
  }
  fclose(f);
}

static void run(void) {
  while (!list_empty(&events)) {
    struct list *e = events.next;
    list_del(e);
    printf("[%d] ", ((struct event *)e)->id);
    free(e);
  }
}

int main(int argc, char **argv) {
  char l[80];
  struct list *e;
#ifdef BEFORE
  listen_to_all();
#endif
#ifdef READ
  e = listeners.next;
  e->next = malloc(sizeof(struct listener));
#endif
  load(argv[argc - 1]);
  listen_to_all();
  while (fgets(l, 80, stdin)) {
    if (*l == '+')
      add(atoi(l + 1));
    run();
    for (e = tasks.next; e != &tasks; e = e->next)
      printf("%d ", ((struct task *)e)->id);
  }
  return 0;
}
