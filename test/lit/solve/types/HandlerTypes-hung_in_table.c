// What handlers alone hang into the records of a table that comes back whole is
// persistent, too: without it the next start finds dead addresses there.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && echo '3 4' > data
// RUN: %nvmove --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK: 2 persistent types
// CHECK-DAG: note {{.*}}a handler allocates it, and item.notes points to it
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'n 1 7\nn 1 8\nx 0 0\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf 'p 0 0\n' | env NVM_POOL=%t/pool ./app | FileCheck %s --check-prefix=OUT
// OUT:      3:
// OUT-NEXT: 4: 8 7

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct note { struct note *next; int v; };
struct item { int v; struct note *notes; };
static struct { struct item items[8]; int n; } world;

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int v;
  while (f && world.n < 8 && fscanf(f, "%d", &v) == 1) {
    struct item *i = &world.items[world.n++];
    i->v = v;
    i->notes = NULL;
  }
  if (f)
    fclose(f);
}
static void note(struct item *i, int v) {
  struct note *n = malloc(sizeof *n);
  n->v = v;
  n->next = i->notes;
  i->notes = n;
}
static void show(void) {
  for (int k = 0; k < world.n; k++) {
    printf("%d:", world.items[k].v);
    for (struct note *n = world.items[k].notes; n; n = n->next)
      printf(" %d", n->v);
    printf("\n");
  }
}
static void command(char c, int at, int v) {
  if (c == 'n' && at < world.n)
    note(&world.items[at], v);
  if (c == 'p')
    show();
  if (c == 'x')
    raise(SIGKILL);
}
int main(void) {
  char line[80], c;
  int at, v;
  load("data");
  while (fgets(line, sizeof line, stdin))
    if (sscanf(line, "%c %d %d", &c, &at, &v) == 3)
      command(c, at, v);
  return 0;
}
