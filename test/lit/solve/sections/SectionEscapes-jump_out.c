// A jump out of a section ends it, where setjmp() stands outside of sections;
// else it is told.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: FileCheck %s --input-file out --check-prefix=REPORT --allow-empty
// REPORT-NOT: section-left-by-jump
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: if (setjmp(inner) == 0)
// TEXT: switch (nvm_jumped(sigsetjmp(again, 1))) {
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 'aa!aea' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app > log
// RUN: printf 'aa!aaak' | env NVM_POOL=%t/pool not --crash ./app >> log
// RUN: printf '?' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      error
// LOG-NEXT: error
// LOG-NEXT: n 4
// LOG-NEXT: error
// LOG-NEXT: n 9
//
// No second time.
// RUN: %nvmove --load load --out second program.c > out
// RUN: not grep -r nvm_jumped second/patches
//
// Where a jump may lead out of the inner of two sections into the outer one.
// RUN: %nvmove --load load --section step --out both both.c > out
// RUN: FileCheck %s --input-file out --check-prefix=BOTH
// BOTH: both.c:22:{{[0-9]+}} section-left-by-jump a jump from within a section

//--- program.c
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  int n;
};
static struct item *item;
static sigjmp_buf again;
static jmp_buf inner;

static void load(void) {
  FILE *f = fopen("state", "r");
  item = calloc(1, sizeof *item);
  if (!f || !item)
    return;
  item->n = getc(f);
  fclose(f);
}
static void fail(void) {
  siglongjmp(again, 1);
}
static void tried(void) {
  if (setjmp(inner) == 0)
    longjmp(inner, 1);
  else
    fail();
}
static void command(int c) {
  if (c == '!')
    fail();
  if (c == 'e')
    tried();
  if (c == 'k')
    raise(SIGKILL);
  if (c == 'a')
    item->n++;
  else
    printf("n %d\n", item->n);
  fflush(stdout);
}
int main(void) {
  int c;
  load();
  switch (sigsetjmp(again, 1)) {
  case 0:
    break;
  default:
    printf("error\n");
    fflush(stdout);
  }
  while ((c = getchar()) != EOF)
    command(c);
  printf("n %d\n", item->n);
  return 0;
}
//--- both.c
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  int n;
};
static struct item *item;
static jmp_buf again;

static void load(void) {
  FILE *f = fopen("state", "r");
  item = malloc(sizeof *item);
  item->n = getc(f);
  fclose(f);
}
static void step(int c) {
  item->n = c;
  longjmp(again, 1);
}
static void command(int c) {
  if (setjmp(again) == 0)
    step(c);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
