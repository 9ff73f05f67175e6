// A member is cast to another record, as sockaddr_storage is to sockaddr_in:
// what the load writes through that lies in the object, and such stores are
// announced, wherever the pointer comes from.
//
// RUN: rm -rf %t && mkdir %t && cp %s %t/m.c && cd %t
// RUN: %nvmove --load load --print types m.c | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// RUN: %nvmove --load load --out out m.c
// RUN: FileCheck %s --input-file out/patches/4-stores.patch --check-prefix=STORES
// RUN: cat out/patches/*.patch | patch -p1
// RUN: %nvmove verify --load load m.c
//
// The first member of a larger record, and what its pointer is cast to, are no
// such pair: other stays volatile.
//
// CHECK: view
// CHECK-NEXT: address
// CHECK-NEXT: node
// CHECK-NEXT: rule
// STORES: +{{.*}}NVM(v->value) = atoi(s);
// STORES: +{{.*}}NVM(i->port) = 1;

#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; };
struct address { short family; char pad[30]; };
struct view { short family; short port; int value; };
struct rule { struct node node; struct address addr; };
struct other { struct node node; int count; };
static struct node *rules;
static struct node *others;
static void parse(const char *s, struct address *a) {
  struct view *v = (struct view *)a;
  v->value = atoi(s);
}
static void set(void *a) {
  struct view *i = a;
  i->port = 1;
}
static void load(const char *name) {
  char b[64];
  FILE *f = fopen(name, "r");
  while (fgets(b, sizeof b, f)) {
    struct rule *r = calloc(1, sizeof *r);
    parse(b, &r->addr);
    r->node.next = rules;
    rules = &r->node;
  }
  fclose(f);
}
int main(void) {
  char b[64];
  load("state");
  while (fgets(b, sizeof b, stdin)) {
    if (*b == 'p') {
      for (struct node *n = rules; n; n = n->next)
        printf("%d\n", ((struct view *)&((struct rule *)n)->addr)->value);
    } else if (*b == 's') {
      set(&((struct rule *)rules)->addr);
    } else if (*b == 'o') {
      struct other *o = malloc(sizeof *o);
      o->node.next = others;
      others = &o->node;
      ((struct other *)others)->count++;
    } else {
      parse(b, &((struct rule *)rules)->addr);
    }
  }
}
