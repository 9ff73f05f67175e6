// Start-up makes several trees by one library. The load puts nodes into some, and
// walks one that only commands fill: no root leads there.
//
// RUN: %nvmove --load load --print roots %s | FileCheck %s --implicit-check-not={{.}}
// CHECK: nodes
// CHECK-NEXT: subnets
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
struct anode {
  struct anode *next, *prev, *parent, *left, *right;
  void *data;
};
struct tree {
  struct anode *head, *tail, *root;
  int (*compare)(const void *, const void *);
};
struct node {
  char *name;
  struct tree *subnets;
};
struct conn {
  int fd, mst;
};
static struct tree *nodes, *conns, *subnets;
static struct tree *tree_new(int (*compare)(const void *, const void *)) {
  struct tree *t = calloc(1, sizeof *t);
  t->compare = compare;
  return t;
}
static struct anode *closest(struct tree *t, const void *data, int *r) {
  struct anode *n = t->root, *last = n;
  *r = 0;
  while (n) {
    last = n;
    *r = t->compare(data, n->data);
    n = *r < 0 ? n->left : *r > 0 ? n->right : NULL;
  }
  return last;
}
static void insert_before(struct tree *t, struct anode *before,
                          struct anode *n);
static void insert_after(struct tree *t, struct anode *after, struct anode *n) {
  if (!after) {
    if (t->head)
      insert_before(t, t->head, n);
    else
      t->head = t->tail = t->root = n;
    return;
  }
  if (after->right) {
    insert_before(t, after->next, n);
    return;
  }
  n->prev = after;
  n->parent = after;
  n->next = after->next;
  if (n->next)
    n->next->prev = n;
  else
    t->tail = n;
  after->next = n;
  after->right = n;
}
static void insert_before(struct tree *t, struct anode *before,
                          struct anode *n) {
  if (!before) {
    if (t->tail)
      insert_after(t, t->tail, n);
    else
      t->head = t->tail = t->root = n;
    return;
  }
  if (before->left) {
    insert_after(t, before->prev, n);
    return;
  }
  n->next = before;
  n->parent = before;
  n->prev = before->prev;
  if (n->prev)
    n->prev->next = n;
  else
    t->head = n;
  before->prev = n;
  before->left = n;
}
static struct anode *insert(struct tree *t, void *data) {
  struct anode *n = calloc(1, sizeof *n), *c;
  int r;
  n->data = data;
  if (!t->root) {
    t->head = t->tail = t->root = n;
    return n;
  }
  c = closest(t, data, &r);
  if (r < 0)
    insert_before(t, c, n);
  else if (r > 0)
    insert_after(t, c, n);
  else {
    free(n);
    return NULL;
  }
  return n;
}
static int by_name(const void *a, const void *b) {
  return strcmp(((struct node *)a)->name, ((struct node *)b)->name);
}
static int by_fd(const void *a, const void *b) {
  return ((struct conn *)a)->fd - ((struct conn *)b)->fd;
}
static void node_add(struct node *n) { insert(nodes, n); }
static void graph(void) {
  for (struct anode *n = conns->head; n; n = n->next)
    ((struct conn *)n->data)->mst = 0;
}
static void load(const char *name) {
  char value[32];
  FILE *f = fopen(name, "r");
  while (f && fscanf(f, "%31s", value) == 1) {
    struct node *n = calloc(1, sizeof *n);
    n->name = strdup(value);
    n->subnets = tree_new(by_fd);
    node_add(n);
    insert(subnets, n);
  }
  graph();
}
int main(void) {
  char line[32];
  nodes = tree_new(by_name);
  subnets = tree_new(by_name);
  conns = tree_new(by_fd);
  load("hosts");
  while (read(0, line, sizeof line) > 0) {
    struct conn *c = calloc(1, sizeof *c);
    c->fd = line[0];
    insert(conns, c);
  }
}
