// A function that objects point to: nvm_code() and NVM_CODE() hide from nobody
// what calls it, and with what.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load queue.c > log
// RUN: sh %S/../rewrite/Inputs/apply nvmove-out/patches %runtime_include queue.c
// RUN: grep 'NVM(q->take) = nvm_code(take);' queue.c
// RUN: grep 'NVM_CODE(take);' queue.c
// RUN: %nvmove verify --load load queue.c | FileCheck %s
// CHECK-NOT: error
// CHECK: all are announced

//--- queue.c
#include <stdio.h>
#include <stdlib.h>

struct queue {
  int n, v[10];
  int (*take)(struct queue *, int *out);
};
static struct queue *q;

static int take(struct queue *p, int *out) {
  if (p->n == 0)
    return -1;
  *out = p->v[--p->n];
  return 0;
}
static void load(void) {
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  q = calloc(1, sizeof *q);
  if (!q)
    abort();
  q->take = take;
  while (q->n < 10 && fscanf(f, "%d", &q->v[q->n]) == 1)
    q->n++;
  fclose(f);
}
static void command(void) {
  int v;
  if (q && q->take(q, &v) == 0)
    printf("%d\n", v);
}
int main(void) {
  load();
  while (getchar() != EOF)
    command();
  return 0;
}
