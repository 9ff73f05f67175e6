// A function that loads, and sets numbers, text and a descriptor that each
// start needs, runs at each start: only the load in it is passed over.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load program.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include program.c
// RUN: FileCheck %s --input-file program.c --check-prefix=TEXT
// TEXT: static void setup
// TEXT: if (!NVM_LOAD_OR(load(), 0, 1))
// TEXT: int main
// TEXT-NOT: nvm_restore
// RUN: gcc -I %runtime_include program.c %runtime_lib -o app
// RUN: printf a > state
// RUN: printf '+' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app > log
// RUN: printf '+' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG: hello 98 7
// LOG-NEXT: hello 99 7

//--- program.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;
static int verbose, out = -1;
static char greeting[32];

static int load(void) {
  int c;
  FILE *f = fopen("state", "r");
  if (!f)
    return 0;
  while ((c = getc(f)) != EOF) {
    struct item *it = malloc(sizeof *it);
    it->n = c;
    it->next = items;
    items = it;
  }
  fclose(f);
  return 1;
}

static void setup(void) {
  verbose = 7;
  strcpy(greeting, "hello");
  out = dup(1);
  if (!load())
    exit(1);
}

static void command(void) {
  char text[64];
  items->n++;
  int n = snprintf(text, sizeof text, "%s %d %d\n", greeting, items->n, verbose);
  if (write(out, text, n) != n)
    abort();
}

int main(void) {
  int c;
  setup();
  while ((c = getchar()) != EOF)
    command();
  return 0;
}
