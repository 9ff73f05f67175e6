// Static records that are copied out of a buffer, by memcpy() and by a helper,
// come back with all their fields, named during the load or not.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s -- -std=gnu99 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: {{^  table }}
// CHECK: 6 restored scalars
// CHECK-DAG: other.gold gets a value from the file
// CHECK-DAG: other.hp gets a value from the file
// CHECK-DAG: player.gold gets a value from the file
// CHECK-DAG: player.hp gets a value from the file
// CHECK-DAG: turn gets a value from the file
// CHECK-DAG: worn gets a value from the file
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int id; };
struct worn { int wear; };
struct player { int hp; long gold; struct item *held; };
struct slot { int n, m; };
static struct player player, other;
static struct slot table[4];
static int turn, worn;

static unsigned char *take(unsigned char *p, void *to, size_t n) {
  memcpy(to, p, n);
  return p + n;
}

void load(FILE *f) {
  unsigned char buffer[4096], *p = buffer;
  if (fread(buffer, sizeof buffer, 1, f) != 1)
    return;
  memcpy(&player, p, sizeof player);
  p = take(p + sizeof player, &turn, sizeof turn);
  p = take(p, &other, sizeof other);
  p = take(p, table, sizeof table);
  struct worn *w = malloc(sizeof *w);
  memcpy(w, p, sizeof *w);
  worn = w->wear;
  free(w);
  player.held = malloc(sizeof *player.held);
  player.held->id = *p;
}

int main(int argc, char **argv) {
  FILE *f = fopen(argv[1], "r");
  if (f)
    load(f);
  printf("%d %ld %ld %d\n", player.hp, player.gold, other.gold, table[2].m);
  return 0;
}
