// A section reaches from an input to its answer: where one turn of the loop
// changes what is kept by several calls, or by one again and again, the body is
// a section. Calls of which only one is made stay sections, and calls that read
// for themselves.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load t.c > log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v "^//" t.c > code; FileCheck %s --input-file code --check-prefix=BODY --implicit-check-not=nvm_begin
// RUN: %nvmove --notes --load load --out second t.c > log
// RUN: not grep -r '^+.*NVM_SECTION' second
// RUN: %nvmove verify --load load t.c
// RUN: gcc -I %runtime_include t.c %runtime_lib -o t
// RUN: printf 'p1\np2\nk\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./t > log
// RUN: printf 's\nd\na5 6\nd\n' | env NVM_POOL=%t/pool ./t >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
//
// RUN: %nvmove --notes --load load --out many %s -- -DAGAIN > log
// RUN: FileCheck %s --input-file many/patches/3-sections.patch --check-prefix=BODY --implicit-check-not=nvm_begin
// RUN: %nvmove --notes --load load --out one %s -- -DONE > log
// RUN: FileCheck %s --input-file one/patches/3-sections.patch --check-prefix=CALL --implicit-check-not=NVM_SECTION
// RUN: %nvmove --notes --load load --out reads %s -- -DREADS > log
// RUN: FileCheck %s --input-file reads/patches/3-sections.patch --check-prefix=CALL --implicit-check-not=NVM_SECTION
//
// Where the first statement behind the wait is in an #if, that is told.
// RUN: %nvmove_act --notes --load load --out late %s -- -DLATE > log
// RUN: FileCheck %s --input-file log --check-prefix=LATE
// LATE: loop-without-section the section 'loop of ask' does not begin here: its first statement is in an #if
//
// BODY:      while (fgets(line, sizeof line, stdin)) {
// BODY:      NVM_SECTION();
// CALL:      nvm_begin();
// CALL:      nvm_end();
// LOG:      ok
// LOG-NEXT: ok
// LOG-NEXT: ok
// LOG-NEXT: 1 2
// LOG:      6 5 1 2
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
  struct cell *down;
  long v;
};
static struct cell *top;

static void push(long v) {
  struct cell *c = malloc(sizeof *c);
  c->v = v;
  c->down = top;
  top = c;
}
static long drop(void) {
  struct cell *c = top;
  long v = c->v;
  top = c->down;
  free(c);
  return v;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  long v;
  while (f && fscanf(f, "%ld", &v) == 1)
    push(v);
}
#ifdef LATE
static void ask(void) {
  char line[80];
  for (;;) {
    if (!fgets(line, sizeof line, stdin))
      break;
#ifndef FEWER
    push(1);
#endif
    push(2);
    puts("ok");
    fflush(stdout);
  }
}
#define serve ask
#elif defined READS
static void ask(void) {
  char c[20];
  if (fgets(c, sizeof c, stdin))
    push(atol(c));
}
#endif
#ifndef LATE
static void serve(void) {
  char line[80];
  while (fgets(line, sizeof line, stdin)) {
#ifdef AGAIN
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
      push(atol(word));
#elif defined ONE
    if (*line == 'p')
      push(atol(line + 1));
    else if (top)
      drop();
#elif defined READS
    if (*line == '2')
      ask();
    ask();
#else
    switch (*line) {
    case 'p':
      push(atol(line + 1));
      break;
    case 'k': {
      long b = drop();
      raise(SIGKILL);
      push(b);
      break;
    }
    case 's': {
      long b = drop(), a = drop();
      push(b);
      push(a);
      break;
    }
    case 'a':
      push(line[1] - '0'), push(line[3] - '0');
      break;
    case 'd':
      for (struct cell *c = top; c; c = c->down)
        printf(c->down ? "%ld " : "%ld\n", c->v);
      break;
    }
#endif
    puts("ok");
    fflush(stdout);
  }
}
#endif
int main(void) {
  load();
  serve();
  return 0;
}
