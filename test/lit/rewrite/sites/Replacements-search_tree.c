// What the load puts into a tree of <search.h> is persistent, and the tree lies in
// the heap: all its calls are replaced, as its nodes are not the C library's.
// What the C library keeps for good, hsearch(), is reported.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --implicit-check-not=no-body
// RUN: sh %S/../Inputs/apply out/patches %runtime_include t.c
// RUN: gcc -Wall -Wextra -Werror -pedantic -Wno-unused-parameter -I %runtime_include t.c %runtime_lib -o t
// RUN: %nvmove verify --load load t.c
// RUN: %nvmove --load load --print types t.c | FileCheck %s --check-prefix=TYPE
// RUN: printf 'm d x' > state
// RUN: printf 'a z f -d q k' | not --crash env NVM_POOL=%t/pool NVM_SIZE=64M NVM_VERIFY=1 ./t 2> err
// RUN: not grep unannounced err
// RUN: printf 'b -m' | env NVM_POOL=%t/pool ./t | FileCheck %s --check-prefix=OUT
// RUN: %nvmove_act --load load --analyze-only --out table %s -- -DTABLE | FileCheck %s --check-prefix=TABLE
// CHECK: 1 persistent type
// CHECK: 1 root
// CHECK-NEXT: {{^}}  tree
// CHECK-DAG: tdelete -> nvm_tdelete
// CHECK-DAG: tfind -> nvm_tfind
// CHECK-DAG: tsearch -> nvm_tsearch
// CHECK-DAG: twalk -> nvm_twalk
// TYPE: item
// TABLE: library-memory {{.*}}hsearch keeps a pointer to loaded state in memory of the library
// OUT: {{^}} a b f q x z{{$}}
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  char *name;
  int n;
};
static void *tree;
static int compare(const void *a, const void *b) {
  return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}
static void add(const char *name) {
  struct item *i = malloc(sizeof *i);
  i->name = strdup(name);
  i->n = 0;
#ifdef TABLE
  ENTRY e = {i->name, i};
  hsearch(e, ENTER);
#else
  (*(struct item **)tsearch(i, &tree, compare))->n++;
#endif
}
static void take(char *name) {
  struct item key = {name, 0}, **at = tfind(&key, &tree, compare);
  if (!at)
    return;
  struct item *i = *at;
  tdelete(i, &tree, compare);
  free(i->name);
  free(i);
}
static void load(const char *file) {
  char b[32];
  FILE *f = fopen(file, "r");
  if (!f)
    return;
  while (fscanf(f, "%31s", b) == 1)
    add(b);
  fclose(f);
}
static void show(const void *node, VISIT visit, int depth) {
  (void)depth;
  if (visit == postorder || visit == leaf)
    printf(" %s", (*(struct item *const *)node)->name);
}
static void command(char *s) {
  if (*s == 'k')
    raise(SIGKILL);
  if (*s == '-')
    take(s + 1);
  else
    add(s);
}
int main(void) {
  char b[32];
  hcreate(100);
  load("state");
  while (scanf("%31s", b) == 1)
    command(b);
  twalk(tree, show);
  puts("");
  return 0;
}
