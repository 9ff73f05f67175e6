// What main stores behind the call of the load is not there while it runs.
//
// RUN: cd %S
// RUN: %nvmove --load load --print types PreLoadNullness-behind_the_load.c -- | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --print types PreLoadNullness-behind_the_load.c -- -DONE_LINE | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: item
// RUN: %nvmove --load load --print types PreLoadNullness-behind_the_load.c -- -DBEFORE | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types PreLoadNullness-behind_the_load.c -- -DAGAIN | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types PreLoadNullness-behind_the_load.c -- -DLINE_BEFORE | FileCheck %s --check-prefix=ALL
// RUN: %nvmove --load load --print types PreLoadNullness-behind_the_load.c -- -DWITHIN | FileCheck %s --check-prefix=ALL
// ALL: item
// ALL-NEXT: change
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
};
struct change {
  struct change *next;
  int n;
};
static struct item *items;
static struct change *changes;
static void (*on_change)(struct change *);

static void note(struct change *c) {
  c->next = changes;
  changes = c;
}

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
  if (!on_change)
    return;
  struct change *c = malloc(sizeof *c);
  c->n = n;
  on_change(c);
}

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int c;
  while ((c = getc(f)) != EOF)
    add(c);
  fclose(f);
}

int main(int argc, char **argv) {
  char line[80];
#ifdef BEFORE
  on_change = note;
#endif
#ifdef AGAIN
  for (int i = 0; i < 2; i++) {
    load(argv[1]);
    on_change = note;
  }
#elif defined ONE_LINE
  load(argv[1]); on_change = note;
#elif defined LINE_BEFORE
  on_change = note; load(argv[1]);
#elif defined WITHIN
  load((on_change = note, argv[1]));
#else
  load(argv[1]);
#endif
  on_change = note;
  while (fgets(line, 80, stdin))
    add(line[0]);
  return items->n;
}
