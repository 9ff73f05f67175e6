// An inline function that other files may call (C99 6.7.4) holds nothing of
// internal linkage, the hooks that are put into it neither.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s inline.c
// RUN: %nvmove --load load inline.c > out
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include inline.c
// RUN: grep -F 'inline void add(struct item *i, int n) { NVM(i->n) += n; }' inline.c
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;

void add(struct item *i, int n);
inline void add(struct item *i, int n) { i->n += n; }
extern inline void add(struct item *i, int n);

static void load(FILE *f) {
  int n;
  while ((n = getc(f)) != EOF) {
    struct item *i = calloc(1, sizeof *i);
    if (!i)
      return;
    add(i, n);
    i->next = items;
    items = i;
  }
}

int main(void) {
  int c;
  load(stdin);
  while ((c = getchar()) != EOF && items)
    add(items, c);
  return 0;
}
