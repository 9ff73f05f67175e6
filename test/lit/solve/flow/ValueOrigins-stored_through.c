// Where a store through a pointer goes: into a field whose address a function
// gives back, is given, or gives on; and what comes back through an argument.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load --section command app.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// OUT-DAG: app.c:38:{{.*}}pointer-to-volatile{{.*}}item.first may point to struct conn,{{.*}} a restart makes it null
// OUT-DAG: app.c:40:{{.*}}pointer-to-volatile{{.*}}item.second may point to struct conn,{{.*}} a restart makes it null
// OUT-DAG: app.c:22:{{.*}}pointer-to-volatile{{.*}}item.third may point to struct conn,{{.*}} a restart makes it null
// OUT-DAG: pointer-to-literal{{.*}}a table of pointers may hold the address of a string literal
// OUT-NOT: item.never
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc -pie app.o %runtime_lib -o app
// RUN: printf 'abcdsk' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data > first 2> log
// RUN: printf 's' | env NVM_POOL=%t/pool ./app > second 2>> log
// RUN: FileCheck %s --input-file first --check-prefix=FIRST
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// FIRST: 3 of none: set set set
// SECOND: 3 of none: - - -

//--- data
3
//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct conn { int fd; };
struct item {
  int n;
  const char *name;
  void *first, *second, *third, *never;
};
static struct item *item;
static void set(void **at, void *value) { *at = value; }
static void set_twice(void **at, void *value) { set(at, value); }
static void name_it(const char **at, const char *name) { *at = name; }
static void **second_of(struct item *of) { return &of->second; }
static void *made(size_t bytes) {
  void *block = calloc(1, bytes);
  if (!block)
    abort();
  return block;
}
static void connect_to(struct conn **to) { *to = made(sizeof **to); }
static void load(const char *name) {
  FILE *in = fopen(name, "r");
  int n;
  if (in && fscanf(in, "%d", &n) == 1) {
    item = malloc(sizeof *item);
    if (!item)
      abort();
    *item = (struct item){.n = n};
  }
  if (in)
    fclose(in);
}
static void command(int c) {
  struct conn *third = NULL;
  if (c == 'a')
    set_twice(&item->first, made(sizeof(struct conn)));
  else if (c == 'b')
    *second_of(item) = made(sizeof(struct conn));
  else if (c == 'c')
    connect_to(&third), item->third = third;
  else if (c == 'd')
    name_it(&item->name, "none");
}
static const char *is_set(const void *p) { return p ? "set" : "-"; }
int main(int argc, char **argv) {
  load(argc > 1 ? argv[1] : "/nowhere");
  for (int c; (c = getchar()) != EOF;)
    if (c == 's') {
      printf("%d of %s: %s %s %s\n", item->n, item->name, is_set(item->first),
             is_set(item->second), is_set(item->third));
      fflush(stdout);
    } else if (c == 'k')
      kill(getpid(), SIGKILL);
    else
      command(c);
  return 0;
}
