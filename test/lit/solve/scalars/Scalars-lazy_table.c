// if (ready) return; table = calloc(..); ready = 1: the flag is restored with the
// table. Not where something is opened besides, which ends with the process:
// that is reported.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: not %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: ready is set where a root is created
// CHECK-DAG: split-guard {{.*}}opened says that it has been created, once: what fopen() returns, which ends with the process, and names, which is restored
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: echo 1 2 > state
// RUN: echo 3 | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: echo > state
// RUN: echo 4 | env NVM_POOL=%t/pool not --crash ./app > second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND: 1 2 3 4 (4)

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next;
  int v;
};
static struct node **table, *names;
static int ready, opened, count;
static FILE *journal;

static void prepare(void) {
  if (ready)
    return;
  table = calloc(8, sizeof *table);
  ready = 1;
}
static void open_log(void) {
  if (opened)
    return;
  journal = fopen("/dev/null", "w");
  names = calloc(1, sizeof *names);
  opened = 1;
}
static void add(int v) {
  struct node *p;
  prepare();
  open_log();
  fprintf(journal, "%d\n", v);
  p = malloc(sizeof *p);
  p->v = v;
  p->next = table[v & 7];
  table[v & 7] = p;
  count++;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int v;
  if (!f)
    return;
  while (fscanf(f, "%d", &v) == 1)
    add(v);
  fclose(f);
}
static void command(const char *line) {
  struct node *p;
  int i;
  add(atoi(line));
  for (i = 0; i < 8; i++)
    for (p = table[i]; p; p = p->next)
      printf("%d ", p->v);
  printf("(%d)\n", count);
  fflush(stdout);
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin))
    command(line);
  raise(SIGKILL);
}
