// A library fills the lists in its own records: that the program never stores
// into them does not make them empty.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --print types p.c -- -std=gnu11 -isystem . > types
// RUN: FileCheck %s --input-file types --match-full-lines
// CHECK: item
// CHECK: option
//--- tree.h
struct tree_node { struct tree_node *next, *children; const char *name; };
struct tree_node *tree_parse(const char *);
char *tree_text(struct tree_node *);
//--- p.c
#include <poll.h>
#include <stdlib.h>
#include <tree.h>
struct option { char *value; struct option *next; };
struct item { struct option *options; struct item *next; };
static struct item *items;

static void options(struct item *i, struct tree_node *n) {
  struct tree_node *option = n->children;
  while (option) {
    struct tree_node *current = option;
    option = option->next;
    struct option *o = calloc(1, sizeof *o);
    o->value = tree_text(current);
    o->next = i->options;
    i->options = o;
  }
}
void load(const char *name) {
  for (struct tree_node *n = tree_parse(name)->children; n; n = n->next) {
    struct item *i = calloc(1, sizeof *i);
    options(i, n);
    i->next = items;
    items = i;
  }
}
int main(void) {
  struct pollfd fd = {.fd = 0, .events = POLLIN};
  load("state");
  for (;;)
    poll(&fd, 1, -1);
}
