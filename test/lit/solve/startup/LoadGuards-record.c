// The load gives a record back by value, and all members of where that is put come
// back by themselves: the assignment is skipped as a whole. Not where a member does
// not, where the statement does more, or where it declares the variable.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %nvmove --load load app.c | FileCheck %s --check-prefix=GUARDED
// GUARDED: 1 load call guarded
// GUARDED: nothing to act on
// RUN: FileCheck %s --input-file nvmove-out/patches/1-roots.patch --check-prefix=PATCH
// PATCH:      -  w = load(f);
// PATCH-NEXT: +  if (!nvm_restore()) w = load(f);
// PATCH-NEXT: +  nvm_ready();
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app && echo 3 > data
// RUN: printf '4\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app | FileCheck %s --check-prefix=FIRST
// RUN: printf '5\n' | env NVM_POOL=%t/pool not --crash ./app | FileCheck %s --check-prefix=SECOND
// FIRST: 2: 4 3
// SECOND: 3: 5 4 3
// RUN: %nvmove --load load --force app.c -- -I %runtime_include | FileCheck %s --check-prefix=AGAIN
// AGAIN: 0 patches
//
// RUN: cp %s app.c
// RUN: %nvmove_act --load load --force app.c -- -DFILES | FileCheck %s --check-prefix=OPEN
// RUN: %nvmove_act --load load --force app.c -- -DMORE | FileCheck %s --check-prefix=OPEN
// RUN: %nvmove_act --load load --force app.c -- -DDECLARED | FileCheck %s --check-prefix=OPEN
// OPEN: load-not-guarded {{.*}}its result is {{a struct or union|used, and the statement does more}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  struct item *next;
  int v;
};
struct world {
  struct item *items;
  int n;
#ifdef FILES
  FILE *from;
#endif
};

static void add(struct world *w, int v) {
  struct item *i = malloc(sizeof *i);
  i->v = v;
  i->next = w->items;
  w->items = i;
  w->n++;
}
static struct world load(FILE *f) {
  struct world w;
  int v;
  memset(&w, 0, sizeof w);
  while (f && fscanf(f, "%d", &v) == 1)
    add(&w, v);
#ifdef FILES
  w.from = f;
#endif
  return w;
}
static void command(struct world *w, const char *line) {
  add(w, atoi(line));
  printf("%d:", w->n);
  for (struct item *i = w->items; i; i = i->next)
    printf(" %d", i->v);
  puts("");
  fflush(stdout);
}
int main(void) {
  char line[80];
  FILE *f = fopen("data", "r");
#ifdef DECLARED
  struct world w = load(f);
#else
  struct world w;
#ifdef MORE
  int lines = 0;
  lines++, w = load(f);
#else
  w = load(f);
#endif
#endif
#ifdef FILES
  if (w.from)
    fclose(w.from);
#endif
  while (fgets(line, sizeof line, stdin))
    command(&w, line);
  abort();
}
