// A task of which a coroutine is a part: where that stands is a place on a stack of
// this process, which no restart gives back. The same of setjmp(). The advice is
// followed: how far it has come is in a field, from which each start creates it
// again.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo '3 7' > state
// RUN: %nvmove_act --notes --load load t.c | FileCheck %s
// RUN: %nvmove_act --notes --load load --force t.c -- -DJUMPS | FileCheck %s --check-prefix=JUMPS
// RUN: %nvmove_act --notes --load load --force t.c -- -DFOLLOWED
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -DFOLLOWED -fPIE -pie -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'ssx' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: printf 'ss' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=SAYS
//
// CHECK: library-memory{{ +}}task.self{{.*}} is a place in the code and on the stack of this process, from {{[a-z]+}}context(), which the pool cannot keep
// CHECK: -> keep in fields how far it has come, and create it again from these after nvm_restore(), before it is used
// JUMPS: library-memory{{ +}}task.env is a place in the code and on the stack of this process, from {{_*}}setjmp()
// SAYS: 5
// SAYS-NEXT: 6
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

struct task {
  struct task *next;
  int at, to;
#ifdef JUMPS
  jmp_buf env;
#endif
  ucontext_t self;
  char stack[65536];
  int isMade;
};
static struct task *tasks, *current;
static ucontext_t back;

static void body(void) {
  while (current->at < current->to) {
    ++current->at;
    swapcontext(&current->self, &back);
  }
}

static void step(struct task *t) {
  current = t;
#ifdef JUMPS
  if (setjmp(t->env))
    return;
#endif
  if (!t->isMade) {
    getcontext(&t->self);
    t->self.uc_stack.ss_sp = t->stack;
    t->self.uc_stack.ss_size = sizeof t->stack;
    t->self.uc_link = &back;
    makecontext(&t->self, body, 0);
    t->isMade = 1;
  }
  swapcontext(&back, &t->self);
  printf("%d\n", t->at - 1);
  fflush(stdout);
}

static void load(void) {
  FILE *f = fopen("state", "r");
  int at, to;
  while (f && fscanf(f, "%d %d", &at, &to) == 2) {
    struct task *t = calloc(1, sizeof *t);
    t->at = at;
    t->to = to;
    t->next = tasks;
    tasks = t;
  }
  if (f)
    fclose(f);
}

static void command(int c) {
  if (c == 'x')
    raise(SIGKILL);
  for (struct task *t = tasks; t; t = t->next)
    step(t);
}

int main(void) {
  int c;
  load();
#ifdef FOLLOWED
  for (struct task *t = tasks; t; t = t->next)
    t->isMade = 0;
#endif
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
