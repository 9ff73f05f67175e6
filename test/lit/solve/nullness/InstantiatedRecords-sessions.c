// Sessions are made by the main loop: while the load goes over all of them there
// is none, however they hang together, and none of their types is loaded. The
// node of a list is a type of which there are others.
//
// RUN: %nvmove --load load --print types %s > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: item
// CHECK-DAG: link
//
// Start-up makes one: by itself; as a part of something larger; as a variable;
// through a function that the library is handed; out of a pool of bytes; by a
// type that begins like it.
//
// RUN: %nvmove --load load --print types %s -- -DEARLY > %t.early
// RUN: FileCheck %s --input-file %t.early --check-prefix=SESSION
// RUN: %nvmove --load load --print types %s -- -DPART > %t.part
// RUN: FileCheck %s --input-file %t.part --check-prefix=SESSION
// RUN: %nvmove --load load --print types %s -- -DVARIABLE > %t.variable
// RUN: FileCheck %s --input-file %t.variable --check-prefix=SESSION
// RUN: %nvmove --load load --print types %s -- -DHANDED > %t.handed
// RUN: FileCheck %s --input-file %t.handed --check-prefix=SESSION
// RUN: %nvmove --load load --print types %s -- -DPOOL > %t.pool
// RUN: FileCheck %s --input-file %t.pool --check-prefix=SESSION
// RUN: %nvmove --load load --print types %s -- -DBASE > %t.base
// RUN: FileCheck %s --input-file %t.base --check-prefix=SESSION
// SESSION: session

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>

struct link {
  struct link *next;
};
struct item {
  struct link link;
  int number;
};
struct message {
  struct message *next;
  int number;
};
struct session {
  struct link link;
  int user, last;
  struct message *queue;
};
struct server {
  struct link items, sessions;
};
static struct server server;

#define containing(pointer, type, member)                                      \
  ((type *)(void *)((char *)(pointer)-offsetof(type, member)))
#define each(p, list) (struct link *p = (list)->next; p; p = p->next)

static void insert(struct link *list, struct link *l) {
  l->next = list->next;
  list->next = l;
}

static void queue(struct session *s, int number) {
  struct message *m = malloc(sizeof *m);
  m->number = number;
  m->next = s->queue;
  s->queue = m;
}

static void tell(int number) {
  for each (p, &server.sessions) {
    struct session *s = containing(p, struct session, link);
    s->last = number;
    queue(s, s->user + number);
  }
}

void load(FILE *f) {
  int number;
  while (fscanf(f, "%d", &number) == 1) {
    struct item *i = malloc(sizeof *i);
    i->number = number;
    insert(&server.items, &i->link);
    tell(number);
  }
}

static void connect_user(int user) {
  struct session *s = malloc(sizeof *s);
  s->user = user;
  s->queue = NULL;
  insert(&server.sessions, &s->link);
}

#ifdef PART
struct connection {
  int fd;
  struct session session;
};
#endif
#ifdef HANDED
static void on_signal(int number) { connect_user(number); }
#endif
#ifdef POOL
static char *pool;
static size_t used;
static void *take(size_t size) {
  void *p = pool + used;
  used += size;
  return p;
}
#endif
#ifdef BASE
struct base {
  struct link link;
  int user;
};
#endif

static void start(int argc) {
#ifdef EARLY
  connect_user(0);
#endif
#ifdef PART
  struct connection *c = malloc(sizeof *c);
  c->session.user = 0;
  insert(&server.sessions, &c->session.link);
#endif
#ifdef VARIABLE
  static struct session own;
  insert(&server.sessions, &own.link);
#endif
#ifdef HANDED
  signal(SIGHUP, on_signal);
#endif
#ifdef POOL
  pool = malloc(10000);
  struct session *s = take(sizeof *s);
  s->user = 0;
  insert(&server.sessions, &s->link);
#endif
#ifdef BASE
  struct base *b = malloc(sizeof(struct base) + argc * sizeof(int));
  b->user = 0;
  ((struct session *)b)->queue = NULL;
  insert(&server.sessions, &b->link);
#endif
}

int main(int argc, char **argv) {
  int c, sum = 0;
  FILE *f = fopen("items", "r");
  start(argc);
  if (f)
    load(f);
  while ((c = getchar()) != EOF) {
    if (c == 'c')
      connect_user(c);
    tell(c);
    for each (p, &server.items)
      sum += containing(p, struct item, link)->number++;
    for each (p, &server.sessions)
      sum += containing(p, struct session, link)->queue != NULL;
  }
  return sum;
}
