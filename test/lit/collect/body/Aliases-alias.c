// Functions of another file under second names: an alias of a static function,
// one that is chosen as the program starts, and one that never returns (what
// the user has is not for loading, then). A variable with two names is told.
//
// RUN: %nvmove --load load --print types %s %S/../Inputs/aliases.c -- -std=gnu11 | FileCheck %s --match-full-lines
// CHECK: item
// CHECK-NEXT: link
// CHECK-NOT: {{.}}
//
// RUN: rm -rf %t && mkdir -p %t && cp %s %S/../Inputs/aliases.c %t
// RUN: cd %t && %nvmove_act --load load --out %t/out Aliases-alias.c aliases.c -- -std=gnu11 | FileCheck %s --check-prefix=REPORT
// REPORT: 2 roots
// REPORT-NEXT: items aliases.c
// REPORT-NEXT: links aliases.c
// REPORT: not-followed also is another name of items
// RUN: cd %t && cat out/patches/*.patch | patch -p1 --fuzz=0
// RUN: cd %t && gcc -I %runtime_include Aliases-alias.c aliases.c %runtime_lib -o app
// RUN: cd %t && printf 'abcdefgh' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app | FileCheck %s --check-prefix=KEPT
// RUN: cd %t && env NVM_POOL=%t/pool ./app < /dev/null | FileCheck %s --check-prefix=KEPT
// KEPT: 1751606885 1684234849
#include <stdio.h>
#include <stdlib.h>

struct backup {
  struct backup *older;
};
static struct backup *backups;

void lib_add(int n);
void lib_join(void);
void lib_die(const char *why);

static void run(void) {
  struct backup *b = malloc(sizeof *b);
  b->older = backups;
  backups = b;
}

static void refuse(const char *why) {
  lib_die(why);
  run();
}

static void load(FILE *f) {
  int n;
  while (fread(&n, sizeof n, 1, f) == 1) {
    if (n < 0)
      refuse("damaged");
    lib_add(n);
    lib_join();
  }
}

struct item {
  struct item *next;
  int n;
};
extern struct item *items;

int main(void) {
  load(stdin);
  run();
  for (struct item *i = items; i; i = i->next)
    printf("%d ", i->n);
}
