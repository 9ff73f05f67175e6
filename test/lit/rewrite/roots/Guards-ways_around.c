// A function that start-up calls may return before the load; and another mode of
// the program takes input, too. The start-up section ends behind the statement
// that leads to the load on each of these ways, and no nvm_detach() is put before
// a mode: what it frees belongs to its commands.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann' > state
// RUN: %nvmove --load load t.c | FileCheck %s
// CHECK: nothing to act on
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=MOVED --implicit-check-not=nvm_detach
// MOVED: setup(argc, argv);
// MOVED-NEXT: nvm_restore();
// MOVED-NEXT: nvm_ready();
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 'bob cid die' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t gone
// RUN: echo 'all' | env NVM_POOL=%t/pool ./t gone | FileCheck %s --check-prefix=GONE
// GONE: 2 names
// RUN: rm pool && echo 'bob cid die' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t state list
// RUN: echo 'all' | env NVM_POOL=%t/pool ./t state | FileCheck %s --check-prefix=LIST
// LIST: 3 names
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
  struct host *next;
  char *name;
};
static struct host *hosts;

static void add(const char *name) {
  struct host *h = malloc(sizeof *h);
  h->name = strdup(name);
  h->next = hosts;
  hosts = h;
}

static void drop(void) {
  struct host *h = hosts;
  if (!h)
    return;
  hosts = h->next;
  free(h->name);
  free(h);
}

static void load(FILE *f) {
  char name[16];
  while (fscanf(f, "%15s", name) == 1)
    add(name);
}

static void setup(int argc, char **argv) {
  FILE *f;
  if (argc < 2)
    return;
  f = fopen(argv[1], "r");
  if (!f) {
    fprintf(stderr, "no %s\n", argv[1]);
    return;
  }
  load(f);
  fclose(f);
}

static void command(const char *name) {
  int count = 0;
  if (strcmp(name, "die") == 0)
    raise(SIGKILL);
  if (strcmp(name, "drop") == 0) {
    drop();
  } else if (strcmp(name, "all") == 0) {
    for (struct host *h = hosts; h; h = h->next)
      count++;
    printf("%d names\n", count);
  } else {
    add(name);
  }
}

static void list(FILE *in) {
  char name[16];
  for (;;) {
    if (fscanf(in, "%15s", name) != 1)
      break;
    command(name);
  }
}

int main(int argc, char **argv) {
  char name[16];
  setup(argc, argv);
  if (argc > 2) {
    list(stdin);
    exit(0);
  }
  while (scanf("%15s", name) == 1)
    command(name);
  return 0;
}
