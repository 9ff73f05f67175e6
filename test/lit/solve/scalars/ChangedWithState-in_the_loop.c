// The main loop changes numbers by itself, of a record of main among others, and
// so does a handler. What start-up makes ready with constants before the load is
// as good as an initialiser. The body of the loop is one section.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf 'one two ' > data
// RUN: %nvmove --load load_state app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      restored scalars
// CHECK-NEXT: w.c.last  changes with the record that it is in
// CHECK-NEXT: w.c.n     counts what is loaded
// CHECK-NEXT: w.c.ops   changes with the record that it is in
// CHECK-NEXT: w.c.rate  changes with the record that it is in
// CHECK:      1 suggested section
// CHECK-NEXT: loop of main  body
// CHECK:      changed-with-state {{.*}}total is changed by handlers, here together with persistent state
//
// RUN: cp %s plain.c && gcc plain.c -o plain && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'a\nbb\nccc\n?\nlate\n?\n' | ./plain > want
// RUN: printf 'a\nbb\nccc\n?\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 'late\n?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: diff want log

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; char key[20]; };
struct counts { int n, ops, last; double rate; };
struct world { struct item *first; struct counts c; };
static int total;

static void add(struct world *w, const char *key) {
  struct item *i = malloc(sizeof *i);
  snprintf(i->key, sizeof i->key, "%s", key);
  i->next = w->first;
  w->first = i;
  w->c.n++;
}
static void add_rated(struct world *w, const char *key) {
  add(w, key);
  w->c.rate = (double)strlen(key) / 2;
}
static void load_state(struct world *w, const char *path) {
  char line[64];
  FILE *f = fopen(path, "r");
  if (!f)
    return;
  while (fscanf(f, "%19s", line) == 1)
    add(w, line);
  fclose(f);
}
int main(void) {
  struct world w;
  char line[64];
  memset(&w, 0, sizeof w);
  load_state(&w, "data");
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "x"))
      raise(SIGKILL);
    if (!strcmp(line, "?")) {
      printf("%d %d %d %.1f\n", w.c.n, w.c.ops, w.c.last, w.c.rate);
    } else {
      add_rated(&w, line);
      w.c.ops++;
      total++;
      w.c.last = (int)strlen(line);
      printf("ok\n");
    }
    fflush(stdout);
  }
  return total > 1000;
}
