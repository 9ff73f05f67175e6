// The address of a static stands in a block that is a bare table of pointers,
// where it says that something was removed, or in a static one, written through
// a pointer: no field says so, and the static is followed all the same.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// OUT:      2 roots
// OUT:      1 twin
// OUT-NEXT: gone a table of pointers points to it
// OUT:      1 followed static
// OUT-NEXT: removed a table of pointers points to it
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc -pie app.o %runtime_lib -o app
// RUN: printf 'BCk' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data 2> log
// RUN: printf 'srs' | env NVM_POOL=%t/pool ./app > second 2>> log
// RUN: FileCheck %s --input-file second
// CHECK:      ad, 2 removed; ad, 2 gone
// CHECK-NEXT: ard, 1 removed; ard, 1 gone

//--- data
abcd

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item { int n; };
static char removed;
static struct item gone;
#define REMOVED ((struct item *)(void *)&removed)
static struct item **table;
static struct item *others[16];
static int size = 16;

static struct item **find(struct item **in, int n, const void *nothing) {
  for (int i = n % size; in[i]; i = (i + 1) % size)
    if (in[i] != nothing && in[i]->n == n)
      return &in[i];
  return NULL;
}
static void put(struct item **in, struct item *it, const void *nothing) {
  int i = it->n % size;
  while (in[i] && in[i] != nothing)
    i = (i + 1) % size;
  in[i] = it;
}
static void add(int n) {
  struct item *it = malloc(sizeof *it);
  if (!it)
    abort();
  it->n = n;
  put(table, it, REMOVED);
  put(others, it, &gone);
}
static void load(const char *name) {
  FILE *in = fopen(name, "r");
  if (!in)
    return;
  table = calloc((size_t)size, sizeof *table);
  if (!table)
    abort();
  for (int c; (c = getc(in)) > ' ';)
    add(c);
  fclose(in);
}
static void command(int c) {
  struct item **at;
  if (c >= 'a') {
    add(c);
    return;
  }
  if ((at = find(table, c + 'a' - 'A', REMOVED)))
    *at = REMOVED;
  if ((at = find(others, c + 'a' - 'A', &gone)))
    *at = &gone;
}
static void show(void) {
  for (int k = 0; k < 2; k++) {
    struct item **in = k ? others : table;
    int n = 0;
    for (int i = 0; i < size; i++)
      if (in[i] == (k ? &gone : REMOVED))
        n++;
      else if (in[i])
        putchar(in[i]->n);
    printf(k ? ", %d gone\n" : ", %d removed; ", n);
  }
}
int main(int argc, char **argv) {
  load(argc > 1 ? argv[1] : "/nowhere");
  for (int c; (c = getchar()) != EOF;)
    if (c == 's')
      show();
    else if (c == 'k')
      kill(getpid(), SIGKILL);
    else
      command(c);
  return 0;
}
