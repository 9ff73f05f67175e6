// Objects point into an array that the linker makes of a section of all files:
// nothing in the program defines it, and it lies in the program all the same.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'id' > state
// RUN: %nvmove --notes --load load t.c > log && FileCheck %s --input-file log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -fPIE -pie -I %runtime_include t.c %runtime_lib -o t
// RUN: echo dx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: echo ir | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=SAYS
//
// CHECK: pointer-to-static{{ +}}cell.op may point to __start_ops, which the linker makes: it is valid in the next run of this build, but another build is refused
// CHECK-NEXT: -> nothing, if each build gets a new pool; else keep an index instead
// CHECK: nothing to act on, nothing to check
// SAYS: i4 d6 d6 i4
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct op {
  char name;
  int (*run)(int);
};
#define OP(n)                                                                  \
  __attribute__((used, section("ops"), aligned(8))) static const struct op n
static int inc(int v) { return v + 1; }
static int dbl(int v) { return v * 2; }
OP(first) = {'i', inc};
OP(second) = {'d', dbl};
extern const struct op __start_ops[], __stop_ops[];

struct cell {
  const struct op *op;
  struct cell *next;
};
static struct cell *cells;

static void put(int c) {
  for (const struct op *o = __start_ops; o < __stop_ops; o++)
    if (o->name == c) {
      struct cell *cell = malloc(sizeof *cell);
      cell->op = o;
      cell->next = cells;
      cells = cell;
    }
}

static void load(void) {
  FILE *f = fopen("state", "r");
  int c;
  while (f && (c = fgetc(f)) != EOF)
    put(c);
  if (f)
    fclose(f);
}

static void command(int c) {
  if (c == 'x')
    raise(SIGKILL);
  put(c);
  if (c == 'r') {
    for (struct cell *at = cells; at; at = at->next)
      printf("%c%d ", at->op->name, at->op->run(3));
    printf("\n");
  }
}

int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
