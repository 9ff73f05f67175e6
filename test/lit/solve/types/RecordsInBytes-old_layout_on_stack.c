// An older, shorter layout of a record is used for its size only, and what it lays out is on the stack.
//
// RUN: cd %S && %nvmove --load load --print types RecordsInBytes-old_layout_on_stack.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: item

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct rec_v5 { long expiry; };
struct rec { long expiry; int port; };
struct item { long expiry; char *name; struct item *next; };
static struct item *items;
int load(FILE *f, int version) {
  struct rec r;
  for (;;) {
    if (version == 6) {
      if (fread(&r, 1, sizeof(struct rec), f) != sizeof(struct rec)) return 1;
    } else {
      if (fread(&r, 1, sizeof(struct rec_v5), f) != sizeof(struct rec_v5)) return 1;
    }
    struct item *i = malloc(sizeof *i);
    i->expiry = r.expiry;
    i->name = strdup("x");
    i->next = items;
    items = i;
  }
}
int main(void) {
  load(stdin, 5);
  for (struct item *i = items; i; i = i->next) printf("%ld\n", i->expiry);
}
