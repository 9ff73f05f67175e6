// The load only reads one record; who calls it keeps that. The warning says
// what to name instead.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu99 2>&1 | FileCheck %s
// CHECK: nothing that load creates is reachable from static memory {{.*}}; what it returns to its callers counts as loaded with --load read_all [nothing-persistent]
//
// RUN: %nvmove --load read_all --print types %s -- -std=gnu99 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: node
#include <stdio.h>
#include <stdlib.h>

struct record {
  int id;
};
struct node {
  int id;
  struct node *next;
};
static struct node *head;

int load(FILE *f, struct record *r) { return fread(r, sizeof *r, 1, f) == 1; }

static void add(const struct record *r) {
  struct node *n = malloc(sizeof *n);
  n->id = r->id;
  n->next = head;
  head = n;
}

static void read_all(FILE *f) {
  struct record r;
  while (load(f, &r))
    add(&r);
}

int main(int argc, char **argv) {
  read_all(fopen(argv[1], "r"));
  for (int id; scanf("%d", &id) == 1;)
    head->id += id;
  return 0;
}
