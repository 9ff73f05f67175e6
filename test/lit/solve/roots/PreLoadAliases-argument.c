// What start-up finds to hand it to the load is set before the load, though its
// text comes after the load's name: it is restored with the list.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// CHECK: standard
#include <stdio.h>
#include <stdlib.h>
struct item {
  struct item *next;
  int id;
};
static struct item *items, *standard;
static struct item *find_or_make(int id) {
  struct item *i;
  for (i = items; i; i = i->next)
    if (i->id == id)
      return i;
  i = malloc(sizeof *i);
  i->id = id;
  i->next = items;
  items = i;
  return i;
}
static void load(const char *path) {
  int id;
  FILE *in = fopen(path, "r");
  while (in && fscanf(in, "%d", &id) == 1)
    find_or_make(id);
  if (in)
    fclose(in);
}
static const char *begin(void) {
  standard = find_or_make(0);
  return "items";
}
int main(void) {
  char line[80];
  load(begin());
  while (fgets(line, sizeof line, stdin))
    standard->id += find_or_make(atoi(line))->id;
}
