// A record inside a record is restored by struct assignment; nothing names its members.
//
// RUN: cd %S && %nvmove --load load --print types Types-embedded_copy.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: ip
// CHECK-NEXT: lease

#include <stdio.h>
#include <stdlib.h>
#include <netinet/in.h>
struct ip { unsigned addr; };
struct lease { struct ip addr; struct in_addr addr4; struct lease *next; };
static struct lease *leases;
static void add(struct ip a, struct in_addr b) {
  struct lease *l = calloc(1, sizeof *l);
  l->addr = a;
  l->addr4 = b;
  l->next = leases;
  leases = l;
}
void load(FILE *f) {
  struct ip a;
  struct in_addr b;
  while (fscanf(f, "%u", &a.addr) == 1) {
    b.s_addr = a.addr;
    add(a, b);
  }
}
int main(void) {
  load(stdin);
  for (struct lease *l = leases; l; l = l->next) printf("%u\n", l->addr.addr);
}
