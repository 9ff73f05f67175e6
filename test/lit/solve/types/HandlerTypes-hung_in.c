// What handlers alone allocate and hang into persistent objects is persistent,
// where nothing that it holds ends with the process: notes with their tags, a
// record within. Not what holds a descriptor, a function, a stream, a text of
// the environment, or leads to such a record or to what start-up makes, nor what
// lies behind a void *; and not what hangs from a static alone.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && echo 'a 1 b 2' > data
// RUN: %nvmove --notes --load load app.c > out
// RUN: FileCheck %s --input-file out
// CHECK:      3 persistent types
// CHECK-NEXT: item {{.*}}allocates struct item in add
// CHECK-NEXT: note {{.*}}a handler allocates it, and item.notes points to it
// CHECK-NEXT: tag {{.*}}a handler allocates it, and note.tags points to it
// CHECK-NOT:  item.notes may
// CHECK-DAG:  item.watch may point to struct watch, allocated here and not persistent
// CHECK-DAG:  item.call may point to struct call, allocated here and not persistent
// CHECK-DAG:  item.trace may point to struct trace, allocated here and not persistent
// CHECK-DAG:  item.home may point to struct home, allocated here and not persistent
// CHECK-DAG:  item.outer may point to struct outer, allocated here and not persistent
// CHECK-DAG:  item.any may point to struct loose, allocated here and not persistent
// CHECK-DAG:  item.both may point to struct both, allocated here and not persistent
//
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'n a 5\nn a 6\nt a 7\nn b 1\nx a 0\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 't b 8\np a 0\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// LOG:      b: 1 at 11 by b [8 ]
// LOG-NEXT: a: 6 at 16 by a [7 ] 5 at 15 by a []

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tag { struct tag *next; int v; };
struct place { int x; double y; };
struct note { struct note *next; struct place at; char *by; struct tag *tags; int v; };
struct watch { int fd; };
struct call { int (*fn)(const char *); };
struct trace { FILE *to; };
struct home { const char *path; };
struct outer { struct watch *watch; };
struct both { int v; };
struct loose { int v; };
struct item {
  struct item *next;
  struct note *notes;
  struct watch *watch;
  struct call *call;
  struct trace *trace;
  struct home *home;
  struct outer *outer;
  struct both *both;
  void *any;
  char key[12];
};
struct todo { struct todo *next; int v; };
static struct { struct item *all; struct todo *todo; } app;

static void add(const char *key) {
  struct item *i = calloc(1, sizeof *i);
  snprintf(i->key, sizeof i->key, "%.11s", key);
  i->next = app.all;
  app.all = i;
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  char key[20];
  int v;
  while (f && fscanf(f, "%19s %d", key, &v) == 2)
    add(key);
  if (f)
    fclose(f);
}
static void note(struct item *i, int v) {
  struct note *n = malloc(sizeof *n);
  n->v = v;
  n->at.x = v + 10;
  n->at.y = v;
  n->by = strdup(i->key);
  n->tags = NULL;
  n->next = i->notes;
  i->notes = n;
}
static void tag(struct item *i, int v) {
  struct tag *t = malloc(sizeof *t);
  t->v = v;
  t->next = i->notes->tags;
  i->notes->tags = t;
}
static void others(struct item *i) {
  if (!i->watch)
    i->watch = malloc(sizeof *i->watch);
  i->watch->fd = open("data", O_RDONLY);
  if (!i->call)
    i->call = malloc(sizeof *i->call);
  i->call->fn = puts;
  if (!i->trace)
    i->trace = malloc(sizeof *i->trace);
  i->trace->to = fopen("trace", "w");
  if (!i->home)
    i->home = malloc(sizeof *i->home);
  i->home->path = getenv("HOME");
  if (!i->outer)
    i->outer = malloc(sizeof *i->outer);
  i->outer->watch = i->watch;
  if (!i->both)
    i->both = malloc(sizeof *i->both);
  struct loose *loose = malloc(sizeof *loose);
  loose->v = 1;
  i->any = loose;
}
static void show(void) {
  for (struct item *i = app.all; i; i = i->next) {
    printf("%s:", i->key);
    for (struct note *n = i->notes; n; n = n->next) {
      printf(" %d at %d by %s [", n->v, n->at.x, n->by);
      for (struct tag *t = n->tags; t; t = t->next)
        printf("%d ", t->v);
      printf("]");
    }
    printf("\n");
  }
}
static void command(char c, const char *key, int v) {
  struct item *i = app.all;
  while (i && strcmp(i->key, key))
    i = i->next;
  if (i && c == 'n')
    note(i, v);
  if (i && c == 't')
    tag(i, v);
  if (i && c == 'o')
    others(i);
  if (c == 'q') {
    struct todo *t = malloc(sizeof *t);
    t->v = v;
    t->next = app.todo;
    app.todo = t;
  }
  if (c == 'p')
    show();
  if (c == 'x')
    raise(SIGKILL);
}
int main(void) {
  char line[80], key[20], c;
  int v;
  load("data");
  struct both *b = malloc(sizeof *b);
  b->v = 2;
  free(b);
  while (fgets(line, sizeof line, stdin))
    if (sscanf(line, "%c %19s %d", &c, key, &v) == 3)
      command(c, key, v);
  return 0;
}
