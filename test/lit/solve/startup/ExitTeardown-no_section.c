// What nvm_detach() precedes on every way is no section, also in functions that
// only the end of the program calls, and behind one that always detaches: the
// program stops in order. A second run wants nothing else. Of a section that is
// written there by hand it is told that the call comes too early.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --section free_items t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=freed-at-exit
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE
// RUN: %nvmove --notes --load load --section free_items --force t.c | FileCheck %s --check-prefix=TWICE --implicit-check-not=detached-early
// RUN: %nvmove verify --load load --section free_items t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abc' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: printf '0dq' | env NVM_POOL=%t/pool ./t
// RUN: printf 'eqx' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/^  free_items(&spare);/  nvm_begin(); free_items(\&spare); nvm_end();/' t.c > wrong.c
// RUN: %nvmove_act --load load --section free_items --out wrong.out wrong.c -- -I %runtime_include | FileCheck %s --check-prefix=WRONG
// LOG: detached-at-exit
// CODE: static void quit(void) {
// CODE-NEXT: free_items(&spare);
// CODE-NEXT: free_items(&items);
// CODE: nvm_begin(); free_items(&items); nvm_end();
// CODE: case 'q':
// CODE: nvm_detach();
// CODE-NEXT: quit();
// CODE: nvm_detach();
// CODE-NEXT: quit();
// TWICE: 0 files edited
// KEPT: ed
// WRONG: detached-early {{.*}}after nvm_detach(): by the call at
#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int n; };
static struct item *items, *spare;

static void add(struct item **to, int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = *to;
  *to = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    add(&items, n);
    add(&spare, n);
  }
  fclose(f);
}
static void free_items(struct item **of) {
  while (*of) {
    struct item *i = *of;
    *of = i->next;
    free(i);
  }
}
static void quit(void) {
  free_items(&spare);
  free_items(&items);
}
static void command(int c) {
  if (c == '0')
    free_items(&items);
  else
    add(&items, c);
}
int main(void) {
  int c;
  load();
  for (;;) {
    c = getchar();
    if (c == EOF)
      break;
    switch (c) {
    case 'q':
      for (struct item *i = items; i; i = i->next)
        putchar(i->n);
      quit();
      exit(0);
    default:
      command(c);
    }
  }
  quit();
  return 0;
}
