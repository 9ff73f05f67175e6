// A static table that comes back whole, with names and functions that its
// initialiser put there: they are where this run has them.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --notes --load load program.c > out
// RUN: FileCheck %s --input-file out
// CHECK: pointer-to-literal {{.*}}rooms[].name may hold the address of a string literal
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: NVM_ROOT(rooms);
// TEXT: NVM_LITERALS();
// RUN: gcc -fPIE -pie -I %runtime_include program.c %runtime_lib -o app
// RUN: printf 01 > state
// RUN: printf 1x | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app
// RUN: printf 1 | env NVM_POOL=%t/pool ./app > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      hall 1: 48
// LOG-NEXT: cave 2: 49 49 49

//--- program.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
struct room {
  const char *name;
  int (*enter)(void);
  struct item *items;
};
static int hall(void) { return 1; }
static int cave(void) { return 2; }
static struct room rooms[] = {{"hall", hall, NULL}, {"cave", cave, NULL}};

static void add(int c) {
  struct item *it = malloc(sizeof *it);
  if (!it)
    abort();
  it->n = c;
  it->next = rooms[c & 1].items;
  rooms[c & 1].items = it;
}
static void load(void) {
  int c;
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while ((c = fgetc(f)) != EOF)
    add(c);
  fclose(f);
}
static void command(int c) {
  if (c == 'x')
    kill(getpid(), SIGKILL);
  add(c);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  for (int r = 0; r < 2; r++) {
    printf("%s %d:", rooms[r].name, rooms[r].enter());
    for (struct item *it = rooms[r].items; it; it = it->next)
      printf(" %d", it->n);
    puts("");
  }
  return 0;
}
