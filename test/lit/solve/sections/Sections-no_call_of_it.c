// A section around calls of a function that is only called through a pointer is
// none: nothing is committed, and that is to act on.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %nvmove_act --load load --section add app.c > out
// RUN: FileCheck %s --input-file out
// CHECK: 1 finding to act on
// CHECK: no-sections {{.*}}there is no call of add that a section could be put around

#include <stdio.h>
#include <stdlib.h>

struct item { int id; struct item *next; };
static struct item *all;

static void put(int id) {
  struct item *it = malloc(sizeof *it);
  it->id = id;
  it->next = all;
  all = it;
}
static void add(int id) { put(id); }
static void load(FILE *f) {
  int id;
  while (f && fscanf(f, "%d", &id) == 1)
    put(id);
}
void each(int n, void (*call)(int id)) {
  for (int i = 0; i < n; i++)
    call(i);
}
int main(void) {
  load(fopen("data", "r"));
  each(3, add);
  for (struct item *it = all; it; it = it->next)
    printf("%d\n", it->id);
  return 0;
}
