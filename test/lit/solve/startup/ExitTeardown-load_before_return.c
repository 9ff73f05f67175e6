// The load frees what it made for itself, behind an early return of main and
// before one that another #if has: it is no end of the program, and
// nvm_detach() does not come before it.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/p.c && cd %t
// RUN: %nvmove --load load --out out p.c
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include p.c
// RUN: not grep '^ *nvm_detach' p.c
// RUN: grep '^ *if (!nvm_restore()) load(f);' p.c

#include <stdio.h>
#include <stdlib.h>

struct item { int n; struct item *next; };
static struct item *items;

static void release(struct item *i) {
  if (i) { release(i->next); free(i); }
}

static void load(FILE *f) {
  struct item *odd = NULL, **to;
  int n;
  while ((n = fgetc(f)) != EOF) {
    struct item *i = malloc(sizeof *i);
    if (!i) abort();
    to = n % 2 ? &odd : &items;
    i->n = n;
    i->next = *to;
    *to = i;
  }
  release(odd);
}

static void command(int c) {
  if (items) items->n = c;
}

int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "r");
  int c;
  (void)argc;
  if (!f) return 1;
  load(f);
  fclose(f);
#ifdef CHECK_ONLY
  return 0;
#endif
  while ((c = getchar()) != EOF) command(c);
  return 0;
}
