// A wait that is given no time looks whether input is there, and no more: what
// leads to it is not the main loop, and its calls are no sections.
//
// RUN: cd %S
// RUN: %nvmove_act --load load --force --out %t.1 EventLoop-no_time_to_wait.c -- -std=gnu99 -DFIELDS > %t.FIELDS
// RUN: FileCheck %s --input-file %t.FIELDS
// RUN: %nvmove_act --load load --force --out %t.2 EventLoop-no_time_to_wait.c -- -std=gnu99 -DLIST > %t.LIST
// RUN: FileCheck %s --input-file %t.LIST
// RUN: %nvmove_act --load load --force --out %t.3 EventLoop-no_time_to_wait.c -- -std=gnu99 -DLITERAL > %t.LITERAL
// RUN: FileCheck %s --input-file %t.LITERAL
// RUN: %nvmove_act --load load --force --out %t.4 EventLoop-no_time_to_wait.c -- -std=gnu99 -DPOLL > %t.POLL
// RUN: FileCheck %s --input-file %t.POLL
// CHECK:     2 suggested sections
// CHECK-DAG: search dispatcher
// CHECK-DAG: use dispatcher
// RUN: FileCheck %s --input-file %t.1/patches/3-sections.patch --check-prefix=PATCH
// PATCH: if (!stop) { nvm_begin(); search(3); nvm_end(); }
//
// It may wait for a while.
// RUN: %nvmove --load load --force --out %t.5 EventLoop-no_time_to_wait.c -- -std=gnu99 -DLIST -DWAITS > %t.WAITS
// RUN: FileCheck %s --input-file %t.WAITS --check-prefix=WAITS
// WAITS: search dispatcher

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
struct entry { int key, uses; struct entry *next; };
static struct entry *entries;
static int stop;
static void load(const char *name) {
  int key;
  FILE *f = fopen(name, "r");
  if (!f) return;
  while (fscanf(f, "%d", &key) == 1) {
    struct entry *e = calloc(1, sizeof *e);
    e->key = key;
    e->next = entries;
    entries = e;
  }
  fclose(f);
}
static void use(int key) {
  struct entry *e;
  for (e = entries; e; e = e->next)
    if (e->key == key) e->uses++;
}
static int command(void) {
  char line[80];
  if (!fgets(line, 80, stdin)) return 0;
  use(atoi(line));
  return 1;
}
static int is_input(void) {
#ifdef POLL
  struct pollfd p = {0, POLLIN, 0};
  return poll(&p, 1, 0) > 0;
#else
  fd_set r;
#ifdef LIST
  struct timeval t = {0, 0};
#elif defined FIELDS
  struct timeval t;
  t.tv_sec = 0;
  t.tv_usec = 0;
#endif
#ifdef WAITS
  t.tv_usec += 1000;
#endif
  FD_ZERO(&r);
  FD_SET(0, &r);
#ifdef LITERAL
  return select(1, &r, NULL, NULL, &(struct timeval){0, 0}) > 0;
#else
  return select(1, &r, NULL, NULL, &t) > 0;
#endif
#endif
}
static void search(int depth) {
  int i;
  if (is_input()) stop = !command();
  for (i = 0; i < 3 && depth > 0 && !stop; i++) {
    use(i);
    search(depth - 1);
  }
}
static void shell(void) {
  while (command())
    if (!stop) search(3);
}
int main(int argc, char **argv) {
  int i;
  load(argv[1]);
  for (i = 0; i < 3 && argc > 2; i++) search(i);
  shell();
  return 0;
}
