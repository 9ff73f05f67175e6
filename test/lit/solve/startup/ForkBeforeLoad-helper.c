// Start-up forks before the load, and both processes change what is kept: the
// second of them to use the pool would end. As advised, nvm_start() stands
// after the fork, and each has what it made.
//
// RUN: %nvmove_act --load load --out %t.parent --force %s -- -DPARENT | FileCheck %s --check-prefix=PARENT
// RUN: %nvmove_act --load load --out %t.child --force %s -- -DCHILD | FileCheck %s --check-prefix=CHILD
// RUN: %nvmove_act --load load --out %t.function --force %s -- -DFUNCTION | FileCheck %s --check-prefix=FUNCTION
// RUN: %nvmove --load load --out %t.reads --force %s -- -DPARENT -DREADS | FileCheck %s --implicit-check-not=fork-before-load
// RUN: %nvmove --load load --out %t.later --force %s -- -DCHILD -DLATER | FileCheck %s --implicit-check-not=fork-before-load
// RUN: %nvmove --load load --out %t.mode --force %s -- -DMODE | FileCheck %s --implicit-check-not=fork-before-load
// RUN: %nvmove --load load --out %t.started --force %s -- -DPARENT -DSTARTED -I%runtime_include | FileCheck %s --implicit-check-not=fork-before-load
//
// RUN: rm -rf %t && mkdir %t && cd %t && printf '#define PARENT\n#define STARTED\n' > app.c && cat %s >> app.c && echo 3 > items
// RUN: %nvmove --load load app.c -- -I%runtime_include -D_POSIX_C_SOURCE=200809L > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'a 7\n' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app 2> log
// RUN: printf 'p\n' | env NVM_POOL=%t/pool ./app 2>> log >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG-DAG: 1000 by the parent, 0
// LOG-DAG: {{^}}7
// LOG:     1000 by the parent, 0
//
// PARENT: fork-before-load{{ +}}start-up forks before the load, and both processes change persistent state: the one that comes to the load, and its parent by collect(): the pool belongs to one process, and the second to use it ends (in main)
// PARENT-NEXT: call nvm_start() after the fork
// CHILD: and its child by collect(): the pool
// FUNCTION: and its child by collect(): the pool{{.*}}(in main)
// CHECK: 1 root
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef STARTED
#include <nvmove/restart.h>
#endif

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

static int collect(void) {
  int n = 0;
#ifndef READS
  for (int i = 0; i < 1000; ++i)
    add(-i);
#endif
  for (struct item *i = items; i; i = i->next)
    n += i->id <= 0;
  return n;
}

#ifdef FUNCTION
static void start_helper(void) {
  pid_t child = fork();
  if (child == 0)
    exit(collect() != 1000);
}
#endif

int main(int argc, char **argv) {
  char line[64];
  pid_t child = -1;
#ifdef PARENT
  child = fork();
  if (child > 0) {
    int n = collect(), status;
    waitpid(child, &status, 0);
    fprintf(stderr, "%d by the parent, %d\n", n, status);
    return 0;
  }
#ifdef STARTED
  nvm_start();
#endif
#elif defined CHILD && !defined LATER
  child = fork();
  if (child == 0)
    exit(collect() != 1000);
#elif defined FUNCTION
  start_helper();
#elif defined MODE // one process that runs another program, and tests itself
  child = fork();
  if (child == 0) {
    execlp("notify", "notify", (char *)0);
    _exit(1);
  }
  if (argc > 1 && !strcmp(argv[1], "test"))
    return collect() != 1000;
#endif
  load();
  while (fgets(line, sizeof line, stdin)) {
#ifdef LATER // a snapshot
    if (line[0] == 'f' && fork() == 0)
      exit(collect() != 1000);
#endif
    if (line[0] == 'a')
      add(atoi(line + 1));
    else
      printf("%d\n", items ? items->id : 0);
  }
  return argc < 0 || !argv[0] || child < -1;
}
