// What the load needs is opened by a function that main calls, and handlers do, too: a restart skips both. Where the
// start hands a null for it, only handlers set it.
//
// RUN: cd %S && %nvmove_act --load load --analyze-only --force --out %t.out UsesAfterRestart-opened_beside.c > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not=used-after-restart
// CHECK: used-after-restart {{.*}}log.file may point to what fopen() returns: a restart makes it null, and it is used without a test at UsesAfterRestart-opened_beside.c:[[#@LINE+51]]
#include <stdio.h>
#include <stdlib.h>

struct client { int n; };
struct item { struct item *next; int key; };
struct log { long read; FILE *file; };
struct store {
  struct store *next;
  struct item *items;
  struct log *log;
  struct client *owner;
};
static struct store *stores;

static struct item *add(struct store *s, int key) {
  struct item *i = calloc(1, sizeof *i);
  i->key = key;
  i->next = s->items;
  return s->items = i;
}
static void load(struct store *s) {
  int key;
  while (fscanf(s->log->file, "%d", &key) == 1) {
    add(s, key);
    s->log->read++;
  }
}
static struct log *open_log(const char *name) {
  struct log *l = calloc(1, sizeof *l);
  l->file = fopen(name, "a+");
  return l;
}
static void set_owner(struct store *s, struct client *c) {
  s->owner = c;
}
static void open_store(const char *name, struct client *c) {
  struct store *s = calloc(1, sizeof *s);
  s->log = open_log(name);
  if (c)
    set_owner(s, c);
  s->next = stores;
  stores = s;
  load(s);
}
static int command(int c) {
  if (c == 'o') {
    struct client *owner = malloc(sizeof *owner);
    owner->n = 1;
    open_store("other", owner);
  }
  fprintf(stores->log->file, "%d\n", add(stores, c)->key);
  return stores->owner->n;
}
int main(void) {
  int c;
  open_store("state", NULL);
  while ((c = getchar()) != EOF)
    printf("%d\n", command(c));
  return 0;
}
