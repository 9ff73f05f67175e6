// The address of a static, as a number, decides in which list an object is: in a
// position-independent program it is another number in the next run. That is to
// act on; the advice is followed: start-up puts it into a static, which is kept.
// An address of the heap alone is the same in each run, and so is a distance.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann bob' > state
// RUN: %nvmove_act --notes --load load t.c | FileCheck %s
// RUN: %nvmove --notes --load load --force t.c -- -DOF_HEAP | FileCheck %s --check-prefix=HEAP --implicit-check-not=address-decides
// RUN: %nvmove --notes --load load --force t.c -- -DFOLLOWED | FileCheck %s --check-prefix=FOLLOWED --implicit-check-not=address-decides
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -DFOLLOWED -fPIE -pie -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 'cid dan die' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: echo 'eve all' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=SAYS
//
// CHECK: address-decides{{ +}}the address of a static or a function is made a number here, which decides where objects are put at t.c:[[#]]
// CHECK: -> put the number into a static that start-up sets before the load, in a statement of its own, and use that: it is then kept
// HEAP: nothing to act on
// FOLLOWED: 1 kept scalar
// FOLLOWED-NEXT: number differs from run to run and decides where loaded data are
// SAYS: 5 of 5
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
  struct host *next, *in;
  char name[16];
};
static struct host *table[64];
static int count;
static const void *const seed = &seed;
#ifdef FOLLOWED
static uintptr_t number;
#endif

static unsigned slot(const char *s) {
#if defined FOLLOWED
  uintptr_t h = number;
#elif defined OF_HEAP
  uintptr_t h = (uintptr_t)table[0];
  h += (uintptr_t)(const void *)&seed - (uintptr_t)(const void *)&count;
#else
  uintptr_t h = (uintptr_t)seed;
#endif
  while (*s)
    h = (h ^ (unsigned char)*s++) * 1099511628211u;
  return h >> 13;
}

static void add(const char *name) {
  struct host *h = calloc(1, sizeof *h);
  strcpy(h->name, name);
  h->next = table[slot(name) % 64];
  table[slot(name) % 64] = h;
  count++;
}

static void load(void) {
  FILE *f = fopen("state", "r");
  char name[16];
  while (f && fscanf(f, "%15s", name) == 1)
    add(name);
  if (f)
    fclose(f);
}

static void command(const char *name) {
  int found = 0;
  if (!strcmp(name, "die"))
    raise(SIGKILL);
  if (strcmp(name, "all")) {
    add(name);
    return;
  }
  for (unsigned k = 0; k < 64; k++)
    for (struct host *h = table[k]; h; h = h->next)
      found += slot(h->name) % 64 == k;
  printf("%d of %d\n", found, count);
}

int main(void) {
  char name[16];
#ifdef FOLLOWED
  number = (uintptr_t)seed;
#endif
  load();
  while (scanf("%15s", name) == 1)
    command(name);
  return 0;
}
