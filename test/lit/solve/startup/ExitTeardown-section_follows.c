// A function that is a section is called by the end of the program and by
// commands: no nvm_detach() is put where that section would follow, and what to
// do is told. Without what is freed at the end, all is kept.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove_act --load load --section free_one t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG --implicit-check-not=detached-
// RUN: sed -i '/^  free_items();/d' t.c
// RUN: %nvmove --load load --section free_one --force t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=AFTER --implicit-check-not=freed-at-exit
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE --implicit-check-not=nvm_detach
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'abc' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: printf 'd' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=KEPT
// LOG: freed-at-exit {{.*}}main continues to the end of the program here{{.*}} nvm_detach() cannot be put before it, as a section may begin after it
// LOG: do not free them there
// AFTER: persistent type
// CODE: nvm_begin(); free_one(); nvm_end();
// KEPT: dcba
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
static void free_one(void) {
  struct item *i = items;
  items = i->next;
  free(i);
}
static void free_items(void) {
  while (items)
    free_one();
}
static void command(int c) {
  if (c == '0')
    free_items();
  else
    add(c);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct item *i = items; i; i = i->next)
    putchar(i->n);
  free_items();
  return 0;
}
