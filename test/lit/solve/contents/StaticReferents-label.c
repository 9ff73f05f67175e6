// Each instruction holds the address of the label that carries it out, from a table
// in a function. It is a place in the program, as a string literal is, and is
// updated where the program lies elsewhere in the next run.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ammn' > state
// RUN: %nvmove --notes --load load t.c > log && FileCheck %s --input-file log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -fPIE -pie -I %runtime_include t.c %runtime_lib -o t
// RUN: echo nx | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: echo ar | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=SAYS
//
// CHECK: pointer-to-literal{{ +}}insn.go may hold the address of label add: it is valid in the next run of this build, but another build is refused
// CHECK-NEXT: -> nothing, if each build gets a new pool; else keep a number instead
// SAYS: 6 instructions: 6
#pragma GCC diagnostic ignored "-Wpedantic"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct insn {
  void *go;
  int arg;
};
struct code {
  int n;
  struct insn at[64];
};
static struct code *code;

static int run(struct insn *made, int c) {
  static void *const labels[] = {&&add, &&mul, &&neg, &&end};
  struct insn *pc;
  int sum = 0;
  if (made) {
    made->go = labels[c == 'a' ? 0 : c == 'm' ? 1 : c == 'n' ? 2 : 3];
    made->arg = 2;
    return 0;
  }
  pc = code->at;
  goto *pc->go;
add:
  sum += pc++->arg + 1;
  goto *pc->go;
mul:
  sum += pc++->arg - 2;
  goto *pc->go;
neg:
  sum = -sum + 1;
  pc++;
  goto *pc->go;
end:
  return sum;
}

static void append(int c) {
  if (!code)
    code = calloc(1, sizeof *code);
  run(&code->at[code->n++], c);
  run(&code->at[code->n], 'e');
}

static void load(void) {
  FILE *f = fopen("state", "r");
  int c;
  while (f && (c = fgetc(f)) != EOF)
    if (c != '\n')
      append(c);
  if (f)
    fclose(f);
}

static void command(int c) {
  if (c == 'x')
    raise(SIGKILL);
  if (c == 'r')
    printf("%d instructions: %d\n", code->n, run(NULL, 0));
  else
    append(c);
}

int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    if (c != '\n')
      command(c);
  return 0;
}
