// A header that each start makes before the load, filled by helpers that only
// handle pointers to what was loaded: count and head are state, and so is the
// type. What the load fills is kept, of all fields or of some. A helper that stores nothing that was loaded counts nothing.
//
// RUN: %nvmove --load load --print types %s -- > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: item
// CHECK-DAG: entry
// CHECK-DAG: list
// CHECK-DAG: table
// RUN: %nvmove --load load --print roots %s -- > %t
// RUN: FileCheck %s --input-file %t --check-prefix=ROOTS --match-full-lines --implicit-check-not={{.}}
// ROOTS-DAG: list->count
// ROOTS-DAG: list->items
// ROOTS-DAG: table

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int id;
};
struct entry {
  struct entry *next;
  char *key;
};
struct list { /* of items */
  void **items;
  int count, room;
};
struct table {
  struct entry **slot;
  unsigned slots, used;
};
struct statistics {
  int calls;
};
static struct list *list;
static struct table *table;
static struct statistics *statistics;

static void add(struct list *l, void *p) {
  if (l->count < l->room)
    l->items[l->count++] = p;
}
static unsigned hash(const char *key) { return key[0]; }
static void set(struct table *t, const char *key) {
  struct entry *e = malloc(sizeof *e), **slot = &t->slot[hash(key) % t->slots];
  e->key = strdup(key);
  e->next = *slot;
  *slot = e;
  t->used++;
}
static void called(struct statistics *s, const char *key) { s->calls += 1; }
static void load(void) {
  char key[40];
  int id;
  while (scanf("%39s %d", key, &id) == 2) {
    struct item *i = malloc(sizeof *i);
    i->id = id;
    add(list, i);
    set(table, key);
    called(statistics, key);
  }
}
int main(void) {
  list = malloc(sizeof *list);
  list->items = calloc(16, sizeof *list->items);
  list->room = 16;
  list->count = 0;
  table = calloc(1, sizeof *table);
  table->slots = 64;
  table->slot = calloc(64, sizeof *table->slot);
  statistics = calloc(1, sizeof *statistics);
  load();
  while (getchar() != EOF)
    printf("%d %u %d\n", list->count, table->used, statistics->calls);
  return 0;
}
