// A record that each start makes, with a descriptor of this start, and that
// comes back whole, since nodes of the load lead into it: that is told.
//
// RUN: %nvmove --load load --out %t --force %s | FileCheck %s
// CHECK: 1 root
// CHECK-NEXT: gcfg
// CHECK: comes-back-whole{{ +}}gcfg leads to struct config, created by each start before the load
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct list_head {
  struct list_head *next, *prev;
};
struct map {
  int addr, prefix;
  struct list_head list;
};
struct fixed {
  struct map map;
  int line;
};
struct dynamic {
  struct map map;
  long last_use;
  struct list_head list;
};
struct pool {
  struct map map;
  struct list_head dormant;
};
struct config {
  int tun_fd, mtu;
  struct list_head maps;
  struct pool *pool;
};
struct config *gcfg;
#define entry_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
static void list_add_tail(struct list_head *x, struct list_head *head) {
  x->next->prev = x->prev;
  x->prev->next = x->next; /* out of the list it is in */
  x->prev = head->prev;
  x->next = head;
  head->prev = x;
  x->prev->next = x;
}
static void init(struct list_head *x) { x->next = x->prev = x; }
static void insert(struct map *m) {
  init(&m->list);
  struct list_head *e;
  for (e = gcfg->maps.next; e != &gcfg->maps; e = e->next)
    if (entry_of(e, struct map, list)->prefix < m->prefix)
      break;
  list_add_tail(&m->list, e);
}
static void read_config(void) {
  gcfg = malloc(sizeof *gcfg);
  gcfg->mtu = 1500;
  gcfg->maps.next = gcfg->maps.prev = &gcfg->maps;
  struct fixed *f = calloc(1, sizeof *f);
  f->map.prefix = 24;
  insert(&f->map);
  gcfg->pool = calloc(1, sizeof(struct pool));
  gcfg->pool->dormant.next = gcfg->pool->dormant.prev = &gcfg->pool->dormant;
  gcfg->pool->map.prefix = 8;
  insert(&gcfg->pool->map);
}
static struct dynamic *make(int addr, long use) {
  struct dynamic *d = calloc(1, sizeof *d);
  d->map.addr = addr;
  d->map.prefix = 16;
  d->last_use = use;
  init(&d->list);
  insert(&d->map);
  list_add_tail(&d->list, &gcfg->pool->dormant);
  return d;
}
static void load(void) {
  int addr;
  long use;
  FILE *f = fopen("dynamic.map", "r");
  if (!f)
    return;
  while (fscanf(f, "%d %ld", &addr, &use) == 2)
    make(addr, use);
  fclose(f);
}
int main(void) {
  char packet[64];
  read_config();
  gcfg->tun_fd = open("/dev/net/tun", O_RDWR);
  load();
  while (read(gcfg->tun_fd, packet, sizeof packet) > 0)
    make(packet[0], packet[1]);
}
