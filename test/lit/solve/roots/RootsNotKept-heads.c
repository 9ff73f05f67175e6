// Several heads of lists in one static record are each a root, if the load
// names them; the others are told.
//
// RUN: %nvmove --load load --print roots %s | FileCheck %s
// CHECK:      app.links.first
// CHECK-NEXT: app.links.last
// CHECK-NEXT: app.users.lists[].first
// CHECK-NEXT: app.users.lists[].last
// CHECK-NOT:  conns
// RUN: rm -rf %t
// RUN: %nvmove --load load --out %t %s | FileCheck %s --check-prefix=TOLD
// TOLD: head-not-kept app.conns is not kept, though app.{{[a-z]+}}{{.*}} is: the load does not fill it by name
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
struct list { struct item *first, *last; };
struct hash { struct list lists[8]; };
static struct app { struct list conns, links; struct hash users; } app;
static void list_add(struct list *l, int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = NULL;
  if (l->last) l->last->next = i; else l->first = i;
  l->last = i;
}
static void load(struct app *a, const char *name) {
  FILE *f = fopen(name, "rb");
  int c;
  while ((c = fgetc(f)) != EOF) {
    list_add(&a->links, c);
    list_add(&a->users.lists[c % 8], c);
  }
  fclose(f);
}
static void show(struct list *l) {
  for (struct item *i = l->first; i; i = i->next) printf("%d\n", i->n);
}
int main(int argc, char **argv) {
  char line[80];
  load(&app, argv[argc - 1]);
  while (fgets(line, sizeof line, stdin)) {
    if (*line == 'c') list_add(&app.conns, 7);
    show(&app.links);
    show(&app.users.lists[1]);
  }
  return 0;
}
