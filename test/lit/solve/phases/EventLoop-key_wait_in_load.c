// The load shows an error and waits for a key; the key source may be a program that plays the game.
//
// RUN: cd %S && %nvmove --load load --print types EventLoop-key_wait_in_load.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: item

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
struct item { int v; struct item *next; };
struct plan { int step; struct plan *next; };
static struct item *items;
static struct plan *plans;
static int (*key_source)(void);
static void command(int key) {
  if (key == 'n') items->v++;
}
static int get_key(void) {
  struct pollfd p = {0, POLLIN, 0};
  if (key_source) return key_source();
  poll(&p, 1, -1);
  return getchar();
}
static int robot(void) {
  struct plan *p = calloc(1, sizeof *p);
  p->next = plans;
  plans = p;
  return 'n';
}
static void note(const char *text) { puts(text); get_key(); }
void load(FILE *f) {
  int v;
  while (fscanf(f, "%d", &v) == 1) {
    struct item *i = malloc(sizeof *i);
    i->v = v;
    i->next = items;
    items = i;
  }
  if (ferror(f)) note("bad file");
}
int main(int argc, char **argv) {
  if (argc > 2) key_source = robot;
  FILE *f = fopen(argv[1], "r");
  load(f);
  for (;;) command(get_key());
}
