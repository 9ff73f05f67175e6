// Nothing loads at the start: a request does, handled through a pointer, with
// the state handed to it. What the state hangs from is a local of the function
// with the main loop. Handlers run before the load here, so nothing that they
// fill is taken for empty.
//
// RUN: %nvmove --load load_cache --print types %s -- -std=gnu99 | FileCheck %s --match-full-lines
// CHECK-DAG: cache
// CHECK-DAG: entry
// CHECK-DAG: watcher
// CHECK-NOT: {{.}}
//
// RUN: rm -rf %t
// RUN: %nvmove_act --load load_cache --analyze-only --out %t %s -- -std=gnu99 > %t.log 2>&1
// RUN: FileCheck %s --input-file %t.log --check-prefix=LOG --implicit-check-not=not-yet-filled
// LOG: server->cache {{.*}}restored members: cache
//
// The buffer that it reads into is a variable of the caller: nothing lasts there.
// RUN: %nvmove explain reader --load load_cache %s -- -std=gnu99 | FileCheck %s --check-prefix=READER
// READER: struct reader is not persistent
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

struct watcher {
  int of, seen;
  struct watcher *next;
};
struct entry {
  int key;
  struct entry *next;
};
struct cache {
  struct entry *entries;
};
struct server {
  struct cache *cache;
  struct watcher *watchers;
};
struct reader {
  FILE *from;
  int got;
};
struct event {
  void (*handle)(struct server *, FILE *);
  struct event *next;
};
static struct event *events;

void load_cache(struct reader *r, struct server *server) {
  while (fscanf(r->from, "%d", &r->got) == 1) {
    struct entry *e = malloc(sizeof *e);
    e->key = r->got;
    e->next = server->cache->entries;
    server->cache->entries = e;
    for (struct watcher *w = server->watchers; w; w = w->next)
      if (w->of == e->key)
        w->seen = r->got;
  }
}

static void on_load(struct server *server, FILE *from) {
  struct reader r = {from, 0};
  load_cache(&r, server);
}

static void on_watch(struct server *server, FILE *from) {
  struct watcher *w = calloc(1, sizeof *w);
  fscanf(from, "%d", &w->of);
  w->next = server->watchers;
  server->watchers = w;
}

static void add(void (*handle)(struct server *, FILE *)) {
  struct event *e = malloc(sizeof *e);
  e->handle = handle;
  e->next = events;
  events = e;
}

static void serve(struct server *server) {
  struct pollfd p = {0, POLLIN, 0};
  while (poll(&p, 1, -1) >= 0)
    for (struct event *e = events; e; e = e->next)
      e->handle(server, stdin);
}

static void run(void) {
  struct server *server = calloc(1, sizeof *server);
  server->cache = calloc(1, sizeof *server->cache);
  add(on_load);
  add(on_watch);
  serve(server);
}

int main(void) {
  run();
  return 0;
}
