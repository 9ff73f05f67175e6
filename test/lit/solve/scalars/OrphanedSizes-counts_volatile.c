// The program's allocator counts bytes of the pool and others: the number comes
// back, and that it counts what has ended is told.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// CHECK: counts-volatile{{ +}}used comes back, and counts what is in the pool and what is not
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
struct conn { struct conn *next; int fd; };
static struct item *items;
static struct conn *conns;
static size_t used;
static void *xmalloc(size_t n) {
  size_t *p = malloc(n + sizeof *p);
  if (!p)
    abort();
  *p = n;
  used += n;
  return p + 1;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int n;
  while (f && fscanf(f, "%d", &n) == 1) {
    struct item *i = xmalloc(sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
  }
}
static void command(int c) {
  struct conn *n = xmalloc(sizeof *n);
  n->fd = c;
  n->next = conns;
  conns = n;
}
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;) {
    command(c);
    printf("%zu\n", used);
  }
  return 0;
}
