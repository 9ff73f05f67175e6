// What follows a record in its block, or fills an array in it, has a type of its
// own that the load, which reads it raw, never names.
//
// RUN: cd %S && %nvmove --load load --print types RecordsInBytes-overlay.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK-DAG: monster
// CHECK-DAG: shop
// CHECK-DAG: bill

#include <stdio.h>
#include <stdlib.h>

struct bill { int item, price; };
struct shop { int room; struct bill bill[4]; };
struct scratch { int used; };
struct monster { struct monster *next; int kind; unsigned extra_bytes; long extra[1]; };
#define SHOP(m) ((struct shop *)&(m)->extra[0])
static struct monster *monsters;
static struct work { char bytes[64]; } work; /* never loaded */

static void load(FILE *in) {
  unsigned extra;
  while (fread(&extra, sizeof extra, 1, in) == 1) {
    struct monster *m = malloc(sizeof *m + extra);
    if (fread(m, sizeof *m + extra, 1, in) != 1)
      break;
    m->next = monsters;
    monsters = m;
  }
}
static void sell(struct monster *m, int item) {
  struct scratch *s = (struct scratch *)work.bytes;
  SHOP(m)->bill[s->used++ % 4].item = item;
}
int main(void) {
  load(stdin);
  if (monsters)
    sell(monsters, 1);
  return 0;
}
