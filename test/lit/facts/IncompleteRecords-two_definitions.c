// Two files define a struct table, each its own. The file that loads knows it
// by a declaration alone, and means the one of the functions that it calls; so
// does a file that only hands such tables on. Where it calls them through
// pointers, which is meant is not known: told.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --out one main.c store.c table.c other.c | FileCheck %s --implicit-check-not=several-definitions
// RUN: %nvmove --load load --out two main.c store.c table.c other.c -- -DHOOKS | FileCheck %s --check-prefix=HOOKS
// The order of files makes no difference.
// RUN: %nvmove --load load --out three other.c table.c store.c main.c | FileCheck %s --implicit-check-not=several-definitions
// CHECK: 3 persistent types
// CHECK-DAG: cell   table.c
// CHECK-DAG: jar    main.c
// CHECK-DAG: table  table.c
// HOOKS: several-definitions {{.*}}struct table is only declared here, and {{.*}} and {{.*}} define it differently: it is not known which definition is meant, and types reachable from it may be missing
//--- table.h
struct table;
struct table *table_new(void);
void table_put(struct table *, int);
void table_show(struct table *);
struct hooks { struct table *(*make)(void); void (*put)(struct table *, int); };
extern const struct hooks hooks;
//--- table.c
#include "table.h"
#include <stdio.h>
#include <stdlib.h>
struct cell { int v; struct cell *next; };
struct table { struct cell *heads[8]; int count; };
struct table *table_new(void) { return calloc(1, sizeof(struct table)); }
void table_put(struct table *t, int v) {
  struct cell *c = malloc(sizeof *c);
  c->v = v;
  c->next = t->heads[v & 7];
  t->heads[v & 7] = c;
  t->count++;
}
void table_show(struct table *t) {
  for (int i = 0; i < 8; ++i)
    for (struct cell *c = t->heads[i]; c; c = c->next)
      printf("%d\n", c->v);
}
const struct hooks hooks = {table_new, table_put};
//--- other.h
int names_count(void);
//--- other.c
#include "other.h"
#include <stdlib.h>
#include <string.h>
struct table { char *name; double x; struct table *next; };
static struct table *mine;
int names_count(void) {
  int n = 0;
  struct table *t = malloc(sizeof *t);
  t->name = strdup("x");
  t->next = mine;
  mine = t;
  for (t = mine; t; t = t->next) ++n;
  return n;
}
//--- store.h
struct table;
void store_put(struct table *, int);
//--- store.c
#include "store.h"
#include "table.h"
void store_put(struct table *t, int n) {
  struct table *to = t;
#ifdef HOOKS
  hooks.put(to, n);
#else
  table_put(to, n);
#endif
}
//--- main.c
#include "table.h"
#include "other.h"
#include "store.h"
#include <stdio.h>
#include <stdlib.h>
struct jar { struct table *table; int n; };
static struct jar *jar;
static int load(const char *path) {
  int v;
  FILE *f = fopen(path, "r");
  if (!f)
    return -1;
  jar = calloc(1, sizeof *jar);
#ifdef HOOKS
  jar->table = hooks.make();
#else
  jar->table = table_new();
#endif
  while (fscanf(f, "%d", &v) == 1)
    store_put(jar->table, v);
  fclose(f);
  return 0;
}
int main(int argc, char **argv) {
  char line[32];
  load(argv[argc - 1]);
  while (fgets(line, sizeof line, stdin)) {
    store_put(jar->table, atoi(line) + names_count());
  }
}
