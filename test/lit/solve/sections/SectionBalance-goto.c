// The load stands before the main loop in the text, and is done after it.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// CHECK: load-condition{{ +}}the main loop is before this load
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
int main(void) {
  char line[80];
  goto serve;
last:
  load();
  printf("%d\n", items ? items->id : 0);
  return 0;
serve:
  while (fgets(line, sizeof line, stdin))
    add(atoi(line));
  goto last;
}
