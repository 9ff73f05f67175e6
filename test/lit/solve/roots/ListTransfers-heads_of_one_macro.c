// Two statics that one macro defines stand in one place: that the head of the one
// is reported does not keep that of the other from being reported. An element with
// a void * may be of a list of anything: its head does not come back by itself.
//
// RUN: %nvmove --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK-DAG: head-not-kept {{.*}}history is not kept: each start creates what it points to, and the load only removes elements from that
// CHECK-DAG: head-not-kept {{.*}}dropped is not kept, because the load does not fill it, although objects of the load are moved there
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry *next;
  void *data;
};
struct table {
  struct entry **slots;
  unsigned count;
  int (*same)(const void *, const void *);
};
struct name {
  char text[16];
  long seen;
};
static struct table *names;
#define STATICS static struct table *history; static struct entry *dropped;
STATICS

static struct table *create(int (*same)(const void *, const void *)) {
  struct table *t = calloc(1, sizeof *t);
  t->slots = calloc(4, sizeof *t->slots);
  t->same = same;
  return t;
}
static void *get(struct table *t, unsigned key, void *what, void *(*make)(void *)) {
  struct entry *e;
  for (e = t->slots[key % 4]; e; e = e->next)
    if (t->same(e->data, what))
      return e->data;
  e = malloc(sizeof *e);
  e->data = make(what);
  e->next = t->slots[key % 4];
  t->slots[key % 4] = e;
  t->count++;
  return e->data;
}
static void *release(struct table *t, unsigned key, void *what) {
  struct entry *e, *last = NULL;
  void *data;
  for (e = t->slots[key % 4]; e; last = e, e = e->next)
    if (t->same(e->data, what)) {
      if (last)
        last->next = e->next;
      else
        t->slots[key % 4] = e->next;
      data = e->data;
      free(e);
      t->count--;
      return data;
    }
  return NULL;
}
static int same_name(const void *a, const void *b) {
  return !strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}
static void *make_name(void *from) {
  struct name *n = malloc(sizeof *n);
  *n = *(struct name *)from;
  return n;
}
static void clear(struct name *n) {
  free(release(history, n->text[0], n));
}
static void load(const char *file) {
  struct name n = {"", 0};
  FILE *f = fopen(file, "r");
  if (!f)
    return;
  while (fscanf(f, "%15s", n.text) == 1) {
    if (!strcmp(n.text, "clear"))
      clear(&n);
    else
      get(names, n.text[0], &n, make_name);
  }
  fclose(f);
}
static void drop(void) {
  struct entry *e = names->slots[0];
  if (!e)
    return;
  names->slots[0] = e->next;
  e->next = dropped;
  dropped = e;
}
static void command(struct name *n) {
  get(names, n->text[0], n, make_name);
  get(history, n->text[0], n, make_name);
  drop();
}
static void prepare(void) {
  struct name n = {"none", 0};
  get(history, 0, &n, make_name);
}
int main(int argc, char **argv) {
  struct name n = {"", 0};
  names = create(same_name);
  history = create(same_name);
  prepare();
  load(argv[argc - 1]);
  while (scanf("%15s", n.text) == 1)
    command(&n);
  return 0;
}
