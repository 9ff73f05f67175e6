// Persistent fields hold addresses of functions of the C library, which lie elsewhere
// in every run: put there by the load and by a handler, as what they are and as
// void *. They are registered where their address is taken, as
// functions of the program are, and found again by their names.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && cp %s sorted.c
// RUN: %nvmove --load load sorted.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=code-pointer
// CHECK: 4 twins
// CHECK-DAG: show {{ *}}item.show points to it
// CHECK-DAG: strcmp {{ *}}item.order points to it
// CHECK-DAG: strlen {{ *}}item.measure points to it
// CHECK-DAG: toupper {{ *}}item.fold points to it
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include sorted.c
// RUN: grep -v '^//' sorted.c | FileCheck %s --check-prefix=CODE
// CODE: NVM(item->order) = nvm_code(strcmp);
// CODE: NVM(i->fold) = nvm_code(toupper);
// CODE: NVM_CODE(strcmp);
// RUN: %nvmove --load load --out again sorted.c -- -I %runtime_include > twice
// RUN: FileCheck %s --check-prefix=TWICE --input-file twice --implicit-check-not=code-pointer
// TWICE: 0 patches
// RUN: gcc -fpie -pie -I %runtime_include sorted.c %runtime_lib -o sorted
// RUN: echo 'b a' > state
// RUN: echo 'uk' | not --crash env NVM_POOL=%t/pool NVM_SIZE=32M ./sorted state > first
// RUN: FileCheck %s --check-prefix=SAYS --input-file first
// RUN: echo 'p' | env NVM_POOL=%t/pool ./sorted state | FileCheck %s --check-prefix=SAYS
// RUN: sed 's/strcmp/strcoll/' sorted.c > other.c
// RUN: gcc -fpie -pie -I %runtime_include other.c %runtime_lib -o other
// RUN: echo 'p' | not env NVM_POOL=%t/pool ./other state 2>&1 | FileCheck %s --check-prefix=LACKS
// SAYS: A 1
// SAYS-NEXT: B 1
// LACKS: strcmp

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[16]; int (*order)(const char *, const char *); int (*show)(const char *); void *measure; int (*fold)(int); struct item *next; };
static struct item *items;
static int show(const char *s) { return printf("%s ", s); }
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  char word[16];
  while (f && fscanf(f, "%15s", word) == 1) {
    struct item *item = calloc(1, sizeof *item);
    strcpy(item->name, word);
    item->order = strcmp;
    item->show = show;
    item->next = items;
    items = item;
  }
}
static void command(int c) {
  for (struct item *i = items; i; i = i->next) {
    if (c == 'u') {
      i->fold = toupper;
      i->measure = (void *)(size_t)strlen;
    } else if (i->order(i->name, "x")) {
      i->name[0] = (char)i->fold(i->name[0]);
      i->show(i->name);
      printf("%d\n", (int)((size_t (*)(const char *))(size_t)i->measure)(i->name));
    }
  }
  if (c == 'k') {
    fflush(stdout);
    raise(SIGKILL);
  }
}
int main(int argc, char **argv) {
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;)
    if (c != '\n')
      command(c);
  return 0;
}
