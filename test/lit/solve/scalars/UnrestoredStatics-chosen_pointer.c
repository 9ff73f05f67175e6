// Text and functions that the file or a command chooses, in a function that both
// run: the next run has the initial ones, which is told. Not told is what points
// to memory that changes, and what start-up alone sets.
//
// RUN: %nvmove --notes --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: %python -c "import json, sys; [print(n['what']) for n in json.load(open(sys.argv[1]))['findings']]" %t.out/report.json > %t.what
// RUN: FileCheck %s --input-file %t.what --implicit-check-not='is set by'
// CHECK-DAG: label is set by the load to constants of the program, but not restored
// CHECK-DAG: order is set by the load to constants of the program, but not restored
// CHECK-DAG: colour is set by the load to constants of the program, but not restored
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { struct item *next; int n; };
static struct item *items;
static int up(int a, int b) { return a < b; }
static int down(int a, int b) { return a > b; }
static const char *const names[] = {"slow", "fast"};
static const struct mode { int (*order)(int, int); } modes[] = {{up}, {down}};
static const char *label = "none", *colour = "grey", *begin;
static int (*order)(int, int) = up;
static char line[80];
static void set(const char *s) {
  for (int i = 0; i < 2; i++)
    if (!strcmp(names[i], s)) {
      label = names[i];
      order = modes[i].order;
    }
  if (*s == 'r')
    colour = "red";
  else
    colour = "blue";
  begin = line;
}
static void add(int n) {
  struct item *item = malloc(sizeof *item);
  item->n = n;
  item->next = items;
  items = item;
}
static void load(void) {
  char key[8], value[12];
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  while (fscanf(f, "%7s %11s", key, value) == 2)
    if (!strcmp(key, "mode"))
      set(value);
    else
      add(atoi(value));
  fclose(f);
}
static void command(void) {
  if (*line == 'm')
    set(line + 1);
  else
    add(atoi(line));
  printf("%s %s %d %s\n", label, colour, order(1, 2), begin);
}
int main(void) {
  load();
  while (fgets(line, sizeof line, stdin))
    command();
  return 0;
}
