// Start-up links the elements of an array into a free list, before the load, which
// takes some of them: the array is what it fills, and comes back with the two lists.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann 1 bob 2' > state
// RUN: %nvmove --load load t.c > log && FileCheck %s --input-file log
// CHECK: 5 roots
// CHECK-DAG: busy
// CHECK-DAG: slots[].next
// CHECK-DAG: spare
// CHECK: nothing to act on
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 'cid 3 bob 5 give 1 die 0' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: echo 'all 0' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=KEPT
// KEPT: bob 7 ann 1 spare 2
//
// RUN: cd .. && rm -rf %t.in && mkdir %t.in && cd %t.in && sed '1i#define INSIDE' %s > t.c && echo 'ann 1 bob 2' > state
// RUN: %nvmove --load load t.c > log && FileCheck %s --input-file log --check-prefix=INSIDE
// INSIDE: 5 roots
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 'cid 3 bob 5 give 1 die 0' | env NVM_POOL=%t.in/pool NVM_SIZE=32M not --crash ./t
// RUN: echo 'all 0' | env NVM_POOL=%t.in/pool ./t | FileCheck %s --check-prefix=KEPT
#include <signal.h>
#include <stdio.h>
#include <string.h>

struct slot {
  struct slot *next;
  int n;
  char name[12];
};
#ifdef INSIDE
static struct {
  struct slot slots[4], *spare, *busy;
} pool;
#define slots pool.slots
#define spare pool.spare
#define busy pool.busy
#else
static struct slot slots[4], *spare, *busy;
#endif

static void start(void) {
  for (int k = 0; k < 4; k++) {
    slots[k].next = spare;
    spare = &slots[k];
  }
}

static void add(const char *name, int n) {
  struct slot *s;
  for (s = busy; s && strcmp(s->name, name); s = s->next)
    ;
  if (!s) {
    s = spare;
    if (!s)
      return;
    spare = s->next;
    strncpy(s->name, name, 11);
    s->n = 0;
    s->next = busy;
    busy = s;
  }
  s->n += n;
}

static void give(void) {
  struct slot *s = busy;
  if (s) {
    busy = s->next;
    s->next = spare;
    spare = s;
  }
}

void load(FILE *f) {
  char name[12];
  int n;
  while (fscanf(f, "%11s %d", name, &n) == 2)
    add(name, n);
}

static void all(void) {
  int left = 0;
  for (struct slot *s = busy; s; s = s->next)
    printf("%s %d ", s->name, s->n);
  for (struct slot *s = spare; s; s = s->next)
    left++;
  printf("spare %d\n", left);
}

static void handle(const char *word, int n) {
  if (!strcmp(word, "die"))
    raise(SIGKILL);
  if (!strcmp(word, "give"))
    give();
  else if (!strcmp(word, "all"))
    all();
  else
    add(word, n);
}

int main(void) {
  char word[12];
  int n;
  start();
  FILE *f = fopen("state", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (scanf("%11s %d", word, &n) == 2)
    handle(word, n);
  return 0;
}
