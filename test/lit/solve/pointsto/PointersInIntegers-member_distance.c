// A pointer to a member moves to another one of the same record by the distance
// between the two: both get what the load puts there.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// CHECK: 3 restored scalars
// CHECK-NEXT: other.menu gets a value from the file
// CHECK-NEXT: single.game gets a value from the file
// CHECK-NEXT: single.menu gets a value from the file
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; int n; };
static struct item *all;
static struct keys { unsigned short menu[6]; unsigned short game[5]; } single, other;
static unsigned short *place(int key) {
  unsigned short *keys = single.menu;
  if (key & 32)
    keys += single.game - single.menu;
  return keys + (key & 7);
}
static void map(int key, int c) {
  if (key & 64)
    other.menu[key & 3] = c;
  else
    *place(key) = c;
}
static void load(const char *p) {
  FILE *f = fopen(p, "r");
  char var[40];
  int n, c;
  if (!f) return;
  while (fscanf(f, "%39s %d %d", var, &n, &c) == 3)
    if (!strcmp(var, "key"))
      map(n, c);
    else {
      struct item *i = malloc(sizeof *i);
      i->n = n;
      i->next = all;
      all = i;
    }
  fclose(f);
}
int main(void) {
  char l[80];
  load("state");
  while (fgets(l, 80, stdin))
    if (*l == 'm') map(atoi(l + 1), 7);
    else printf("%d %d\n", single.menu[1], single.game[1]);
  return 0;
}
