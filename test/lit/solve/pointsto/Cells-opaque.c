// A pointer to a record that is never defined, which the program casts to its
// own list: no library made it, so it is a root.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 2 persistent types
// CHECK: 1 root
// CHECK-NEXT: votes Cells-opaque.c:{{[0-9:]+$}}

#include <stdio.h>
#include <stdlib.h>

struct list { struct list *next; void *item; };
struct vote_list;
struct vote { int n; };
static struct vote_list *votes;
static FILE *file;

static void load(void) {
  int n;
  while (fread(&n, sizeof n, 1, file) == 1) {
    struct vote *v = malloc(sizeof *v);
    struct list *l = malloc(sizeof *l);
    v->n = n;
    l->item = v;
    l->next = (struct list *)votes;
    votes = (struct vote_list *)l;
  }
}

int main(void) {
  file = stdin;
  load();
  for (int c; (c = getchar()) != EOF;)
    printf("%d\n", ((struct vote *)((struct list *)votes)->item)->n);
  return 0;
}
