// Where one handler makes what another takes for made, a restart without the
// load leaves the second without it. What is computed comes back with its flag;
// what a library made cannot, which is to act on: with a flag of its own, where
// it is used, and --keep for the flag of the state, the program goes on as it
// was. Where all who use it have made it before, nothing is said.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'ab1 C ' > data
// RUN: not %nvmove --load load app.c > log
// RUN: FileCheck %s --check-prefix=ASKED --input-file log --implicit-check-not=split-guard
// RUN: not %nvmove --load load --keep ready --force app.c | FileCheck %s --check-prefix=STILL
// RUN: sed '1i #define OWN_FLAG' %s > own.c && cp own.c plain.c
// RUN: %nvmove --load load --keep ready --force own.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=split-guard --implicit-check-not='of_all '
// RUN: gcc plain.c -o plain && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include own.c
// RUN: gcc own.o %runtime_lib -o app
// RUN: printf 'add x1\ntry y\ndump\ntry z\nsum\ndump\n' | ./plain > want
// RUN: printf 'add x1\ntry y\ndump\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > got
// RUN: printf 'try z\nsum\ndump\n' | env NVM_POOL=%t/pool ./app >> got
// RUN: diff want got
//
// ASKED: 1 finding to act on
// ASKED: app.c:[[#@LINE+33]]:{{.*}} split-guard {{ *}}ready says that it has been created, once: what regcomp() returns, which ends with the process, and try() uses it without creating it
// STILL: split-guard {{ *}}ready says
// CHECK: restored scalars
// CHECK-DAG: squares {{ *}}is set once, together with restored data
// CHECK-DAG: filled {{ *}}is set once, together with restored data
// CHECK-DAG: ready {{ *}}is named with --keep
// CHECK: nothing to act on

#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct doc { struct doc *next; int good; char text[24]; };
static struct doc *docs;

#ifdef OWN_FLAG
static regex_t shape;
static int ready, compiled;
static void compile(void) {
  if (!compiled) {
    regcomp(&shape, "^[a-z]+[0-9]*$", REG_EXTENDED | REG_NOSUB);
    compiled = 1;
  }
  ready = 1;
}
#else
static regex_t shape;
static int ready;
static void compile(void) {
  if (!ready) {
    regcomp(&shape, "^[a-z]+[0-9]*$", REG_EXTENDED | REG_NOSUB);
    ready = 1;
  }
}
#endif

// Computed; sum() looks at it without a question.
static int filled, squares[8];
static void fill(void) {
  if (filled)
    return;
  for (int i = 0; i < 8; i++)
    squares[i] = i * i;
  filled = 1;
}
static int sum(void) {
  int n = 0;
  for (int i = 0; i < 8; i++)
    n += squares[i];
  return n;
}

// Used only where it is made before: by the caller, by a helper.
static int of_all, cubes[8];
static void fill_all(void) {
  if (!of_all) {
    for (int i = 0; i < 8; i++)
      cubes[i] = i * i * i;
    of_all = 1;
  }
}
static void prepare(void) { fill_all(); }
static int cube(int n) { return of_all ? cubes[n & 7] : -1; }

static void add(const char *t) {
  struct doc *d = calloc(1, sizeof *d);
  snprintf(d->text, sizeof d->text, "%s", t);
  compile();
  fill();
  prepare();
  d->good = (regexec(&shape, t, 0, NULL, 0) == 0) + cube(2);
  d->next = docs;
  docs = d;
}
static void load(FILE *f) {
  char t[24];
  while (fscanf(f, "%23s", t) == 1)
    add(t);
}
static int try(const char *t) {
#ifdef OWN_FLAG
  if (!ready)
    return 0;
  compile();
#endif
  return ready && regexec(&shape, t, 0, NULL, 0) == 0;
}
static void handle(char *line) {
  char t[24];
  prepare();
  if (sscanf(line, "add %23s", t) == 1)
    add(t);
  else if (sscanf(line, "try %23s", t) == 1)
    printf("%d %d\n", try(t), cube(3));
  else if (!strncmp(line, "sum", 3))
    printf("%d\n", sum());
  else
    for (struct doc *d = docs; d; d = d->next)
      printf("%s %d\n", d->text, d->good);
  fflush(stdout);
}
int main(void) {
  char line[64];
  FILE *f = fopen("data", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == 'x')
      raise(SIGKILL);
    handle(line);
  }
  return 0;
}
