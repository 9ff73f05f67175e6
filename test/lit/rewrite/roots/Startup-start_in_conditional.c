// main's first statement stands in an #ifdef: nvm_start() does not, for another build
// leaves that part out.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load t.c -- -DWITH_LABELS > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// TEXT:      static struct entry *entries;
// TEXT:      {{^}}  nvm_start();
// TEXT-NEXT: #ifdef WITH_LABELS
// TEXT-NEXT: #if WITH_LABELS > 1
// TEXT-NEXT:   labels = 2;
// TEXT:      if (!nvm_restore()) load(argv[1]);
// RUN: gcc t.o %runtime_lib -o t
// RUN: printf '1 2 3' > data
// RUN: env NVM_POOL=%t/pool NVM_SIZE=64M ./t data > first
// RUN: env NVM_POOL=%t/pool ./t /dev/null > second
// RUN: diff first second
#include <stdio.h>
#include <stdlib.h>
struct entry { struct entry *next; int n; };
static struct entry *entries;
static int labels;
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int n;
  while (fscanf(f, "%d", &n) == 1) {
    struct entry *e = malloc(sizeof *e);
    if (!e)
      abort();
    e->n = n;
    e->next = entries;
    entries = e;
  }
  fclose(f);
}
int main(int argc, char **argv) {
  struct entry *e;

#ifdef WITH_LABELS
#if WITH_LABELS > 1
  labels = 2;
#else
  labels = 1;
#endif
#endif
  if (argc < 2)
    return 2;
  load(argv[1]);
  for (e = entries; e; e = e->next)
    printf("%d %d\n", e->n, labels);
  return 0;
}
