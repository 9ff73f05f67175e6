// --algorithm worklist: from the load on, each function that is handed a pointer
// is looked through, and what it writes or allocates is persistent, wherever it
// hangs: the report that the load makes for itself as well. One that is handed
// numbers alone cannot touch the state, nor can what only it calls, here the
// function that makes the items.
//
// RUN: %nvmove --load load --algorithm worklist --print types %s | FileCheck %s --implicit-check-not={{.}} --match-full-lines
// CHECK: report
// CHECK-NEXT: table
// RUN: %nvmove --load load --print types %s | FileCheck %s --check-prefix=POINTS --implicit-check-not={{.}} --match-full-lines
// POINTS: item
// POINTS-NEXT: table
#include <stdio.h>
#include <stdlib.h>
struct item { int n; struct item *next; };
struct table { struct item *first; int used; };
struct report { int lines; };
static struct table table;
static struct item *make(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = table.first;
  return i;
}
static void count(struct report *r) { r->lines++; }
static void put(struct table *t, int n) {
  t->first = make(n);
  t->used++;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  struct report report = {0};
  int n;
  while (f && fscanf(f, "%d", &n) == 1) {
    put(&table, n);
    count(&report);
  }
  printf("%d\n", report.lines);
}
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;)
    for (struct item *i = table.first; i; i = i->next)
      i->n += c;
  return 0;
}
