// A macro makes a string of the argument that names a function: there a hook would
// change the string. The function is followed instead.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load t.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// TEXT:     add(tick, v);
// TEXT-DAG: NVM_STATIC_FUNCTION(tick);
// TEXT-DAG: NVM_CODE(quiet);
// RUN: gcc -pie t.o %runtime_lib -o t
// RUN: printf '1 2 3' > data
// RUN: env NVM_POOL=%t/pool NVM_SIZE=64M ./t data > first
// RUN: env NVM_POOL=%t/pool ./t /dev/null > second
// RUN: diff first second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND: tick 4 quiet 0
#include <stdio.h>
#include <stdlib.h>
struct job { struct job *next; int (*run)(int); int (*end)(int); const char *name; int n; };
static struct job *jobs;
static int tick(int n) { return n + 1; }
static int tock(int n) { return n - 1; }
static int quiet(int n) { return n * 0; }
static void add_named(int (*run)(int), int (*end)(int), int n,
                      const char *name) {
  struct job *j = malloc(sizeof *j);
  if (!j)
    abort();
  j->run = run;
  j->end = end;
  j->name = name;
  j->n = n;
  j->next = jobs;
  jobs = j;
}
#define add(f, n)                                                              \
  add_named(f, quiet, n,                                                       \
            # f)
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    if (v & 1)
      add(tick, v);
    else
      add(tock, v);
  }
  fclose(f);
}
int main(int argc, char **argv) {
  struct job *j;
  if (argc < 2)
    return 2;
  load(argv[1]);
  for (j = jobs; j; j = j->next)
    printf("%s %d quiet %d\n", j->name, j->run(j->n), j->end(j->n));
  return 0;
}
