// The head of a circular list that lies in a record, and that start-up makes
// empty member by member: both members are roots, also where the load names one.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --print roots app.c | FileCheck %s
// RUN: %nvmove --load load app.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 'ak' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app data
// RUN: printf 's' | env NVM_POOL=%t/pool ./app | FileCheck %s --check-prefix=OUT
// CHECK: cfg.maps.next
// CHECK-NEXT: cfg.maps.prev
// OUT: 5 4 97 of 3

//--- data
4 5
//--- app.c
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct list_head { struct list_head *next, *prev; };
struct map { int addr; struct list_head list; };
static struct config { int mtu; struct list_head maps; } cfg;
static int addr_of(struct list_head *l) {
  return ((struct map *)((char *)l - offsetof(struct map, list)))->addr;
}
static void list_add_tail(struct list_head *x, struct list_head *head) {
  x->prev = head->prev;
  x->next = head;
  head->prev = x;
  x->prev->next = x;
}
static void make(int addr) {
  struct list_head *e;
  struct map *m = calloc(1, sizeof *m);
  m->addr = addr;
  for (e = cfg.maps.next; e != &cfg.maps; e = e->next)
    if (addr_of(e) < addr && addr < 90)
      break;
  list_add_tail(&m->list, e);
}
static void load(const char *name) {
  int addr;
  FILE *f = fopen(name, "r");
  while (f && fscanf(f, "%d", &addr) == 1)
    make(addr);
}
static void init(void) { cfg.maps.next = cfg.maps.prev = &cfg.maps; }
static void show(void) {
  int n = 0;
  for (struct list_head *e = cfg.maps.next; e != &cfg.maps; e = e->next)
    printf("%d ", addr_of(e));
  for (struct list_head *e = cfg.maps.prev; e != &cfg.maps; e = e->prev)
    n++;
  printf("of %d\n", n);
}
int main(int argc, char **argv) {
  init();
  load(argc > 1 ? argv[1] : "/nowhere");
  for (int c; (c = getchar()) != EOF;)
    if (c == 'k')
      kill(getpid(), SIGKILL);
    else if (c == 's')
      show();
    else
      make(c);
  return 0;
}
