// An iterator on the stack walks a list that is still empty. The list is filled
// after the load, and in an arm of an if that the load is not in.
//
// RUN: cd %S && %nvmove --load load --print types EmptyContainerProof-no_listeners.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types EmptyContainerProof-no_listeners.c -- -std=gnu99 -DIN_LOOP > %t.loop
// RUN: FileCheck %s --input-file %t.loop --match-full-lines --check-prefix=NEWS
// RUN: %nvmove --load load --print types EmptyContainerProof-no_listeners.c -- -std=gnu99 -DESCAPES > %t.escapes
// RUN: FileCheck %s --input-file %t.escapes --match-full-lines --check-prefix=NEWS
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
static struct list *listeners, *others;
#ifdef ESCAPES
struct list **door = &listeners;
#endif

static void rewind_list(struct list *l, struct iterator *i) { i->next = l->head; }
static struct node *next(struct iterator *i) {
  struct node *n = i->next;
  if (n)
    i->next = n->next;
  return n;
}
static void push(struct list *l, void *value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = l->head;
  l->head = n;
}
static void publish(int v) {
  struct iterator i;
  struct node *n;
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
int main(int argc, char **argv) {
  listeners = malloc(sizeof *listeners);
  listeners->head = NULL;
  others = malloc(sizeof *others);
  others->head = NULL;
  push(others, argv);
#ifdef IN_LOOP
  for (int k = 0; k < 2; k++)
#endif
  {
    if (argc > 1)
      push(listeners, argv);
    else
      load(stdin);
    push(listeners, &items);
  }
  return items ? items->v : 0;
}
