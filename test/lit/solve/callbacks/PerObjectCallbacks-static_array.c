// Lists in a static array, and one behind a static pointer, each with a callback
// of its own, or a copy of another list's: a load that takes from the one calls
// what that has, and not what others were given.
//
// RUN: %nvmove --load load --print types %s -- > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not=by_{{.*}}
// RUN: %nvmove --load load --print types %s -- -DCOPY > %t.copy
// RUN: FileCheck %s --input-file %t.copy --match-full-lines --implicit-check-not=by_{{.*}}
//
// Where it may be in the array, where the array's address goes elsewhere, or where
// the load takes from the copy of the other:
// RUN: %nvmove --load load --print types %s -- -DSAME > %t.same
// RUN: FileCheck %s --input-file %t.same --match-full-lines --check-prefixes=CHECK,OTHER
// RUN: %nvmove --load load --print types %s -- -DESCAPES > %t.escapes
// RUN: FileCheck %s --input-file %t.escapes --match-full-lines --check-prefixes=CHECK,OTHER
// RUN: %nvmove --load load --print types %s -- -DCOPY -DTAKES > %t.takes
// RUN: FileCheck %s --input-file %t.takes --match-full-lines --check-prefixes=CHECK,OTHER
//
// OTHER-DAG: by_other
// CHECK-DAG: item
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  long n;
};
struct by_other {
  struct by_other *next;
};
struct node {
  struct node *next;
};
struct list {
  struct node *first;
  void (*gone)(struct node *);
};
static struct item *items;
static struct by_other *others;
static struct list *jobs[2], *listeners, *copy;

static struct list *list_new(void) {
  struct list *l = malloc(sizeof *l);
  if (!l)
    abort();
  l->first = NULL;
  l->gone = NULL;
  return l;
}
static struct list *list_copy(struct list *of) {
  struct list *l = list_new();
  l->gone = of->gone;
  return l;
}
static void list_add(struct list *l) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->next = l->first;
  l->first = n;
}
static void list_take(struct list *l) {
  struct node *n = l->first;
  if (!n)
    return;
  l->first = n->next;
  if (l->gone)
    l->gone(n);
}
static void other(struct node *n) {
  struct by_other *o = malloc(sizeof *o);
  if (!o || !n)
    abort();
  o->next = others;
  others = o;
}
static void drop(struct node *n) { free(n); }
#ifdef ESCAPES
void somewhere(struct list **lists);
#endif

void load(FILE *in) {
  long n;
  while (fscanf(in, "%ld", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    if (!i)
      abort();
    i->n = n;
    i->next = items;
    items = i;
#ifdef TAKES
    list_take(copy);
#else
    list_take(jobs[n & 1]);
#endif
  }
}
int main(void) {
  FILE *in = fopen("state", "r");
  for (int i = 0; i < 2; i++) {
    jobs[i] = list_new();
    jobs[i]->gone = drop;
    list_add(jobs[i]);
  }
  listeners = list_new();
  listeners->gone = other;
  list_add(listeners);
#ifdef COPY
  copy = list_copy(listeners);
  list_add(copy);
#endif
#ifdef SAME
  jobs[1] = listeners;
#endif
#ifdef ESCAPES
  somewhere(jobs);
#endif
  if (in) {
    load(in);
    fclose(in);
  }
  for (;;) {
    struct pollfd ready = {0, POLLIN, 0};
    char c;
    if (poll(&ready, 1, -1) != 1 || read(0, &c, 1) != 1)
      return 0;
    list_take(listeners);
    for (struct by_other *o = others; o; o = o->next)
      putchar('o');
    for (struct item *i = items; i; i = i->next)
      printf("%ld\n", i->n);
  }
}
