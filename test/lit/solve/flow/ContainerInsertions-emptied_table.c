// Two tables of one kind that each start makes and puts something into. The load
// puts something into one, and only takes out of the other one: that is no root.
// Those are in which it changes something, or that it hands to a function that
// does.
//
// RUN: cd %S && %nvmove --load load --analyze-only --force --out %t.out ContainerInsertions-emptied_table.c > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: {{^}}4 roots
// CHECK-NEXT: {{^}}  handed
// CHECK-NEXT: {{^}}  marked->slots
// CHECK-NEXT: {{^}}  names
// CHECK-NEXT: {{^}}  renamed
// CHECK: head-not-kept {{.*}}history is not kept: each start creates what it points to, and the load only removes elements from that
#include <stdarg.h>
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
static struct table *names, *history, *marked, *handed, *renamed;

static struct table *create(int (*same)(const void *, const void *)) {
  struct table *t = calloc(1, sizeof *t);
  t->slots = calloc(4, sizeof *t->slots);
  t->same = same;
  return t;
}
static void *look_up(struct table *t, void *what) {
  struct entry *e;
  for (e = t->slots[0]; e; e = e->next)
    if (t->same(e->data, what))
      return e->data;
  return NULL;
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
static void say(const char *format, ...) {
  char text[80] = "";
  va_list list;
  va_start(list, format);
  if (format[0] == '%')
    vprintf(format, list);
  else
    vsnprintf(text, sizeof text, format, list);
  va_end(list);
  puts(text);
}
static void each(struct table *t, void (*use)(struct entry *, void *), void *with) {
  struct entry *e, *next;
  for (e = t->slots[0]; e; e = next) {
    next = e->next;
    use(e, with);
  }
}
static void print(struct entry *e, void *with) {
  *(long *)with += ((struct name *)e->data)->seen;
  say("%s", ((struct name *)e->data)->text);
}
static void rename_it(struct entry *e, void *with) {
  strcpy(((struct name *)e->data)->text, with);
}
static void clear(struct name *n) {
  struct name *out = release(history, n->text[0], n);
  long seen = 0;
  each(history, print, &seen);
  each(renamed, rename_it, n->text);
  if (out)
    say("%s is gone %ld", out->text, seen);
  free(out);
}
static void fill(struct table *t, struct name *n) {
  release(t, 0, n);
  get(t, n->text[0], n, make_name);
}
static void load(const char *file) {
  struct name n = {"", 0}, *known;
  FILE *f = fopen(file, "r");
  if (!f)
    return;
  while (fscanf(f, "%15s", n.text) == 1) {
    if (!strcmp(n.text, "clear"))
      clear(&n);
    else
      get(names, n.text[0], &n, make_name);
    if ((known = look_up(marked, &n)))
      known->seen = 1;
    fill(handed, &n);
  }
  fclose(f);
}
static void command(struct name *n) {
  get(names, n->text[0], n, make_name);
  get(history, n->text[0], n, make_name);
  get(marked, n->text[0], n, make_name);
}
static void prepare(void) {
  struct name n = {"none", 0};
  get(history, 0, &n, make_name);
  get(marked, 0, &n, make_name);
  get(renamed, 0, &n, make_name);
}
int main(int argc, char **argv) {
  struct name n = {"", 0};
  names = create(same_name);
  history = create(same_name);
  marked = create(same_name);
  handed = create(same_name);
  renamed = create(same_name);
  prepare();
  load(argv[argc - 1]);
  while (scanf("%15s", n.text) == 1)
    command(&n);
  return 0;
}
