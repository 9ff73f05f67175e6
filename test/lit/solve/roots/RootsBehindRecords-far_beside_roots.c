// What the load fills hangs behind two records that start-up makes, while
// another member of the first is a root, or the second is met elsewhere, too.
//
// RUN: %nvmove --load load --print roots %s | FileCheck %s
// RUN: %nvmove --load load --print types %s | FileCheck %s --check-prefix=TYPES
// CHECK:      s1
// CHECK-NEXT: server->p2
// CHECK-NEXT: server->s0
// TYPES: coll

#include <stdio.h>
#include <stdlib.h>
struct item { int n; struct item *next; };
struct map { struct item *first; };
struct ops { void (*add)(void *c, struct item *i); };
struct coll { const struct ops *ops; void *impl; };
static struct server { FILE *log; struct coll *s0; struct item *p2; } *server;
static struct map *s1;
static struct map *map_new(void) { return calloc(1, sizeof(struct map)); }
static void map_add(struct map *m, struct item *i) { i->next = m->first; m->first = i; }
static void l_add(void *c, struct item *i) { map_add(c, i); }
static const struct ops ops = { l_add };
static struct coll *coll_new(void) { struct coll *c = calloc(1, sizeof *c); c->ops = &ops; c->impl = map_new(); return c; }
static void load(FILE *f) { int n; while (fread(&n, sizeof n, 1, f) == 1) { struct item *i = calloc(1, sizeof *i); i->n = n; 
  if (n & 1) server->s0->ops->add(server->s0->impl, i); else map_add(s1, i); server->p2 = i; } }
int main(int argc, char **argv) {
  server = calloc(1, sizeof *server); server->log = stderr; server->s0 = coll_new(); s1 = map_new();
  FILE *f = fopen(argv[1], "r");
  if (f) { load(f); fclose(f); }
  while (getchar() != EOF) for (struct item *i = ((struct map *)server->s0->impl)->first; i; i = i->next) printf("%d\n", i->n);
  return 0;
}
