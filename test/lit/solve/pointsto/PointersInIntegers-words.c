// Addresses in integers: in arrays of a record and by itself, with a bit of the
// program's own below; and in the bits of numbers with a tag above, in blocks that
// are grown. They are followed, and what they lead to is kept.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo '1 3 2 4 1 5' > state
// RUN: %nvmove --load load t.c | FileCheck %s
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: gcc -fPIE -pie -I %runtime_include t.c %runtime_lib -o t
// RUN: echo '2 9 7 1 0 0' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t
// RUN: echo '2 1 9 9' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=SAYS
//
// CHECK: 3 persistent types
// CHECK-DAG: rec
// CHECK-DAG: vec
// CHECK-DAG: leaf
// CHECK: 2 roots
// CHECK: nothing to act on
// SAYS: 1: 2 calls; 8
// SAYS-NEXT: 2: 3 calls; 14
// SAYS-NEXT: 7: 1 calls; 1
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct rec {
  int key, calls;
};
struct leaf {
  int n;
};
struct vec {
  int n, size;
  uint64_t *at;
};
static struct {
  int pad;
  uintptr_t w[8];
} slots;
static uint64_t boxes[8];

static struct rec *rec(int k) {
  return (struct rec *)(slots.w[k & 7] & ~(uintptr_t)1);
}
static uint64_t box(void *p) {
  return 0xfff1000000000000u | ((uint64_t)(uintptr_t)p & 0xffffffffffffu);
}
static void *unbox(uint64_t v) {
  return (void *)(uintptr_t)(v & 0xffffffffffffu);
}
static uint64_t leaf(int n) {
  struct leaf *l = malloc(sizeof *l);
  l->n = n;
  return box(l);
}
static void push(uint64_t *to, uint64_t v) {
  struct vec *x;
  if (!*to)
    *to = box(calloc(1, sizeof *x));
  x = unbox(*to);
  if (x->n == x->size) {
    x->size = x->size * 2 + 1;
    x->at = realloc(x->at, (size_t)x->size * sizeof(uint64_t));
  }
  x->at[x->n++] = v;
}

static void add(int k, int n) {
  struct rec *r = rec(k);
  if (!r) {
    r = calloc(1, sizeof *r);
    r->key = k;
    slots.w[k & 7] = (uintptr_t)r;
  } else {
    slots.w[k & 7] |= 1;
    r->calls++;
  }
  r->calls += !(slots.w[k & 7] & 1);
  push(&boxes[k & 7], leaf(n));
}

static void load(void) {
  FILE *f = fopen("state", "r");
  int k, n;
  while (f && fscanf(f, "%d %d", &k, &n) == 2)
    add(k, n);
  if (f)
    fclose(f);
}

static void command(int k, int n) {
  if (k == 0)
    raise(SIGKILL);
  if (k != 9) {
    add(k, n);
    return;
  }
  for (k = 0; k < 8; k++)
    if (rec(k)) {
      struct vec *x = unbox(boxes[k]);
      int sum = 0;
      for (int i = 0; i < x->n; i++)
        sum += ((struct leaf *)unbox(x->at[i]))->n;
      printf("%d: %d calls; %d\n", rec(k)->key, rec(k)->calls, sum);
    }
}

int main(void) {
  int k, n;
  load();
  while (scanf("%d %d", &k, &n) == 2)
    command(k, n);
  return 0;
}
