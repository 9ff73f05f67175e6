// What the load is handed is made before it, though its text comes after the
// load's name: what that adds, the state takes the place of.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s --implicit-check-not=behind-load
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
static void load(const char *path) {
  int id;
  FILE *in = fopen(path, "r");
  while (in && fscanf(in, "%d", &id) == 1)
    add(id);
  if (in)
    fclose(in);
}
static const char *built_in(void) {
  struct item *i = malloc(sizeof *i);
  i->id = 1;
  i->next = items;
  items = i;
  return "items";
}
int main(void) {
  load(built_in());
  char line[80];
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
}
