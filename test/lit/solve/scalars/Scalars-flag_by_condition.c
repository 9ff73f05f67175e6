// Restored data that reach memory by a condition only: aware = bit ? 1 : 0, and a counter of what was read.
//
// RUN: cd %S && %nvmove --load load --print types Scalars-flag_by_condition.c -- -std=gnu99 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// CHECK: kind
// CHECK-NEXT: shop

#include <stdio.h>
#include <stdlib.h>
struct kind { int id; int aware; };
struct shop { int owner; int stock_num; char stock[8]; };
static struct kind *kinds;
static struct shop *shops;
static unsigned char rd_byte(FILE *f) { return getc(f); }
void load(FILE *f) {
  for (int i = 0; i < 10; i++) {
    unsigned char b = rd_byte(f);
    struct kind *k = &kinds[i];
    k->aware = (b & 1) ? 1 : 0;
  }
  for (int i = 0; i < 2; i++) {
    struct shop *s = &shops[i];
    int n = rd_byte(f);
    for (int j = 0; j < n; j++)
      if (rd_byte(f) && s->stock_num < 8) {
        int k = s->stock_num++;
        s->stock[k] = 'x';
      }
  }
}
int main(void) {
  kinds = calloc(10, sizeof *kinds);
  shops = calloc(2, sizeof *shops);
  load(stdin);
  for (int i = 0; i < 10; i++) printf("%d\n", kinds[i].aware);
  return shops[0].stock_num;
}
