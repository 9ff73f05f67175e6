// A save after the main loop that loads before, to merge what is there, and
// frees all. It is no load of start-up: a restart leaves it unchanged, and what
// it frees stays in the pool.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log
// RUN: FileCheck %s --input-file out/patches/1-roots.patch --check-prefix=PATCH
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: %nvmove verify --load load t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo a > state
// RUN: printf 'bc' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t | FileCheck %s --check-prefix=FIRST
// RUN: printf 'dk' | not --crash env NVM_POOL=%t/pool ./t
// RUN: printf 'e' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=AGAIN
// RUN: FileCheck %s --input-file state --check-prefix=SAVED
// CHECK: 1 load call guarded
// CHECK: detached-at-exit {{.*}}save_all continues to the end of the program here, and frees persistent objects
// CHECK-NOT: {{several-loads|load-condition}}
// PATCH-DAG: {{^}}+  nvm_detach();
// PATCH: {{^}}+  if (!nvm_restore()) load("state");
// PATCH-NEXT: {{^}}+  nvm_ready();
// PATCH-NOT: {{^[+].*nvm_restore}}
// FIRST: has c b a
// AGAIN: has e d c b a
// SAVED: e d c b a
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[8]; struct item *next; };
static struct item *items;
static void add(const char *name) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  strcpy(i->name, name);
  i->next = items;
  items = i;
}
static void load(const char *name) {
  char word[8];
  FILE *f = items ? NULL : fopen(name, "r");
  if (!f)
    return;
  while (fscanf(f, "%7s", word) == 1)
    add(word);
  fclose(f);
}
static void free_all(void) {
  struct item *i;
  while ((i = items)) {
    items = i->next;
    free(i);
  }
}
static int save(const char *name) {
  FILE *f;
  load(name);
  f = fopen(name, "w");
  if (!f)
    return 0;
  for (struct item *i = items; i; i = i->next)
    fprintf(f, "%s ", i->name);
  free_all();
  fclose(f);
  return 1;
}
static void save_all(void) {
  if (!save("state"))
    printf("not saved\n");
}
static void command(int c) {
  char name[2] = {(char)c, 0};
  if (c == 'k')
    raise(SIGKILL);
  if (c == 's')
    save("copy");
  else
    add(name);
}
int main(void) {
  int c;
  load("state");
  while ((c = getchar()) != EOF)
    command(c);
  printf("has");
  for (struct item *i = items; i; i = i->next)
    printf(" %s", i->name);
  printf("\n");
  save_all();
  return 0;
}
