// A function of another file that never returns, without saying so: what runs
// after it was called does not load anything, and what it does itself, with the
// user's other state in hand, is not for loading either.
//
// RUN: %nvmove --load load --print types %s %S/Inputs/die.c -- -std=gnu99 | FileCheck %s --match-full-lines
// RUN: %nvmove --load load --print types %s %S/Inputs/die.c -- -std=gnu99 -DRETURNS | FileCheck %s --match-full-lines --check-prefix=RETURNS
//
// A program that never returns from its main loop is no error on the way to it.
// RUN: %nvmove --load load --print types %s %S/Inputs/die.c -- -std=gnu99 -DQUITS | FileCheck %s --match-full-lines
//
// Given a function that never returns, all that it does is loading, how it ends
// too: which of its calls are errors cannot be told.
// RUN: %nvmove --load all --print types %s %S/Inputs/die.c -- -std=gnu99 -DQUITS | FileCheck %s --match-full-lines --check-prefix=RETURNS
//
// CHECK: item
// CHECK-NOT: {{.}}
// RETURNS-DAG: item
// RETURNS-DAG: backup
#include <stdio.h>
#include <stdlib.h>

struct item {
  int id;
  struct item *next;
};
static struct item *items;

void die(const char *why);
void run(void);

static void *get(size_t n) {
  void *p = malloc(n);
  if (!p)
    die("no memory");
  return p;
}

void load(FILE *f) {
  int id;
  while (fread(&id, sizeof id, 1, f) == 1) {
    struct item *it = get(sizeof *it);
    it->id = id;
    it->next = items;
    items = it;
  }
}

#ifdef QUITS
static void first(void) {
  load(stdin);
  run();
}

void all(void) { first(); }
#endif

int main(void) {
#ifdef QUITS
  all();
#else
  load(stdin);
#endif
  return 0;
}
