// Functions of the program's own write what they are handed, at any depth: where
// they get the address of a static, it is as if that were written by its name.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c
// RUN: %nvmove_act --notes --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK-DAG: lost-with-state {{.*}}count is changed by handlers
// CHECK-DAG: lost-with-state {{.*}}sum is changed by handlers
// CHECK-DAG: lost-with-state {{.*}}seen is changed by handlers
// CHECK-DAG: lost-with-state {{.*}}pair.a is changed by handlers
// CHECK-DAG: lost-with-state {{.*}}pair.b is changed by handlers
// CHECK-DAG: changed-with-state {{.*}}last is changed by handlers
// CHECK-DAG: changed-with-state {{.*}}prev is changed by handlers
//
// RUN: %nvmove --load load --keep count,sum,seen,pair.a,pair.b,last,prev --out kept app.c | FileCheck %s --check-prefix=KEPT
// KEPT: nothing to act on, nothing to check
// RUN: sh %S/../../rewrite/Inputs/apply kept/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf '3\n4\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf '5\n?\n' | env NVM_POOL=%t/pool not --crash ./app | FileCheck %s --check-prefix=LOG
// LOG: 5 4 3 last 5
// LOG: prev 5
// LOG: count 3 sum 12 seen 3 pair 3 6

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int v; };
static struct item *items;
static char last[20], prev[20];
static int count, sum, seen;
static struct { int a, b; } pair;
static void add(int v) {
  struct item *i = malloc(sizeof *i);
  i->v = v;
  i->next = items;
  items = i;
}
void load(void) {
  int v;
  FILE *f = fopen("data", "r");
  while (f && fscanf(f, "%d", &v) == 1)
    add(v);
  if (f)
    fclose(f);
}
static void copy(char *to, const char *from, size_t n) { strncpy(to, from, n - 1); }
static void own_copy(char *to, const char *from, size_t n) { while (--n && *from) *to++ = *from++; *to = 0; }
static void bump(int *n) { ++*n; }
static void bump_by(int *n, int by) { if (by) *n += by; }
static void deeper(int *n) { bump(n); }
static void command(const char *line) {
  if (*line == '?') {
    for (struct item *i = items; i; i = i->next)
      printf("%d ", i->v);
    printf("last %s prev %s count %d sum %d seen %d pair %d %d\n", last, prev, count, sum, seen, pair.a, pair.b);
    fflush(stdout);
    return;
  }
  copy(last, line, sizeof last);
  own_copy(prev, line, sizeof prev);
  bump(&count);
  bump_by(&sum, atoi(line));
  deeper(&seen);
  bump(&pair.a);
  bump_by(&pair.b, 2);
  add(atoi(line));
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin))
    command(line);
  abort();
}
