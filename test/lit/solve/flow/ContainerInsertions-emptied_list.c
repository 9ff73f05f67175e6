// A list of connections from which the load may only take elements, by way of an
// iterator: its head is no root, though the load names it. Each start makes it
// anew. Those that the load fills are roots, also one that it then empties.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// OUT:      3 roots
// OUT-NEXT: app.errors.first
// OUT-NEXT: app.links.first
// OUT-NEXT: app.moved.first
// OUT:      head-not-kept app.conns is not kept
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'csk' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data > first 2> log
// RUN: printf 'scs' | env NVM_POOL=%t/pool ./app > second 2>> log
// RUN: FileCheck %s --input-file second
// CHECK:      links b conns moved a
// CHECK-NEXT: links b conns 7 moved a

//--- data
ab

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item { struct item *next; void *ptr; };
typedef struct list {
  struct item *first;
  int (*compare)(const void *, const void *);
} list_t;
struct link { int n, in_use; };
struct conn { int fd; };
static struct app { list_t conns, links, errors, moved; } app;

static int same(const void *a, const void *b) { return a != b; }
static void list_init(list_t *l) {
  l->first = NULL;
  l->compare = same;
}
static void list_add(list_t *l, void *p) {
  struct item *i = malloc(sizeof *i);
  if (!i)
    abort();
  i->ptr = p;
  i->next = l->first;
  l->first = i;
}

struct walk { list_t *list; struct item *now, *before; };
static void walk_begin(list_t *l, struct walk *w) {
  w->list = l;
  w->now = l->first;
  w->before = NULL;
}
static void *walk_remove(struct walk *w) {
  struct item *gone = w->now;
  void *ptr = gone->ptr;
  if (w->before)
    w->before->next = gone->next;
  else
    w->list->first = gone->next;
  w->now = gone->next;
  free(gone);
  return ptr;
}
static void *list_remove(list_t *l, const void *p) {
  struct walk w;
  void *found = NULL;
  for (walk_begin(l, &w); w.now; w.before = w.now, w.now = w.now->next)
    if (l->compare(w.now->ptr, p) == 0) {
      found = walk_remove(&w);
      break;
    }
  return found;
}

static void sweep(struct app *a) {
  struct item *i, *next;
  for (i = a->links.first; i; i = next) {
    struct link *l = i->ptr;
    next = i->next;
    if (l->in_use)
      continue;
    list_remove(&a->conns, l);
    list_add(&a->moved, list_remove(&a->links, l));
  }
  while (a->errors.first)
    free(list_remove(&a->errors, a->errors.first->ptr));
}
static void load(struct app *a, const char *name) {
  FILE *in = fopen(name, "r");
  if (!in)
    return;
  for (int c; (c = getc(in)) > ' ';) {
    struct link *l = malloc(sizeof *l);
    if (!l)
      abort();
    l->n = c;
    l->in_use = c != 'a';
    list_add(&a->links, l);
    list_add(&a->errors, malloc(1));
  }
  fclose(in);
  sweep(a);
}

static void command(int c) {
  if (c == 'c') {
    struct conn *conn = malloc(sizeof *conn);
    if (!conn)
      abort();
    conn->fd = 7;
    list_add(&app.conns, conn);
  }
}
static void show(void) {
  struct item *i;
  printf("links");
  for (i = app.links.first; i; i = i->next)
    printf(" %c", ((struct link *)i->ptr)->n);
  printf(" conns");
  for (i = app.conns.first; i; i = i->next)
    if (i->ptr)
      printf(" %d", ((struct conn *)i->ptr)->fd);
    else
      printf(" null");
  printf(" moved");
  for (i = app.moved.first; i; i = i->next)
    printf(" %c", ((struct link *)i->ptr)->n);
  putchar('\n');
}
int main(int argc, char **argv) {
  list_init(&app.conns);
  list_init(&app.links);
  list_init(&app.errors);
  list_init(&app.moved);
  load(&app, argc > 1 ? argv[1] : "/nowhere");
  for (int c; (c = getchar()) != EOF;)
    if (c == 's')
      show();
    else if (c == 'k')
      kill(getpid(), SIGKILL);
    else
      command(c);
  return 0;
}
