// Records that a library cuts from memory of its own, by macros of its header,
// are allocated by no call that is known: to act on. Allocated by malloc() they
// are kept.
//
// RUN: rm -rf %t && mkdir %t && cd %t && sed '/^\/\//d' %s > t.c
// RUN: %nvmove_act --load load t.c | FileCheck %s
// CHECK: to act on
// CHECK: no-allocation struct word is persistent, but no call is known that allocates it
// RUN: sed 's/obstack_alloc(&pool, /malloc(/; /begun/d' t.c > own.c
// RUN: %nvmove --load load --out own own.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <obstack.h>
#define obstack_chunk_alloc malloc
#define obstack_chunk_free free
struct word { const char *text; struct word *next; int n; };
static struct obstack pool;
static int begun;
static struct word *words;
static void put(const char *t) {
  if (!begun++) obstack_init(&pool);
  struct word *w = obstack_alloc(&pool, sizeof *w);
  w->text = strdup(t);
  w->n = 1;
  w->next = words;
  words = w;
}
static void load(FILE *f) {
  char t[16];
  while (f && fscanf(f, "%15s", t) == 1)
    put(t);
}
int main(void) {
  char line[80];
  load(fopen("state", "r"));
  while (fgets(line, sizeof line, stdin))
    put(line);
  return 0;
}
