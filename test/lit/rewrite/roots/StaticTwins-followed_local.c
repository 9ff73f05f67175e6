// State in a local of main that objects of the heap point to, and that holds the
// heads of lists that lead back to themselves: where it lies in the next run,
// these pointers follow it.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load app.c | FileCheck %s --implicit-check-not=root-in-local
// CHECK: 3 roots
// CHECK-NEXT: app.items
// CHECK-NEXT: app.ring.next
// CHECK-NEXT: app.ring.prev
// CHECK: 1 followed static
// CHECK-NEXT: app restored data point to it
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: FileCheck %s --input-file app.c --check-prefix=TEXT
// TEXT: NVM_DECLARED(NVM_STATIC_HERE("main():app", app));
// TEXT: nvm_start();
// RUN: gcc -pie app.o %runtime_lib -o app
// RUN: printf 'abk' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data
// RUN: printf 'ck' | env NVM_POOL=%t/pool not --crash ./app data
// RUN: printf 's' | env NVM_POOL=%t/pool ./app data | FileCheck %s --check-prefix=OUT
// RUN: printf 's' | ./app data | FileCheck %s --check-prefix=PLAIN
// OUT: 99 98 97 5 4 of 5, 5 in the ring, all of app on 7
// PLAIN: 5 4 of 2, 2 in the ring, all of app on 7
//
// RUN: %nvmove --load load app.c --out again | FileCheck %s --check-prefix=AGAIN
// AGAIN: 0 patches

//--- data
4 5
//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct ring { struct ring *next, *prev; };
struct app;
struct item { struct ring in; struct item *next; struct app *owner; int n; };
struct app { int port; struct item *items; struct ring ring; };
static void add(struct app *app, int n) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  *i = (struct item){{&app->ring, app->ring.prev}, app->items, app, n};
  app->ring.prev->next = &i->in;
  app->ring.prev = &i->in;
  app->items = i;
}
static void load(struct app *app, const char *name) {
  FILE *in = fopen(name, "r");
  int n;
  while (in && fscanf(in, "%d", &n) == 1)
    add(app, n);
}
static void show(struct app *app) {
  int n = 0, ring = 0, ours = 1;
  for (struct item *i = app->items; i; i = i->next, n++) {
    printf("%d ", i->n);
    ours &= i->owner == app;
  }
  for (struct ring *r = app->ring.next; r != &app->ring; r = r->next)
    ring++;
  printf("of %d, %d in the ring, %s of app on %d\n", n, ring,
         ours ? "all" : "not all", app->port);
}
int main(int argc, char **argv) {
  struct app app = {7, NULL, {NULL, NULL}}, *all = &app;
  int c;
  all->ring.next = all->ring.prev = &all->ring;
  load(all, argv[argc - 1]);
  while ((c = getchar()) != EOF)
    if (c == 'k')
      kill(getpid(), SIGKILL);
    else if (c == 's')
      show(all);
    else
      add(all, c);
  return 0;
}
