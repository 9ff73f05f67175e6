// A record whose address is kept as a number that a function was handed.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf "1 2" > state
// RUN: printf 3x | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: env NVM_POOL=%t/pool ./app < /dev/null > log
// RUN: FileCheck %s --input-file log
// CHECK: 3 2 1

//--- program.c
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct leaf {
  int value;
};
struct pair {
  uintptr_t first;
  struct pair *rest;
};
static struct pair *root;

static struct pair *cons(uintptr_t first, struct pair *rest) {
  struct pair *p = malloc(sizeof *p);
  p->first = first;
  p->rest = rest;
  return p;
}
static void add(int value) {
  struct leaf *l = malloc(sizeof *l);
  l->value = value;
  root = cons((uintptr_t)l, root);
}
static void load(void) {
  int value;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%d", &value) == 1)
    add(value);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  add(c - '0');
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (struct pair *p = root; p; p = p->rest)
    printf("%d ", ((struct leaf *)p->first)->value);
  printf("\n");
  return 0;
}
