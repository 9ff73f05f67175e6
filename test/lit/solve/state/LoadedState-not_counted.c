// The load drops a line, and walks the list of what runs, which is empty so
// far: what it counts there, by name or through a pointer, is not changed, and
// no flag is set. The list of lines is not empty. Of what is changed through a
// pointer it is asked whether it is to go on.
//
// RUN: cd %S
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out LoadedState-not_counted.c -- > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not="busy {{[^i,]}}"
// CHECK:      2 restored scalars
// CHECK-NEXT: known          counts what is loaded
// CHECK-NEXT: totals.dropped counts what is loaded
// CHECK:      lost-with-state running is changed by handlers
// CHECK:      changed-with-state totals.busy is changed by handlers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line { struct line *next; char command[16]; };
struct job { struct job *next; struct line *line; };
static struct line *lines;
static struct job *running;
static int busy, known;
static struct { int busy, dropped; } totals;

static void forget(struct line *l, int *count) {
  for (struct job *j = running; j; j = j->next)
    if (j->line == l) {
      j->line = NULL;
      busy--;
      --*count;
    }
}

static void drop(struct line *l) {
  forget(l, &totals.busy);
  totals.dropped++;
  if (lines == l)
    lines = l->next;
  free(l);
}

static void load(const char *name) {
  char command[16];
  FILE *f = fopen(name, "r");
  while (fscanf(f, "%15s", command) == 1) {
    struct line *l = calloc(1, sizeof *l);
    strcpy(l->command, command);
    l->next = lines;
    lines = l;
    if (lines->next)
      known++;
    if (strcmp(command, "bad") == 0)
      drop(l);
  }
  fclose(f);
}

static void run(struct line *l) {
  struct job *j = calloc(1, sizeof *j);
  busy++;
  totals.busy++;
  l->command[0]++;
  j->line = l;
  j->next = running;
  running = j;
}

int main(int argc, char **argv) {
  char l[80];
  load(argv[argc - 1]);
  while (fgets(l, 80, stdin)) {
    if (l[0] == 'r' && lines)
      run(lines);
    printf("%d %d %d\n", busy, known, totals.dropped);
  }
  return 0;
}
