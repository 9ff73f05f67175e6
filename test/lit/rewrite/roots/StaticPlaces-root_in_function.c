// All state hangs from a local of main, or from statics inside functions: they are
// registered where they are declared.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=root-in-local --implicit-check-not=function-scope-static
// CHECK-DAG: app.count
// CHECK-DAG: set-by-load {{.*}}app.mode is set by the load, but not restored
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT:      static struct store it;
// TEXT-DAG:    NVM_ROOT_POINTERS_HERE("store():it.first", it.first);
// TEXT-DAG:    NVM_ROOT_HERE("store():it.count", it.count);
// TEXT:      struct app app;
// TEXT-NEXT:   NVM_ROOTS_END_WITH(app);
// TEXT-DAG:    NVM_DECLARED(NVM_ROOT_POINTERS_HERE("main():app.first", app.first));
// TEXT-DAG:    NVM_DECLARED(NVM_ROOT_HERE("main():app.count", app.count));
// RUN: gcc -Wall -Werror -I %runtime_include program.c %runtime_lib -o app
// RUN: printf '5 7' > data
// RUN: printf '+x' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf '+?' | env NVM_POOL=%t/pool ./app > log
// RUN: printf '?' | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: 4 items of 4 1 2 5 7; 4 of 4, last 2
// RUN: printf '?' | ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=PLAIN
// PLAIN: 2 items of 2 5 7; 2 of 2, last 7
//
// Nothing is written a second time.
// RUN: %nvmove --load load program.c --out again > again.out
// RUN: FileCheck %s --input-file again.out --check-prefix=AGAIN
// AGAIN-NOT: nvm_known
// AGAIN: 0 patches
//
// Objects point to the local, which lies elsewhere in the next run, and is not
// there yet when the pool is opened: it is not kept, and the load not skipped.
// RUN: %nvmove_act --load load other.c --out other > other.out
// RUN: FileCheck %s --input-file other.out --check-prefix=OTHER
// OTHER: load-not-guarded {{.*}}app.first is reachable from a local variable, which the pool cannot keep

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
struct app {
  struct item *first;
  int count, mode;
  const char *file;
};
struct store {
  struct item *first;
  int count;
};

static struct item **newest(void) {
  static struct item *item;
  return &item;
}
static struct store *store(void) {
  static struct store it;
  return &it;
}
static struct item *make(int n, struct item *next) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->n = n;
  i->next = next;
  return i;
}
static void add(struct app *app, int n) {
  struct item **last = &app->first;
  while (*last && (*last)->n < n)
    last = &(*last)->next;
  *last = make(n, *last);
  ++app->count;
  store()->first = make(n, store()->first);
  store()->count++;
  *newest() = store()->first;
}
static int load(struct app *app) {
  int n;
  FILE *f = fopen(app->file, "r");
  if (!f)
    return -1;
  app->mode = 1;
  while (fscanf(f, "%d", &n) == 1)
    add(app, n);
  fclose(f);
  return 0;
}
static void command(struct app *app, int c) {
  struct item *i;
  int n = 0;
  if (c == 'x')
    kill(getpid(), SIGKILL);
  if (c == '+')
    add(app, app->count - 1);
  if (c != '?')
    return;
  for (i = app->first; i; i = i->next)
    n++;
  printf("%d items of %d", n, app->count);
  for (i = app->first; i; i = i->next)
    printf(" %d", i->n);
  for (n = 0, i = store()->first; i; i = i->next)
    n++;
  printf("; %d of %d, last %d\n", n, store()->count, (*newest())->n);
}
int main(void) {
  struct app app;
  int c;
  memset(&app, 0, sizeof app);
  app.file = "data";
  if (load(&app) < 0)
    fprintf(stderr, "no file\n");
  while ((c = getchar()) != EOF)
    command(&app, c);
  return 0;
}

//--- other.c
#include <stdio.h>
#include <stdlib.h>

struct app;
struct item {
  struct item *next;
  struct app *owner;
  int n;
};
struct app {
  struct item *first;
  const char *file;
};
static void add(struct app *app, int n) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->n = n;
  i->owner = app;
  i->next = app->first;
  app->first = i;
}
static void load(struct app *app) {
  int n;
  FILE *f = fopen(app->file, "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    add(app, n);
  fclose(f);
}
int main(void) {
  int c;
  puts("starts");
  struct app app = {NULL, "data"};
  load(&app);
  while ((c = getchar()) != EOF)
    add(&app, c);
  return app.first->n;
}
