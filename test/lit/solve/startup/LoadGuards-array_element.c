// The result of the load is put into an element of a root. Which one says no text
// beside the call, so the answer of a restart is not read from there.
//
// RUN: cd %S && %nvmove --load load --force --out %t.out LoadGuards-array_element.c > %t.log
// RUN: cat %t.out/patches/*.patch | FileCheck %s --implicit-check-not=', tab)'
// CHECK: tab[0] = NVM_LOAD{{.*}}(load("state")
// RUN: FileCheck %s --input-file %t.log --check-prefix=LOG
// LOG: 1 root
// LOG-NEXT: tab
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
static struct item *tab[2];
struct item *load(const char *name) {
  struct item *all = NULL;
  FILE *f = fopen(name, "r");
  int n;
  if (!f)
    return NULL;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
    i->next = all;
    all = i;
  }
  fclose(f);
  return all;
}
int main(void) {
  int c;
  tab[0] = load("state");
  while ((c = getchar()) != EOF)
    tab[0]->n += c;
  return 0;
}
