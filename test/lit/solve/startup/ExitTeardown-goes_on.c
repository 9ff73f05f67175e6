// Where control may still come to a load, to the main loop or to a section,
// there is no end of the program: no nvm_detach() before a call that serves,
// before a loop in which start-up may fail, before a second mode. In the
// function that serves and then frees all it stands behind the loop.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=at-exit
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=nvm_detach
// RUN: %nvmove --notes --load load --force t.c | FileCheck %s --check-prefix=TWICE
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abc' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: printf 'def' | env NVM_POOL=%t/pool ./t
// RUN: env NVM_POOL=%t/pool ./t < /dev/null | FileCheck %s --check-prefix=KEPT
// RUN: sed 's/^  nvm_detach();//; s/^  fail();/  nvm_detach();/' t.c > wrong.c
// RUN: %nvmove_act --load load --out wrong.out wrong.c -- -I %runtime_include | FileCheck %s --check-prefix=WRONG
// RUN: gcc -I %runtime_include wrong.c %runtime_lib -o wrong
// RUN: rm pool
// RUN: printf x | not env NVM_POOL=%t/pool NVM_SIZE=64M ./wrong 2>&1 | FileCheck %s --check-prefix=ENDS
// LOG: detached-at-exit {{.*}}run continues to
// CODE: static void run(void) {
// CODE: putchar
// CODE: nvm_detach();
// CODE-NEXT: free_items();
// TWICE: 0 files edited
// KEPT: fedcba
// WRONG: detached-early {{.*}}after nvm_detach(): by the call at
// ENDS: a section begins (wrong+0x{{.*}}) after nvm_detach() (wrong+0x{{.*}} [detached-early]
#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int n; };
static struct item *items;

static void add(int n) {
  struct item *i = malloc(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  fclose(f);
}
static void free_items(void) {
  while (items) {
    struct item *i = items;
    items = i->next;
    free(i);
  }
}
static void fail(void) {
}
static void serve(int c) {
  if (c == '0')
    free_items();
  else
    add(c);
}
static void run(void) {
  int c;
  while ((c = getchar()) != EOF)
    serve(c);
  for (struct item *i = items; i; i = i->next)
    putchar(i->n);
  free_items();
}
static void mode(void) {
  int c;
  while ((c = getchar()) != EOF)
    serve(c);
}
int main(int argc, char **argv) {
  FILE *out[2];
  load();
  fail();
  for (int i = 0; i < 2; i++) {
    out[i] = fopen("/dev/null", "w");
    if (!out[i]) {
      free_items();
      exit(1);
    }
  }
  if (argc > 1) {
    mode();
    exit(0);
  }
  run();
  return argv == 0;
}
