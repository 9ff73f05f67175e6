// A macro pastes the name of a member, which is a bit-field in one record and a
// plain member in another: the object is announced, which is right for both. So
// it is where the bit-field is one of a variable.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: not grep macro-expansions-differ out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: NVM_OBJ(o)->have_##v = 1;
// CHECK: NVM_OBJ(o)->m = 0)
// RUN: %nvmove verify --load load program.c
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '1 2 3' > data
// RUN: printf 'ic' | env NVM_VERIFY=1 NVM_POOL=%t/pool NVM_SIZE=32M ./app 2> log | FileCheck %s --check-prefix=ONCE
// ONCE: 3 1 1 0
// RUN: not grep -i unannounced log
//
// What is written is not a member of that object in both: the macro stays.
//
// RUN: %nvmove_act --load load --force --out other other.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OTHER
// OTHER: macro-expansions-differ

//--- program.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
  unsigned have_n : 1, seen : 1;
};
struct group {
  struct group *next;
  int n, have_n, seen;
};
static struct item *items;
static struct group *groups;

#define INHERIT(o, t, v)                                                       \
  do {                                                                         \
    if (!(o)->have_##v && (t)->have_##v) {                                     \
      (o)->v = (t)->v;                                                         \
      (o)->have_##v = 1;                                                       \
    }                                                                          \
  } while (0)
#define CLEAR(o, m) ((o)->m = 0)

static void load(void) {
  int n;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = calloc(1, sizeof *i);
    struct group *g = calloc(1, sizeof *g);
    if (!i || !g)
      abort();
    i->n = n;
    i->have_n = n != 3;
    i->next = items;
    items = i;
    g->seen = 1;
    g->next = groups;
    groups = g;
  }
  fclose(f);
}
static void command(int c) {
  struct item local = {0};
  if (c == 'i') {
    items->n = items->next->n + 1;
    items->have_n = 1;
    INHERIT(groups, items, n);
    INHERIT(items, items->next, n);
  }
  if (c == 'c') {
    CLEAR(groups, seen);
    CLEAR(&local, seen);
  }
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  printf("%d %d %d %d\n", groups->n, groups->have_n, items->have_n,
         groups->seen);
  return 0;
}

//--- other.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next, *other;
  int n, list[4];
  unsigned have_n : 1;
};
static struct item *items;

#define SET(o, m, x) (o)->m = (x)

static void load(void) {
  int n;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = calloc(1, sizeof *i);
    if (!i)
      abort();
    SET(i, n, n);
    SET(i, have_n, 1);
    SET(i, list[2], 1);
    i->other = items;
    if (items)
      SET(i, other->n, 5);
    i->next = items;
    items = i;
  }
  fclose(f);
}
int main(void) {
  load();
  while (getchar() != EOF)
    items->n++;
  printf("%d\n", items ? items->n : 0);
  return 0;
}
