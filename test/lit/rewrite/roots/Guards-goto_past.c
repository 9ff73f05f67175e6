// A goto leads past the load, and past the block around it, to a label before the
// main loop. The start-up section ends there, too, and in a function that the load
// is in behind the label at its end; not where the label is behind the loop, as that
// of errors is.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann' > state
// RUN: %nvmove --load load t.c | FileCheck %s
// CHECK: nothing to act on
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=MOVED
// MOVED: nvm_restore();
// MOVED-NEXT: nvm_ready();
// MOVED-NEXT: serve: nvm_restore(); nvm_ready();;
// MOVED: broken:
// MOVED-NEXT: return 1;
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: echo 'bob cid die' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t gone
// RUN: echo 'all' | env NVM_POOL=%t/pool ./t gone | FileCheck %s --check-prefix=GONE
// GONE: 2 names
// RUN: rm pool && echo 'bob cid die' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t state
// RUN: echo 'all' | env NVM_POOL=%t/pool ./t state | FileCheck %s --check-prefix=LIST
// LIST: 3 names
// RUN: %nvmove verify --load load t.c -- -I %runtime_include
//
// RUN: cd .. && rm -rf %t.in && mkdir %t.in && cd %t.in && sed '1i#define INSIDE' %s > t.c
// RUN: %nvmove --load load t.c | FileCheck %s
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=WITHIN
// WITHIN: none: nvm_restore(); nvm_ready();
// WITHIN-NEXT: fprintf
// RUN: %nvmove verify --load load t.c -- -I %runtime_include
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

static void load(FILE *f) {
  char name[16];
  while (fscanf(f, "%15s", name) == 1)
    add(name);
}

static void handle(const char *word) {
  if (!strcmp(word, "die"))
    raise(SIGKILL);
  if (strcmp(word, "all")) {
    add(word);
    return;
  }
  int n = 0;
  for (struct host *h = hosts; h; h = h->next)
    n++;
  printf("%d names\n", n);
}

#ifdef INSIDE
static void setup(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f)
    goto none;
  load(f);
  fclose(f);
none:
  fprintf(stderr, "ready\n");
}
#endif

int main(int argc, char **argv) {
  char word[16];
#ifdef INSIDE
  if (argc < 2)
    return 1;
  setup(argv[1]);
#else
  if (argc < 2)
    goto broken;
  if (!strcmp(argv[1], "gone"))
    goto serve;
  {
    FILE *f = fopen(argv[1], "r");
    if (f) {
      load(f);
      fclose(f);
    }
  }
serve:;
#endif
  while (scanf("%15s", word) == 1)
    handle(word);
  return 0;
#ifndef INSIDE
broken:
  return 1;
#endif
}
