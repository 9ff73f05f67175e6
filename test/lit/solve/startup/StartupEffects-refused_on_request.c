// A load that is not skipped at start-up is not told to be skipped on request.
//
// RUN: %nvmove_act --load load --out %t --force %s | FileCheck %s --implicit-check-not=load-on-request
// CHECK: load-not-guarded{{ +}}the load at start-up is not guarded: it is called in a loop that also writes last
#include <stdio.h>
#include <stdlib.h>

struct note {
  struct note *next;
  int n;
};
static struct note *notes, *last;
static const char *said;

static void load(const char *name) {
  int n;
  FILE *in = fopen(name, "r");
  while (in && fscanf(in, "%d", &n) == 1) {
    struct note *e = malloc(sizeof *e);
    e->n = n;
    e->next = notes;
    last = notes = e;
  }
  if (in)
    fclose(in);
}

static void command(const char *line) {
  said = line;
  switch (*line) {
  case '<':
    load(line + 1);
    break;
  case '0':
    last->n = 0;
    break;
  }
}

int main(int argc, char **argv) {
  char line[100];
  for (int i = 1; i < argc; i++) {
    command(argv[i]);
    last = notes;
  }
  while (fgets(line, sizeof line, stdin))
    command(line);
  puts(said);
}
