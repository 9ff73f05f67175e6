// A macro of a system header for which there is no line behind the #includes that all uses see: it is told where, and nothing is defined anew.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s program.c
// RUN: %nvmove_act --notes --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK: program.c:[[#FIRST:]]:3 uneditable-site this macro of a system header stores, allocates or frees, and cannot be redefined
// CHECK: program.c:[[#FIRST+10]]:3 uneditable-site this macro of a system header stores, allocates or frees, and cannot be redefined
// RUN: grep -h '^+' nvmove-out/patches/*.patch | FileCheck %s --check-prefix=PATCH --implicit-check-not=undef
// PATCH: +  NVM(i->name)

#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>
struct item {
  SLIST_ENTRY(item) next;
  char name;
};
static SLIST_HEAD(, item) items;
#if 1
#include <string.h>
static void enter(struct item *i) {
  SLIST_INSERT_HEAD(&items, i, next);
}
#endif

static void load(const char *path) {
  FILE *file = fopen(path, "r");
  struct item *i = malloc(sizeof *i);
  i->name = getc(file);
  enter(i);
  i = malloc(sizeof *i);
  SLIST_INSERT_HEAD(&items, i, next);
}

int main(void) {
  load("saved");
  while (getchar() != EOF)
    SLIST_FIRST(&items)->name++;
  return 0;
}
