// A macro of a system header whose text has the size, and whose use has the buffer: the macro's parameter
// is no size where it is used, so the rest of the block is announced.
//
// RUN: rm -rf %t && mkdir -p %t/sys && cd %t && cp %s program.c
// RUN: echo '#define get_name(to, n) getlogin_r(to, (n))' > sys/get.h
// RUN: %nvmove --load load program.c -- -isystem sys > out
// RUN: FileCheck %s --input-file out --check-prefix=REPORT --allow-empty
// REPORT-NOT: unannounced-call
// RUN: sh -c 'cat nvmove-out/patches/*.patch | patch -p1'
// RUN: FileCheck %s --input-file program.c
// CHECK: get_name(NVM_REST(i->name), 11)
// RUN: gcc -Wall -Wextra -Werror -isystem sys -I %runtime_include program.c %runtime_lib -o app
#include <get.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  char name[12];
};
static struct item *items;

static void add(void) {
  struct item *i = calloc(1, sizeof *i);
  if (i && get_name(i->name, 11) == 0) {
    i->next = items;
    items = i;
  }
}
static void load(FILE *f) {
  while (getc(f) != EOF)
    add();
}
int main(void) {
  FILE *f = fopen("items", "r");
  if (f)
    load(f);
  while (getchar() != EOF) {
    add();
    puts(items->name);
  }
  return 0;
}
