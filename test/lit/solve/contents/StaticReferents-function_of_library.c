// A persistent field holds the address of a function of the C library, which lies
// elsewhere in every run: that is told. One of the program's own is registered,
// and the pointer to it follows.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s sorted.c
// RUN: %nvmove_act --load load sorted.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not='show, which is not'
// CHECK: 1 twin
// CHECK-NEXT: show {{ *}}item.show points to it
// CHECK: 1 finding to act on
// CHECK-NEXT: sorted.c:[[@LINE+16]]:{{[0-9]+}} code-pointer item.order holds the address of function strcmp, which is not the program's own and lies elsewhere in every run (in load)
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include sorted.c
// RUN: gcc -I %runtime_include sorted.c %runtime_lib -o sorted

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[16]; int (*order)(const char *, const char *); int (*show)(const char *); struct item *next; };
static struct item *items;
static int show(const char *s) { return printf("%s\n", s); }
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  char word[16];
  while (f && fscanf(f, "%15s", word) == 1) {
    struct item *i = calloc(1, sizeof *i);
    strcpy(i->name, word);
    i->order = strcmp;
    i->show = show;
    i->next = items;
    items = i;
  }
}
static void command(int c) {
  for (struct item *i = items; i; i = i->next) {
    if (i->order(i->name, "x"))
      i->show(i->name);
    i->name[0] = c;
  }
}
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;)
    command(c);
  return 0;
}
