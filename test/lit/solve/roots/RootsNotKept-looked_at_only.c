// A table that each start makes, in which the load only looks: whether somebody
// waits for a key. The look-up moves entries around and counts, as it does in the
// table that the load fills, and yet nothing that is loaded is there. Kept, it
// would lead to waiters that ended with the process.
//
// RUN: %nvmove --print roots --load load %s | FileCheck %s --implicit-check-not={{.}}
// CHECK: db->keys
#include <stdio.h>
#include <stdlib.h>
struct entry { struct entry *next; int key; void *value; };
struct table { struct entry *old[8], *now[8]; int moved, used; };
struct waiter { struct waiter *next; int client; };
struct db { struct table *keys, *waiting; };
static struct db *db;
static void step(struct table *t) {
  if (t->moved == 8)
    return;
  struct entry *e = t->old[t->moved];
  while (e) {
    struct entry *next = e->next;
    e->next = t->now[e->key & 7];
    t->now[e->key & 7] = e;
    e = next;
  }
  t->old[t->moved++] = NULL;
}
static struct entry *find(struct table *t, int key) {
  step(t);
  for (struct entry *e = t->now[key & 7]; e; e = e->next)
    if (e->key == key)
      return e;
  return NULL;
}
static void put(struct table *t, int key, void *value) {
  struct entry *e = find(t, key);
  if (!e) {
    e = malloc(sizeof *e);
    e->key = key;
    e->next = t->now[key & 7];
    t->now[key & 7] = e;
    t->used++;
  }
  e->value = value;
}
static void load(const char *name) {
  FILE *in = fopen(name, "r");
  int key;
  while (in && fscanf(in, "%d", &key) == 1) {
    int *value = malloc(sizeof *value);
    *value = key;
    put(db->keys, key, value);
    struct entry *waiting = find(db->waiting, key);
    if (waiting)
      printf("%d\n", ((struct waiter *)waiting->value)->client);
  }
}
static void command(int c) {
  struct waiter *w = calloc(1, sizeof *w);
  w->client = c;
  put(db->waiting, c, w);
  put(db->keys, c, NULL);
}
int main(int argc, char **argv) {
  db = calloc(1, sizeof *db);
  db->keys = calloc(1, sizeof *db->keys);
  db->waiting = calloc(1, sizeof *db->waiting);
  load(argv[argc - 1]);
  for (int c; (c = getchar()) != EOF;)
    command(c);
  return 0;
}
