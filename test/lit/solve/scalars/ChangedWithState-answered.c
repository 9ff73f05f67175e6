// A number that handlers alone change, in one of several places together with
// the state, and that an answer holds: losing it is to act on, and both answers
// of the advice end that. With --keep the program goes on where it was. What
// start-up sets to a constant, or what only a log holds, is a question.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf '1 2\n' > data
// RUN: %nvmove_act --load load app.c | FileCheck %s --check-prefix=ASKED --implicit-check-not='lost-with-state'
// RUN: %nvmove --load load --afresh edits,deep.seen --force app.c | FileCheck %s --check-prefix=AFRESH --implicit-check-not=lost-with-state
// RUN: %nvmove --load load --keep edits,deep.seen --force app.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=lost-with-state
// RUN: cp %s plain.c && gcc plain.c -o plain && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'a3\nu9\n?\na4\n?\n' | ./plain > want
// RUN: printf 'a3\nu9\n?\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'a4\n?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: diff want log
//
// ASKED: 1 finding to act on
// ASKED: lost-with-state {{.*}}edits, deep.seen is changed by handlers
// ASKED: changed-with-state {{.*}}since, logged is changed by handlers
// AFRESH: 1 finding to check
// CHECK: restored scalars
// CHECK: deep.seen
// CHECK: edits

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct item { struct item *next; int v; };
static struct item *items;
static struct { long other, seen; } deep;
static long edits, since, logged;

static void push(int v) {
  struct item *i = malloc(sizeof *i);
  i->v = v;
  i->next = items;
  items = i;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int v;
  while (f && fscanf(f, "%d", &v) == 1)
    push(v);
  if (f)
    fclose(f);
}
static void handle(const char *line) {
  int v = atoi(line + 1);
  if (line[0] == 'a') {
    push(v);
    edits++;
    deep.seen += v;
    since++;
    logged++;
  } else if (line[0] == 'u') {
    for (struct item *i = items; i; i = i->next)
      if (i->v == v)
        i->v++;
    edits++;
  } else {
    for (struct item *i = items; i; i = i->next)
      printf("%d ", i->v);
    printf("%ld %ld since %ld\n", edits, deep.seen, line[1] == 's' ? since : 0);
    fprintf(stderr, "%ld\n", logged);
    fflush(stdout);
  }
}
int main(void) {
  char line[64];
  since = 0;
  load("data");
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == 'x')
      raise(SIGKILL);
    handle(line);
  }
  return 0;
}
