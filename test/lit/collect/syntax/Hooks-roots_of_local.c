// A second run does not take what NVM_ROOTS_END_WITH() declares for a place where
// the program keeps its record: it still says that each start makes that, and
// that what the program frees is no such record. There is nothing to write.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %nvmove --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      2 roots
// CHECK-NEXT: w->h
// CHECK-NEXT: w->rows
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: %nvmove --force --extra-arg=-I --extra-arg=%runtime_include --load load app.c > again
// RUN: FileCheck %s --input-file again
// RUN: FileCheck %s --input-file again --check-prefix=AGAIN
// AGAIN: 0 patches

#include <stdio.h>
#include <stdlib.h>

struct world { int **rows; int h, w; };

static struct world *make(void) {
  struct world *w = calloc(1, sizeof *w);
  w->w = 4;
  return w;
}
static void add(struct world *w, int v) {
  int *row = calloc((size_t)w->w, sizeof *row);
  row[0] = v;
  w->rows = realloc(w->rows, ((size_t)w->h + 1) * sizeof *w->rows);
  w->rows[w->h++] = row;
}
static void load(const char *name, struct world *w) {
  FILE *f = fopen(name, "r");
  int v;
  while (f && fscanf(f, "%d", &v) == 1)
    add(w, v);
  if (f)
    fclose(f);
}
static void command(struct world *w, int v) {
  if (v < 0 && w->h)
    free(w->rows[--w->h]);
  else
    add(w, v);
}
int main(void) {
  char line[80];
  struct world *w = make();
  load("data", w);
  while (fgets(line, sizeof line, stdin))
    command(w, atoi(line));
  return 0;
}
