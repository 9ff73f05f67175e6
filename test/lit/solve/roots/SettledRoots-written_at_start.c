// A large table that only start-up writes is not looked at by each commit. One
// that a handler writes is, and so is one of which somebody has the address.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf '1 2 ' > data
// RUN: %nvmove --load load app.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: grep -v '^//' app.c | FileCheck %s --implicit-check-not='SETTLED(later' --implicit-check-not='SETTLED(handed' --implicit-check-not='SETTLED(small'
// CHECK-DAG: NVM_ROOT_POINTERS(shared);
// CHECK-DAG: NVM_SETTLED(shared);
// CHECK-DAG: NVM_ROOT_POINTERS(later);
// CHECK-DAG: NVM_ROOT_POINTERS(handed);
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'u\nl\nh\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf '?\n' | env NVM_POOL=%t/pool NVM_VERIFY=1 ./app >> log 2> err
// RUN: FileCheck %s --check-prefix=LOG --input-file log
// LOG: 2 3 3 2
// RUN: not grep -E 'unannounced|settled' err
//
// What is wrongly said to be settled is reported where that is asked for.
// RUN: sed 's/NVM_SETTLED(shared);/NVM_SETTLED(shared); NVM_SETTLED(later);/' app.c > wrong.c
// RUN: gcc -I%runtime_include wrong.c %runtime_lib -o wrong
// RUN: printf 'u\nl\n' | env NVM_POOL=%t/second NVM_SIZE=32M NVM_VERIFY=1 ./wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: root later was written after start-up, although it is registered as settled

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; int v, uses; };
static struct item *items;
static struct item *shared[600], *later[600], *handed[600], *small[4];

static struct item *make(int v) {
  struct item *i = calloc(1, sizeof *i);
  i->v = v;
  i->next = items;
  items = i;
  return i;
}
static void load(const char *name) {
  int v;
  FILE *f = fopen(name, "r");
  while (f && fscanf(f, "%d", &v) == 1)
    shared[v] = later[v] = handed[v] = small[v % 4] = make(v);
  if (f)
    fclose(f);
}
static void put(struct item **table, int at, struct item *i) {
  table[at] = i;
}
static void command(char c) {
  if (c == 'u')
    shared[2]->uses++;
  if (c == 'l')
    later[1] = make(3);
  if (c == 'h')
    put(handed, 1, later[1]);
  if (c == 'x')
    raise(SIGKILL);
  if (c == '?')
    printf("%d %d %d %d\n", shared[2]->uses + 1, later[1]->v, handed[1]->v, small[2]->v);
}
int main(void) {
  char line[80];
  load("data");
  while (fgets(line, sizeof line, stdin)) {
    command(line[0]);
    fflush(stdout);
  }
  return 0;
}
