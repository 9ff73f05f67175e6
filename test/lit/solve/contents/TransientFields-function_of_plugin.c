// Nodes hold functions that dlsym() found by name, which lie elsewhere in the next
// run, where they are called: to act on. One that is tested before is a question.
// The advice is followed: each start looks them up again behind the load.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'add 3 mul 4' > state
// RUN: %nvmove_act --notes --load load t.c | FileCheck %s
// RUN: %nvmove --notes --load load --force t.c -- -DTESTED | FileCheck %s --check-prefix=TESTED --implicit-check-not=used-after-restart
// RUN: %nvmove_act --notes --load load --force t.c -- -DFOLLOWED
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -DFOLLOWED -fPIE -pie -rdynamic -I %runtime_include t.c %runtime_lib -ldl -o t
// RUN: echo 'add 5 die 0' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: echo 'mul 2 run 1' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=SAYS
//
// CHECK: used-after-restart{{ +}}node.op may point to what dlsym() returns: a restart makes it null, and it is used without a test at t.c:[[#]] (in
// CHECK: -> set it again after nvm_restore() in all restored objects, or test it before the use
// TESTED: pointer-to-volatile{{ +}}node.op may point to what dlsym() returns: a restart makes it null (in
// SAYS: 31
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
  int (*op)(int, int);
  int n;
  char name[12];
};
static struct node *nodes;

int op_add(int a, int b);
int op_mul(int a, int b);
int op_add(int a, int b) { return a + b; }
int op_mul(int a, int b) { return a * b; }

static void bind(struct node *n) {
  char name[20] = "op_";
  *(void **)(&n->op) = dlsym(NULL, strcat(name, n->name));
}

static void add(const char *name, int n) {
  struct node *node = calloc(1, sizeof *node);
  strcpy(node->name, name);
  node->n = n;
  bind(node);
  node->next = nodes;
  nodes = node;
}

static void load(void) {
  FILE *f = fopen("state", "r");
  char name[12];
  int n;
  while (f && fscanf(f, "%11s %d", name, &n) == 2)
    add(name, n);
  if (f)
    fclose(f);
}

static void command(const char *name, int n) {
  if (!strcmp(name, "die"))
    raise(SIGKILL);
  if (strcmp(name, "run")) {
    add(name, n);
    return;
  }
  for (struct node *at = nodes; at; at = at->next)
#ifdef TESTED
    if (at->op)
#endif
      n = at->op(n, at->n);
  printf("%d\n", n);
}

int main(void) {
  char name[12];
  int n;
  load();
#ifdef FOLLOWED
  for (struct node *at = nodes; at; at = at->next)
    bind(at);
#endif
  while (scanf("%11s %d", name, &n) == 2)
    command(name, n);
  return 0;
}
