// One function searches either of two lists that are both still empty; its
// variable serves other lists before. Filling one of the two fills both.
//
// RUN: cd %S && %nvmove --load load --print types EmptyContainerProof-two_lists.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types EmptyContainerProof-two_lists.c -- -std=gnu99 -DFILLED > %t.filled
// RUN: FileCheck %s --input-file %t.filled --match-full-lines --check-prefix=NEWS
//
// CHECK: item
// NEWS: news

#include <stdio.h>
#include <stdlib.h>

struct node { void *value; struct node *next; };
struct list { struct node *head; };
struct iterator { struct node *next; };
struct item { int v; struct item *next; };
struct news { int v; struct news *next; };
static struct item *items;
static struct news *unread;
static int seen;
static struct list *watchers, *listeners, *others;

static void rewind_list(struct list *l, struct iterator *i) { i->next = l->head; }
static struct node *next(struct iterator *i) {
  struct node *n = i->next;
  if (n)
    i->next = n->next;
  return n;
}
static struct node *search(struct list *l, void *value) {
  struct iterator i;
  struct node *n;
  rewind_list(l, &i);
  while ((n = next(&i)))
    if (n->value == value)
      return n;
  return NULL;
}
static void push(struct list *l, void *value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = l->head;
  l->head = n;
}
static void cut(struct list *l, struct node *n) {
  if (l->head == n)
    l->head = n->next;
  else
    l->head->next = n->next;
}
static void leave(void *who, int watching) {
  struct node *n = search(others, who);
  if (n)
    seen++;
  struct list *l = watching ? watchers : listeners;
  n = search(l, who);
  if (n)
    cut(l, n);
}
static void publish(int v) {
  struct iterator i;
  struct node *n = others->head;
  leave(n, v);
  rewind_list(listeners, &i);
  while ((n = next(&i))) {
    struct news *x = malloc(sizeof *x);
    x->v = v;
    x->next = unread;
    unread = x;
  }
}
void load(FILE *f) {
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->next = items;
    items = i;
    publish(v);
  }
}
static struct list *make(void) {
  struct list *l = malloc(sizeof *l);
  l->head = NULL;
  return l;
}
int main(int argc, char **argv) {
  watchers = make();
  listeners = make();
  others = make();
  push(others, argv);
#ifdef FILLED
  push(watchers, argv);
#endif
  load(stdin);
  push(listeners, &items);
  push(watchers, &items);
  return items ? items->v : 0;
}
