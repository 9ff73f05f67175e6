// What computes an argument of the load runs before it: the load may find what
// that has set.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// CHECK: struct note
#include <stdio.h>
#include <stdlib.h>
struct note {
  struct note *next;
  int id;
};
struct options {
  int keeps;
};
static struct note *notes;
static struct options *options;
static void load(const char *path) {
  int id;
  FILE *in = fopen(path, "r");
  while (in && fscanf(in, "%d", &id) == 1)
    if (options) {
      struct note *n = malloc(sizeof *n);
      n->id = id;
      n->next = notes;
      notes = n;
    }
  if (in)
    fclose(in);
}
static const char *configure(void) {
  options = calloc(1, sizeof *options);
  return "notes";
}
int main(void) {
  char line[80];
  load(configure());
  while (fgets(line, sizeof line, stdin))
    if (notes)
      notes->id = atoi(line);
}
