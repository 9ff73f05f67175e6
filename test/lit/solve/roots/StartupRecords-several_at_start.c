// A block of several records that start-up makes, of which the load fills more than
// the first, is no single record that is kept by value; one with the line of its
// caller beside the size is.
//
// RUN: %nvmove --load load --analyze-only --force --out %t.out %s -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK:      5 roots
// CHECK-NEXT: app->items {{.*}}each start creates its container; restored members: items
// CHECK-NEXT: app->n {{.*}}each start creates its container; restored members: n
// CHECK-NEXT: racks {{.*}}StartupRecords-several_at_start.c:{{[0-9:]+$}}
// CHECK-NEXT: rows {{.*}}StartupRecords-several_at_start.c:{{[0-9:]+$}}
// CHECK-NEXT: shelves {{.*}}StartupRecords-several_at_start.c:{{[0-9:]+$}}

#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int c; };
struct shelf { struct item *items; int n; FILE *log; };
struct rack { struct item *items; int n; FILE *log; };
struct row { struct item *items; int n; FILE *log; };
struct app { struct item *items; int n; FILE *log; };
static struct shelf *shelves;
static struct rack *racks;
static struct row *rows;
static struct app *app;

static void *get_cleared(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p)
    abort();
  return p;
}
static void *get(size_t size, int line) {
  void *p = calloc(1, size);
  if (!p)
    fprintf(stderr, "%d\n", line);
  return p;
}
static struct item *add(struct item *next, int c) {
  struct item *i = malloc(sizeof *i);
  i->c = c;
  i->next = next;
  return i;
}
static void load(void) {
  FILE *f = fopen("list", "r");
  int c;
  while ((c = getc(f)) != EOF) {
    shelves[1].items = add(shelves[1].items, c);
    shelves[1].n++;
    racks[2].items = add(racks[2].items, c);
    racks[2].n++;
    rows[3].items = add(rows[3].items, c);
    rows[3].n++;
    app->items = add(app->items, c);
    app->n++;
  }
  fclose(f);
}
int main(void) {
  char line[80];
  shelves = calloc(4, sizeof *shelves);
  racks = malloc(4 * sizeof *racks);
  rows = get_cleared(4, sizeof *rows);
  app = get(sizeof *app, __LINE__);
  load();
  while (fgets(line, 80, stdin))
    printf("%d %d %d %d\n", shelves[1].n++, racks[2].n++, rows[3].n++, app->n++);
  return 0;
}
