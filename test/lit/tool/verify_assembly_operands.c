// Assembly that writes memory by its operands, or through a pointer that it is
// handed, is announced as any other store. What nobody can tell is to act on,
// and where a hook says what it writes, that is believed.
//
// REQUIRES: x86
// RUN: rm -rf %t && mkdir %t && cd %t && sed '/^\/\//d' %s > t.c
// RUN: %nvmove --notes --load load t.c > out
// RUN: FileCheck %s --input-file out --check-prefix=SILENT --implicit-check-not=assembly
// SILENT: nvmove:
// RUN: sh %S/../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// CHECK: "+m"(NVM(*p))
// CHECK: "r"(NVM_OBJ(&c->n))
// CHECK: "m"(NVM(c->low))
// RUN: %nvmove verify --load load t.c -- -I %runtime_include
// RUN: gcc -O2 -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -o app
// RUN: printf '1\n2\n3\n' | env NVM_POOL=%t/pool NVM_SIZE=32M NVM_VERIFY=1 ./app > first
// RUN: grep -x '6 66 3' first
// RUN: printf '4\n' | env NVM_POOL=%t/pool NVM_VERIFY=1 ./app > second
// RUN: grep -x '10 aa 4' second
//
// RUN: sed 's/.*xchgq.*/  __asm__ volatile("rep stosb" : : "D"(\&c->n), "a"(0), "c"(8) : "memory"); return v;/' t.c > opaque.c
// RUN: grep -q stosb opaque.c
// RUN: %nvmove_act --load load --out opaque opaque.c -- -I %runtime_include | FileCheck %s --check-prefix=OPAQUE
// OPAQUE: assembly-writes {{.*}} (in swap)
// RUN: sed 's/: : "D"(&c->n), "a"(0)/: "+D"(c) : "a"(0)/' opaque.c > both.c
// RUN: grep -q '"+D"' both.c
// RUN: %nvmove_act --load load --out both both.c -- -I %runtime_include | FileCheck %s --check-prefix=OPAQUE
// RUN: sed 's/"D"(\(&c->n\))/"D"(NVM_BUF(\1, 8))/' opaque.c > told.c
// RUN: %nvmove --load load --out told told.c -- -I %runtime_include > out
// RUN: not grep assembly out
// RUN: %nvmove verify --load load told.c -- -I %runtime_include
#include <stdio.h>
#include <stdlib.h>
struct counter { struct counter *next; long n; long last; unsigned low; };
static struct counter *counters;
static inline void add(long *p, long by) {
  __asm__ volatile("lock; addq %1, %0" : "+m"(*p) : "er"(by) : "memory", "cc");
}
static long swap(struct counter *c, long v) {
  __asm__ volatile("xchgq %0, (%1)" : "+r"(v) : "r"(&c->n) : "memory");
  return v;
}
static void shift(struct counter *c, unsigned v) {
  __asm__ volatile("addl %1, %0" : : "m"(c->low), "r"(v << 4) : "memory", "cc");
}
static void count(long n) {
  if (!counters)
    counters = calloc(1, sizeof *counters);
  if (!counters)
    exit(1);
  add(&counters->last, n);
  swap(counters, n);
  shift(counters, (unsigned)n);
  counters->low += (unsigned)n;
}
static void load(FILE *f) {
  long n;
  while (fscanf(f, "%ld", &n) == 1)
    count(n);
}
int main(void) {
  char line[40];
  FILE *f = fopen("state", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (fgets(line, sizeof line, stdin)) {
    count(atol(line));
    printf("%ld %x %ld\n", counters->last, counters->low, counters->n);
    fflush(stdout);
  }
  return 0;
}
