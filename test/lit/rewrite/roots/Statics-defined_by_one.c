// Variables in a header that one source defines, which then registers them: a
// macro says it, or an #if in which both ways are written out. Not where the
// header may leave the variable out.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove_act --load load main.c list.c > out
// RUN: FileCheck %s --input-file out
// CHECK-NOT: load-not-guarded
// CHECK-NOT: static-in-header {{.*}}'first'
// CHECK-NOT: static-in-header {{.*}}'entries'
// CHECK-NOT: static-in-header {{.*}}'last'
// CHECK: static-in-header {{.*}}'largest' is defined in a header
// RUN: sh %S/../Inputs/apply nvmove-out/patches %runtime_include main.c list.c
// RUN: FileCheck %s --input-file main.c --check-prefix=MAIN
// MAIN:      NVM_REGISTER(main) {
// MAIN-NEXT:   NVM_ROOT_POINTERS(first);
// MAIN-NEXT:   NVM_ROOT(entries);
// MAIN-NEXT:   NVM_ROOT(last);
// MAIN-NEXT: }
// RUN: gcc -I %runtime_include main.c list.c %runtime_lib -o app
// RUN: echo 1 2 > state
// RUN: echo 3 | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: echo > state
// RUN: echo 4 | env NVM_POOL=%t/pool not --crash ./app > second
// RUN: FileCheck %s --input-file second --check-prefix=SECOND
// SECOND: 4 3 2 1 (4, last 4)

//--- list.h
#ifndef LIST_H
#define LIST_H
#ifdef MAIN
#define global
#define init(x) = (x)
#else
#define global extern
#define init(x)
#endif
struct entry {
  struct entry *next;
  int id;
};
global struct entry *first init(0);
global int entries init(0);
#ifdef MAIN
int last;
#else
extern int last;
#endif
#ifndef NO_LARGEST
global int largest init(0);
#endif
void load(void);
void add(int id);
#endif

//--- list.c
#include "list.h"
#include <stdio.h>
#include <stdlib.h>
void add(int id) {
  struct entry *e = malloc(sizeof *e);
  e->id = id;
  e->next = first;
  first = e;
  entries++;
  last = id;
  if (id > largest)
    largest = id;
}
void load(void) {
  FILE *f = fopen("state", "r");
  int id;
  if (!f)
    return;
  while (fscanf(f, "%d", &id) == 1)
    add(id);
  fclose(f);
}

//--- main.c
#define MAIN
#include "list.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static void command(const char *line) {
  struct entry *e;
  add(atoi(line));
  for (e = first; e; e = e->next)
    printf("%d ", e->id);
  printf("(%d, last %d)\n", entries, last);
  fflush(stdout);
}
int main(void) {
  char line[80];
  load();
  while (fgets(line, sizeof line, stdin))
    command(line);
  raise(SIGKILL);
}
