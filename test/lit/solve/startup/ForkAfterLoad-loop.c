// The fork stands before the load in the text of a loop, and is done after it.
// One that is done before it in another arm of a switch is none after it.
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
int main(int argc, char **argv) {
#ifdef BEFORE
  switch (argc) {
  default:
    load();
    break;
  case 2:
    become_daemon();
  }
#else
  for (int phase = 0; phase < 2; phase++) {
    if (phase == 1)
      become_daemon();
    if (phase == 0)
      load();
  }
#endif
  char line[80];
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
}
