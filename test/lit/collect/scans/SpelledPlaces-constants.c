// Constants of the program are no names: a page's mask, -4096, is not mistaken
// for a mark of a hash table, nor is any other number that is one of the
// analysis's own.
//
// RUN: rm -rf %t && mkdir -p %t
// RUN: %nvmove_act --load load --out %t/out %s | FileCheck %s
// CHECK: struct item

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
  struct item *next;
  long n;
} *items;

static struct item *at(uintptr_t mask) { return (struct item *)mask; }

static long look(struct item *i) {
  uintptr_t p = (uintptr_t)i;
  struct item *table[4] = {i, i, i, i};
  long sum = 0;
#define MASKED(mask)                                                           \
  if ((struct item *)(p & (mask)))                                             \
    sum += ((struct item *)(p & (mask)))->n;                                   \
  if (at(p ^ (mask)))                                                          \
    sum += (table + (mask) - (mask))[0]->n;
  MASKED(-4096L)
  MASKED(-8192L)
  MASKED(~(uintptr_t)4095)
  MASKED(~(uintptr_t)8191)
  MASKED(-1L)
  MASKED(-2L)
  MASKED(INT64_MAX)
  MASKED(INT64_MIN)
  MASKED(UINT32_MAX)
  MASKED(INT32_MIN)
  MASKED(0x7fffffff)
  MASKED(0)
  MASKED(64)
  MASKED(128)
  MASKED(256)
  switch (i->n) {
  case -4096:
  case -8192:
  case INT64_MIN:
    return 0;
  }
  return sum;
}

void load(FILE *in) {
  long n;
  while (fscanf(in, "%ld", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
    i->next = items;
    items = i;
  }
}

int main(void) {
  long n;
  FILE *in = fopen("state", "r");
  if (in)
    load(in);
  while (scanf("%ld", &n) == 1)
    for (struct item *i = items; i; i = i->next)
      printf("%ld\n", look(i));
  return 0;
}
