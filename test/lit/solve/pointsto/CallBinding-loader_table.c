// The loaders stand in a static table that is handed over as a parameter.
//
// RUN: cd %S && %nvmove --load load --print types CallBinding-loader_table.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: item

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int v; struct item *next; };
static struct item *items;
typedef int (*loader_t)(void);
struct block { char name[16]; };
struct blockinfo { char name[16]; loader_t loader; };
static FILE *in;
int rd_items(void) {
  struct item *i = malloc(sizeof *i);
  i->v = getc(in);
  i->next = items;
  items = i;
  return 0;
}
int rd_null(void) { return 0; }
static const struct blockinfo loaders[] = {{"none", rd_null}, {"items", rd_items}, {"", NULL}};
static loader_t find_loader(struct block *b, const struct blockinfo *table) {
  for (int i = 0; table[i].name[0]; i++)
    if (!strcmp(b->name, table[i].name))
      return table[i].loader;
  return NULL;
}
static int load_block(loader_t loader) { return loader(); }
static int try_load(const struct blockinfo *table) {
  struct block b;
  while (fread(b.name, 1, sizeof b.name, in) == sizeof b.name) {
    loader_t loader = find_loader(&b, table);
    if (!loader || load_block(loader)) return 0;
  }
  return 1;
}
int load(FILE *f) { in = f; return try_load(loaders); }
int main(void) {
  load(stdin);
  for (struct item *i = items; i; i = i->next) printf("%d\n", i->v);
}
