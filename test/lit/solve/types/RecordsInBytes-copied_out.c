// The load reads one record into static memory; its callers keep a copy of each
// in a list, in functions that the load never calls.
//
// RUN: %nvmove --load load --print types %s -- -std=gnu99 | FileCheck %s --match-full-lines
// CHECK-DAG: counter
// CHECK-DAG: node
// CHECK-NOT: {{.}}
//
// RUN: %nvmove explain node --load load %s -- -std=gnu99 | FileCheck %s --check-prefix=WHY
// WHY: copies data to node.data
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counter {
  char name[32];
  long bytes;
};
struct node {
  int fresh;
  struct counter data;
  struct node *next;
};
struct line { // another copy, of what was never loaded
  struct counter printed;
};
static struct counter data, total;
static struct node *nodes;

int load(const char *name) {
  FILE *f = fopen(name, "r");
  int ok = f && fread(&data, sizeof data, 1, f) == 1;
  if (f)
    fclose(f);
  return ok;
}

static void keep(void) {
  struct node *n;
  for (n = nodes; n; n = n->next)
    if (!strcmp(n->data.name, data.name)) {
      memcpy(&n->data, &data, sizeof data);
      return;
    }
  n = malloc(sizeof *n);
  n->data = data;
  n->next = nodes;
  nodes = n;
}

static void print(void) {
  struct line *l = malloc(sizeof *l);
  l->printed = total;
  printf("%ld\n", l->printed.bytes);
  free(l);
}

int main(int argc, char **argv) {
  for (;;) {
    for (int i = 1; i < argc; ++i)
      if (load(argv[i])) {
        ++data.bytes;
        ++total.bytes;
        keep();
      }
    print();
    sleep(1);
  }
}
