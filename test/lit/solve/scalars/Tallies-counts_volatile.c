// The program's allocator counts bytes of the pool and others: the number comes
// back, and that it counts what has ended is told. No output waits for it, unless
// something else changes it, too, or has its address.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf '1 2 ' > data
// RUN: %nvmove_act --load load app.c | FileCheck %s --check-prefix=TOLD
// TOLD-DAG: counts-volatile{{ +}}used is restored, and counts what is in the pool and what is not
// TOLD-DAG: counts-volatile{{ +}}reset is restored, and counts
// TOLD-DAG: counts-volatile{{ +}}lent is restored, and counts
//
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: grep -v '^//' app.c | FileCheck %s --implicit-check-not='TALLY(reset' --implicit-check-not='TALLY(lent'
// CHECK-DAG: NVM_ROOT(used);
// CHECK-DAG: NVM_TALLY(used);
// CHECK-DAG: NVM_ROOT(reset);
// CHECK-DAG: NVM_ROOT(lent);
// RUN: gcc app.o %runtime_lib -o app
//
// Two connections are no commit; an item takes their bytes along.
// RUN: printf 'c\nc\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'c\ni\nc\nx\n' | env NVM_POOL=%t/pool not --crash ./app >> log
// RUN: printf '?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --check-prefix=LOG --input-file log
// LOG: used 72
// LOG-NEXT: used 96
// LOG-NEXT: used 72
// LOG-NEXT: used 96
// LOG-NEXT: used 120
// LOG-NEXT: used 96
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
struct item { struct item *next; int n; };
struct conn { struct conn *next; int fd; };
static struct item *items;
static struct conn *conns;
static size_t used, reset, lent;
static void *xmalloc(size_t n) {
  size_t *p = malloc(n + sizeof *p);
  if (!p)
    abort();
  *p = n;
  __atomic_add_fetch(&used, n + sizeof *p, __ATOMIC_RELAXED);
  return p + 1;
}
static void *counted(size_t n) {
  void *p = xmalloc(n);
  reset += n;
  lent += n;
  return p;
}
static void xfree(void *p) {
  if (!p)
    return;
  __atomic_sub_fetch(&used, ((size_t *)p)[-1] + sizeof(size_t), __ATOMIC_RELAXED);
  free((size_t *)p - 1);
}
static size_t in_use(void) {
  return __atomic_add_fetch(&used, 0, __ATOMIC_RELAXED);
}
static void halve(size_t *number) {
  *number /= 2;
}
static void add(int n) {
  struct item *i = counted(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int n;
  while (f && fscanf(f, "%d", &n) == 1)
    add(n);
}
static void command(char c) {
  struct conn *n = NULL;
  if (c == 'c') {
    n = xmalloc(sizeof *n);
    n->fd = c;
    n->next = conns;
    conns = n;
  }
  if (c == 'i')
    add(c);
  if (c == 'd' && (n = conns)) {
    conns = n->next;
    xfree(n);
  }
  if (c == 'r')
    reset = 1;
  if (c == 'h')
    halve(&lent);
  if (c == 'x')
    raise(SIGKILL);
}
int main(void) {
  char line[80];
  load("data");
  while (fgets(line, sizeof line, stdin)) {
    command(line[0]);
    printf("used %zu %zu %zu\n", in_use(), reset, lent);
    fflush(stdout);
  }
  return 0;
}
