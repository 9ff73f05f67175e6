// What start-up adds to restored state at each start, and refuses to add twice,
// is to act on; following the advice, the program starts again.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load --out out store.c | FileCheck %s
// CHECK: to act on
// CHECK-NEXT: store.c:[[#]]:3 behind-load add_built_in() runs at each start, on restored state, which it changes, and ends the program by fatal() (part.h:[[#]]) if find() finds something, as what the start before has added: the program starts once
// CHECK-NEXT: run it only if nvm_restore() was 0, or let it skip what is there
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include store.c
// RUN: gcc -I %runtime_include store.c %runtime_lib -o store
// RUN: rm -f pool && echo 'put a' | env NVM_POOL=pool NVM_SIZE=32M ./store state
// RUN: echo 'get a' | not env NVM_POOL=pool ./store state
//
// The advice is followed.
// RUN: sed -i 's/^  add_built_in();/  if (nvm_restore() == 0) add_built_in();/' store.c
// RUN: %nvmove --load load --out again store.c | FileCheck %s --check-prefix=ONCE
// ONCE: nothing to act on, nothing to check
// RUN: gcc -I %runtime_include store.c %runtime_lib -o store
// RUN: rm -f pool && echo 'put a' | env NVM_POOL=pool NVM_SIZE=32M ./store state
// RUN: echo 'get a' | env NVM_POOL=pool ./store state | FileCheck %s --check-prefix=GET
// GET: found

//--- part.h
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[20]; struct item *next; };
struct item *items;
void fatal(const char *what) { fprintf(stderr, "%s\n", what); exit(1); }
struct item *find(const char *name) {
  struct item *i;
  for (i = items; i; i = i->next)
    if (!strcmp(i->name, name)) return i;
  return NULL;
}
void add(const char *name) {
  struct item *i = malloc(sizeof *i);
  if (!i) fatal("no memory");
  snprintf(i->name, sizeof i->name, "%s", name);
  i->next = items;
  items = i;
}
void load(const char *path) {
  char name[20];
  FILE *f = fopen(path, "r");
  if (!f) return;
  while (fscanf(f, "%19s", name) == 1) add(name);
  fclose(f);
}
void add_built_in(void) {
  struct item *there = find("built-in");
  if (there != NULL) fatal("twice");
  add("built-in");
}

//--- store.c
#include "part.h"
int main(int argc, char **argv) {
  char line[80], name[20];
  load(argv[argc - 1]);
  add_built_in();
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "put %19s", name) == 1) { add(name); puts("ok"); }
    if (sscanf(line, "get %19s", name) == 1) puts(find(name) ? "found" : "no");
    fflush(stdout);
  }
  return 0;
}
