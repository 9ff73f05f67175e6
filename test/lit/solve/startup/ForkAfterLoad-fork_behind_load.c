// A program that loads and then becomes a daemon: what the child changes is kept
// nowhere. A child that runs another program, one before the load, and those
// that serve requests are no matter.
//
// RUN: %nvmove_act --notes --load load --out %t --force %s | FileCheck %s --check-prefix=TOLD
// RUN: %nvmove_act --notes --load load --out %t --force %s -- -DLIBRARY | FileCheck %s --check-prefix=LIBRARY
// RUN: %nvmove --notes --load load --out %t --force %s -- -DBEFORE | FileCheck %s --implicit-check-not=fork-behind-load
// TOLD: to act on
// TOLD: fork-behind-load{{ +}}start-up calls fork() after the load, and goes on in the child: the child has a copy of the pool, and nothing that it changes is kept (in become_daemon)
// TOLD-NOT: fork-behind
// LIBRARY: fork-behind-load{{ +}}start-up calls daemon() after the load, and goes on in the child
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
  setsid();
}

static void run(const char *program) {
  if (fork() == 0) {
    execlp(program, program, (char *)0);
    _exit(1);
  }
}

static void serve(int request) {
  if (request < 0 && fork() == 0) {
    printf("%d\n", items ? items->id : 0);
    exit(0);
  }
  add(request);
}

int main(void) {
  int request;
#ifdef BEFORE
  become_daemon();
#endif
  load();
#ifdef LIBRARY
  if (daemon(1, 1))
    return 1;
#elif !defined BEFORE
  become_daemon();
#endif
  run("notify");
  while (read(0, &request, sizeof request) == sizeof request)
    serve(request);
}
