// The game loop loads at its start; nothing waits but through a pointer, so the wait that is found is the load's own fread.
//
// RUN: cd %S && %nvmove --load load --print types EventLoop-load_in_loop.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: item

#include <stdio.h>
#include <stdlib.h>
struct item { char v; struct item *next; };
static struct item *items;
static int (*get_key)(void);
static int read_block(FILE *f, char *out) { return fread(out, 1, 1, f) == 1; }
static void add(char v) {
  struct item *i = malloc(sizeof *i);
  i->v = v;
  i->next = items;
  items = i;
}
static int try_load(FILE *f) {
  char v;
  while (read_block(f, &v))
    add(v);
  return 1;
}
void load(const char *name) {
  FILE *f = fopen(name, "r");
  if (!f) return;
  try_load(f);
  fclose(f);
}
static void play(void) {
  while (get_key() != 'q')
    for (struct item *i = items; i; i = i->next) i->v++;
}
static int key(void) { return 'q'; }
int main(int argc, char **argv) {
  get_key = key;
  do {
    load(argv[1]);
    play();
  } while (argc > 2);
}
