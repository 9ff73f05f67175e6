// Each start makes a record, of which the load fills what hangs from a table
// two pointers down, and counts that beside the pointer: the count comes back
// with the table, by value. Where such records come and go, it is told.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: grep -v '^//' t.c | sed 's/  jar = jar_new();/  jar = jar_new(); if (argc > 5) { free(jar); jar = jar_new(); }/' > two.c
// RUN: %nvmove --notes --load load --out two two.c | FileCheck %s --check-prefix=TWO
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=made-at-each-start
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf '3 4 5' > state
// RUN: printf '20\n-1\n' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M ./t state
// RUN: env NVM_POOL=%t/pool ./t state < /dev/null | FileCheck %s --check-prefix=OUT
// CHECK: 2 roots
// CHECK-NEXT: jar->count {{.*}}each start creates its container; restored members: count
// CHECK-NEXT: jar->table {{.*}}each start creates its container; restored members: table
// TWO: 1 root
// TWO-NEXT: jar->table
// TWO: made-at-each-start{{ +}}jar->table is kept of a record that each start creates, but these other members that the load writes are not: count
// OUT: jar 4: 3 20 4 5
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
struct cell { int v; struct cell *next; };
struct table { struct cell **chains; int size; };
struct jar { struct table *table; int count; char name[16]; };
static struct jar *jar;
static struct table *table_new(int n) {
  struct table *t = malloc(sizeof *t);
  t->chains = calloc(n, sizeof *t->chains);
  t->size = n;
  return t;
}
static struct jar *jar_new(void) {
  struct jar *j = calloc(1, sizeof *j);
  j->table = table_new(16);
  strcpy(j->name, "jar");
  return j;
}
static void put(struct jar *j, int v) {
  struct cell *c = malloc(sizeof *c);
  struct table *t = j->table;
  c->v = v;
  c->next = t->chains[v % t->size];
  t->chains[v % t->size] = c;
  j->count++;
}
static int load(const char *path) {
  int v;
  FILE *f = fopen(path, "r");
  if (!f)
    return -1;
  while (fscanf(f, "%d", &v) == 1)
    put(jar, v);
  fclose(f);
  return 0;
}
static void command(int v) {
  if (v < 0)
    raise(SIGKILL);
  put(jar, v);
}
int main(int argc, char **argv) {
  char line[32];
  jar = jar_new();
  load(argv[argc - 1]);
  printf("%s %d:", jar->name, jar->count);
  for (int i = 0; i < jar->table->size; ++i)
    for (struct cell *c = jar->table->chains[i]; c; c = c->next)
      printf(" %d", c->v);
  puts("");
  while (fgets(line, sizeof line, stdin))
    command(atoi(line));
  return 0;
}
