// The text has the fork before the load, or after it; goto turns that round.
//
// RUN: %nvmove_act --load load --out %t --force %s | FileCheck %s --check-prefix=AFTER
// RUN: %nvmove --load load --out %t --force %s -- -DBEFORE | FileCheck %s --implicit-check-not=fork-behind-load
// AFTER: fork-behind-load{{ +}}start-up calls fork() after the load, and goes on in the child: {{.*}} (in become_daemon)
// CHECK: 1 root
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct item {
  struct item *next;
  int id;
};
static struct item *items;
static void add(int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = items;
  items = i;
}
static void load(void) {
  int id;
  FILE *in = fopen("items", "r");
  while (in && fscanf(in, "%d", &id) == 1)
    add(id);
  if (in)
    fclose(in);
}
static void become_daemon(void) {
  if (fork() > 0)
    _exit(0);
}
int main(void) {
#ifdef BEFORE
  goto first;
second:
  load();
  goto go;
first:
  become_daemon();
  goto second;
#else
  goto first;
second:
  become_daemon();
  goto go;
first:
  load();
  goto second;
#endif
go:;
  char line[80];
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
}
