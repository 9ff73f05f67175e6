// The guard stands around all that opens a set, as handlers open more by the same function: what a later start skips
// with the load has put the set among all, which hang from a local of main. With what the finding says all of that is
// the load's.
//
// RUN: %nvmove_act --load load --out %t --force %s | FileCheck %s
// RUN: %nvmove --load open_set --out %t --force %s | FileCheck %s --check-prefix=NOT
// CHECK: RegisteredOutside-skipped.c:[[#@LINE+26]]:{{[0-9]+}} registered-outside{{ +}}open_set() has an object loaded, and beside that puts it into all.first: a later start skips open_sets() as a whole, and what only the load's own functions change is kept (in put)
// CHECK-NEXT: name that function as the load: --load open_set
// NOT: all.first
// NOT-NOT: registered-outside
//
// Where the set is handed on in more ways than are followed, that is said.
// RUN: %nvmove_act --load load --out %t --force %s -- -DMANY_WAYS | FileCheck %s --check-prefix=WAYS
// WAYS: registrations-open{{ +}}where open_set() puts an object that it has loaded was not followed to the end: there are too many ways
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  struct item *next;
  int id;
};
struct set {
  struct set *next;
  char *name;
  struct item *items;
};
struct all {
  struct set *first;
};

static void put(struct all *a, struct set *s) {
  s->next = a->first;
  a->first = s;
}
#ifdef MANY_WAYS
#define EITHER(name, to) \
  static void name(struct all *a, struct set *s) { s->items ? to(a, s) : to(a, s); }
EITHER(put1, put)
EITHER(put2, put1)
EITHER(put3, put2)
EITHER(put4, put3)
EITHER(put5, put4)
EITHER(put6, put5)
EITHER(put7, put6)
EITHER(put8, put7)
EITHER(put9, put8)
EITHER(put10, put9)
EITHER(put11, put10)
EITHER(put12, put11)
EITHER(put13, put12)
EITHER(put14, put13)
EITHER(put15, put14)
EITHER(put16, put15)
#define put put16
#endif
static void add(struct set *s, int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = s->items;
  s->items = i;
}
static void load(struct set *s, FILE *in) {
  int id;
  while (fscanf(in, "%d", &id) == 1)
    add(s, id);
}
static struct set *open_set(struct all *a, const char *name) {
  FILE *in = fopen(name, "r");
  if (!in)
    return NULL;
  struct set *s = calloc(1, sizeof *s);
  s->name = strdup(name);
  load(s, in);
  fclose(in);
  put(a, s);
  return s;
}
static void open_sets(struct all *a, char **names) {
  for (; *names; names++)
    if (!open_set(a, *names))
      exit(1);
}
static struct set *find(struct all *a, const char *name) {
  struct set *s;
  for (s = a->first; s && strcmp(s->name, name); s = s->next)
    ;
  return s ? s : open_set(a, name);
}
int main(int argc, char **argv) {
  struct all all = {NULL};
  char name[80];
  int id;
  open_sets(&all, argv + 1);
  while (scanf("%79s %d", name, &id) == 2) {
    struct set *s = find(&all, name);
    if (s)
      add(s, id);
    printf("%d\n", s != NULL);
  }
  return argc < 0;
}
