// A static record that is read raw is restored with all its numbers and text,
// named during the load or not, bit-fields with those next to them. A record
// that only the load looks at is not kept.
//
// RUN: %nvmove --load load --force --out %t.out %s -- -std=gnu11 > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: 13 restored scalars
// CHECK-DAG: player.blind read from the file
// CHECK-DAG: player.d read from the file
// CHECK-DAG: player.gold read from the file
// CHECK-DAG: player.grid read from the file
// CHECK-DAG: player.hp read from the file
// CHECK-DAG: player.lame read from the file
// CHECK-DAG: player.name read from the file
// CHECK-DAG: player.place.x read from the file
// CHECK-DAG: player.place.y read from the file
// CHECK-DAG: player.slots.kind read from the file
// CHECK-DAG: player.slots.n read from the file
// CHECK-DAG: player.u read from the file
// CHECK-DAG: turn gets a value from the file
// RUN: FileCheck %s --input-file %t.out/patches/1-roots.patch --check-prefix=BITS
// BITS: +    NVM_ROOT_BITS(player, "blind:3,lame:1", &player.name + 1, &player.slots){{;}}
// RUN: not grep 'header\.' %t.log
//
// The program comes up with all of it after kill -9.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: sed -e 's/union { int i; double d; };/double d;/' %s > app.c
// RUN: %nvmove --load load --section command app.c -- -std=gnu99 > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 's' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app - > first 2> log
// RUN: FileCheck %s --input-file first --check-prefix=FIRST
// FIRST: 10 500 Ann 50 3,4 1.5 7 | 9 8 | 6 | item 5 | turn 2
// RUN: printf 'uk' | env NVM_POOL=%t/pool not --crash ./app - > second 2>> log
// RUN: printf 's' | env NVM_POOL=%t/pool ./app - > third 2>> log
// RUN: FileCheck %s --input-file third --check-prefix=THIRD
// THIRD: 9 501 Bob 41 3,5 1.5 8 | 10 8 | 7 | item 5 | turn 3

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct item { int id; };
struct slot { int n; short kind; };
struct player {
  int hp;
  long gold;
  char name[8];
  unsigned blind : 3, lame : 1;
  struct slot slots[2];
  union { int i; double d; };
  union { long l; char c[8]; } u;
  struct { int x, y; } place;
  int grid[2][2];
  struct item *held;
};
static struct player player;
static int turn;
static struct { int magic, version; } header;

static void load(FILE *f) {
  if (fread(&header, sizeof header, 1, f) != 1 || header.magic != 1)
    exit(1);
  if (fread((char *)&player, sizeof player, 1, f) != 1 ||
      fread(&turn, sizeof turn, 1, f) != 1)
    exit(1);
  player.held = malloc(sizeof *player.held);
  if (fread(player.held, sizeof *player.held, 1, f) != 1)
    exit(1);
}

/// What an earlier process would have saved.
static FILE *saved(void) {
  struct player p = {.hp = 10, .gold = 500, .name = "Ann", .blind = 5,
                     .slots = {{9, 8}}, .d = 1.5, .u = {7}, .place = {3, 4},
                     .grid = {{0, 6}}};
  int head[2] = {1, 1}, now = 2, id = 5;
  FILE *f = tmpfile();
  fwrite(head, sizeof head, 1, f);
  fwrite(&p, sizeof p, 1, f);
  fwrite(&now, sizeof now, 1, f);
  fwrite(&id, sizeof id, 1, f);
  rewind(f);
  return f;
}

static void command(int c) {
  switch (c) {
  case 's':
    printf("%d %ld %s %u%u %d,%d %g %ld | %d %d | %d | item %d | turn %d\n",
           player.hp, player.gold, player.name, player.blind, player.lame,
           player.place.x, player.place.y, player.d, player.u.l,
           player.slots[0].n, player.slots[0].kind, player.grid[0][1],
           player.held->id, turn);
    break;
  case 'u':
    --player.hp;
    ++player.gold;
    strcpy(player.name, "Bob");
    --player.blind;
    player.lame = 1;
    ++player.place.y;
    ++player.u.l;
    ++player.slots[0].n;
    ++player.grid[0][1];
    ++turn;
    break;
  case 'k':
    fflush(stdout);
    kill(getpid(), SIGKILL);
  }
}

int main(void) {
  load(saved());
  for (int c; (c = getchar()) != EOF;)
    command(c);
  return 0;
}
