// A record that hangs from a member of a local of main without an initialiser:
// the member is null until it is set. A pointer that walks along what hangs there
// is no root.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load app.c | FileCheck %s
// CHECK: 1 root
// CHECK-NEXT: app.jar->items
// CHECK-NOT: function-scope-static
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: FileCheck %s --input-file app.c --check-prefix=TEXT
// TEXT: struct app app;
// TEXT: NVM_DECLARED(app.jar = 0);
// TEXT-NEXT: NVM_DECLARED(NVM_ROOT_POINTERS_BEHIND_HERE("main():app.jar->items", app.jar, struct jar, items));
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'ak' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data
// RUN: printf 's' | env NVM_POOL=%t/pool ./app data | FileCheck %s --check-prefix=OUT
// OUT: 97 5 4

//--- data
4 5
//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct item { struct item *next; int n; };
struct jar { FILE *log; struct item *items; };
struct app { int fd; struct jar *jar; };
static void add(struct app *app, int n) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->n = n;
  i->next = app->jar->items;
  app->jar->items = i;
}
static void load(struct app *app, const char *name) {
  FILE *in = fopen(name, "r");
  int n;
  while (in && fscanf(in, "%d", &n) == 1)
    add(app, n);
}
int main(int argc, char **argv) {
  struct app app;
  int c;
  app.fd = 0;
  app.jar = calloc(1, sizeof *app.jar);
  if (!app.jar)
    return 1;
  app.jar->log = stderr;
  load(&app, argv[argc - 1]);
  while ((c = getchar()) != EOF)
    if (c == 'k')
      kill(getpid(), SIGKILL);
    else if (c == 's')
      for (struct item *i = app.jar->items; i; i = i->next)
        printf("%d ", i->n);
    else
      add(&app, c);
  return 0;
}
