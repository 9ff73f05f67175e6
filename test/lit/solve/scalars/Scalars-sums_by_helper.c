// What a helper adds to numbers of a static record behind a pointer comes back,
// by whatever steps.
//
// RUN: cd %S
// RUN: %nvmove --load load --analyze-only --force --out %t.out Scalars-sums_by_helper.c -- | FileCheck %s
// CHECK: 3 restored scalars
// CHECK-NEXT: totals.bytes counts what is loaded
// CHECK-NEXT: totals.n counts what is loaded
// CHECK-NEXT: totals.pages counts what is loaded
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
};
struct totals {
  int n, pages;
  long bytes;
};
static struct item *items;
static struct totals totals;

static void count(struct totals *t) {
  t->n++;
  t->pages += 2;
  t->bytes += sizeof(struct item);
}

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
  count(&totals);
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
  load(argv[1]);
  while (fgets(line, 80, stdin)) {
    add(line[0]);
    printf("%d %d %ld\n", totals.n, totals.pages, totals.bytes);
  }
  return 0;
}
