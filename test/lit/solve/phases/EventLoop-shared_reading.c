// The load and the main loop read by the same function, one from a file and the
// other from the user: it serves no events, and the load is not cut there.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --section keep t.c | FileCheck %s --implicit-check-not=dispatcher-reentered
// CHECK: 2 persistent types
// CHECK-NEXT: item {{ *}}t.c
// CHECK-NEXT: tag
// CHECK: 1 root
// CHECK-NEXT: items
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct tag { struct tag *next; int n; };
struct item { struct item *next; char name[40]; struct tag *tags; };
static struct item *items;
static char *read_line(FILE *f, char *line, int n) { return fgets(line, n, f); }
static struct item *read_item(FILE *f) {
  char line[40];
  if (!read_line(f, line, sizeof line))
    return NULL;
  struct item *i = calloc(1, sizeof *i);
  strcpy(i->name, line);
  for (char *l = line; *l; l++)
    if (*l == 't') {
      struct tag *t = calloc(1, sizeof *t);
      t->n = l[1];
      t->next = i->tags;
      i->tags = t;
    }
  return i;
}
static void keep(struct item *i) {
  i->next = items;
  items = i;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  for (struct item *i; f && (i = read_item(f));)
    keep(i);
}
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (struct item *i; (i = read_item(stdin));) {
    keep(i);
    puts(i->name);
  }
  return 0;
}
