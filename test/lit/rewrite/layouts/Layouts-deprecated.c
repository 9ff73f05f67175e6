// A layout names a member that code may not use any more: no warning.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c
// CHECK: NVM_{{[A-Z]+}}(struct base, table));
// CHECK: NVM_FIELD(struct item, old));

//--- program.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
  int __attribute__((deprecated)) old;
};
struct table {
  struct item *first;
};
struct base {
  struct table *table __attribute__((deprecated));
  int readers;
};
static struct base *bases;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static struct table **table(int n) { return &bases[n % 3].table; }
#pragma GCC diagnostic pop
static void load(void) {
  int n;
  FILE *f = fopen("data", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *a = calloc(1, sizeof *a);
    if (!a)
      abort();
    a->n = n;
    a->next = (*table(n))->first;
    (*table(n))->first = a;
  }
  fclose(f);
}
int main(void) {
  bases = calloc(3, sizeof *bases);
  if (!bases)
    return 1;
  for (int i = 0; i < 3; i++)
    if (!(*table(i) = calloc(1, sizeof(struct table))))
      return 1;
  load();
  while (getchar() != EOF)
    if ((*table(1))->first)
      printf("%d\n", (*table(1))->first->n++);
  return 0;
}
