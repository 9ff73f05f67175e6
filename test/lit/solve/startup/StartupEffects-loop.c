// In a loop, and by goto, what stands after the load in the text may run before
// it: the state takes the place of what it adds.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// RUN: %nvmove --load load --out %t --force %s -- -DGOTO | FileCheck %s
// CHECK: before-load{{ +}}built_in() runs at each start before the load, and adds to the root items
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
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
static void built_in(void) { add(1); }
int main(void) {
#ifdef GOTO
  goto first;
second:
  load();
  goto go;
first:
  built_in();
  goto second;
go:;
#else
  for (int phase = 0; phase < 2; phase++) {
    if (phase == 1)
      load();
    if (phase == 0)
      built_in();
  }
#endif
  char line[80];
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
}
