// All of a state comes back after kill -9, not only what was allocated: numbers,
// text and arrays in static memory that the load fills, through pointers too.
//
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %nvmove --load load --section command app.c > out
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf 's' | env NVM_POOL=%t/pool NVM_SIZE=32M ./app data > first 2> log
// RUN: FileCheck %s --input-file first --check-prefix=FIRST
// FIRST: 3 9 hello 1.5 2.5 42 | 1 2 3 | 10,11 12,13 | [3] 7 6 5 | 3 buckets 3 cells 7
// RUN: printf 'usk' | env NVM_POOL=%t/pool not --crash ./app data > second 2>> log
// RUN: printf 's' | env NVM_POOL=%t/pool ./app data > third 2>> log
// RUN: diff second third
// RUN: FileCheck %s --input-file third --check-prefix=THIRD
// THIRD: 3 10 hello 1.5 2.5 42 | 2 2 3 | 10,11 13,13 | [4] 77 7 6 5 | 4 buckets 4 cells 77

//--- data
3 9 hello 1.5 2.5 42 1 2 3 10 11 12 13 5 6 7

//--- app.c
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct kind { int v; struct kind *next; };
struct settings {
  int version, second;
  char name[16];
  double weights[2];
  struct kind *first;
  int kinds;
  struct { int a; } inner;
};
struct room { int x, y; };
static struct settings settings;
static int levels[3];
static struct room rooms[2];


/* Made by the load and looked up again by its name. */
struct table { struct kind **buckets; int used; };
static struct table *table;
static struct table *new_table(void) {
  struct table *t = malloc(sizeof *t);
  t->buckets = calloc(4, sizeof *t->buckets);
  t->used = 0;
  return t;
}
static void put(struct table *t, struct kind *k) {
  t->buckets[k->v % 4] = k;
  t->used++;
}

/* Cells with offsets for pointers. */
struct cell { unsigned next; int v; };
static char *cells;
static unsigned cells_used = 8, cells_room, last_cell;
#define CELL(at) ((struct cell *)(void *)(cells + (at)))
static unsigned take(unsigned size_bytes) {
  unsigned at = cells_used;
  if (cells_used + size_bytes > cells_room)
    cells = realloc(cells, cells_room = 2 * cells_room + 256);
  cells_used += size_bytes;
  return at;
}

static void add(struct settings *s, int v) {
  struct kind *k = malloc(sizeof *k);
  k->v = v;
  k->next = s->first;
  s->first = k;
  s->kinds++;
  put(table, k);
  unsigned at = take(sizeof(struct cell));
  CELL(at)->v = v;
  CELL(at)->next = last_cell;
  last_cell = at;
}
static void load(struct settings *s, FILE *in) {
  int v;
  if (fscanf(in, "%d %d %15s", &s->version, &s->second, s->name) != 3 ||
      fscanf(in, "%lf %lf %d", &s->weights[0], &s->weights[1], &s->inner.a) != 3)
    return;
  for (int i = 0; i < 3; i++) {
    if (fscanf(in, "%d", &v) != 1)
      return;
    levels[i] = v;
  }
  for (int i = 0; i < 2; i++) {
    int x, y;
    if (fscanf(in, "%d %d", &x, &y) != 2)
      return;
    rooms[i].x = x;
    rooms[i].y = y;
  }
  table = new_table();
  while (fscanf(in, "%d", &v) == 1)
    add(s, v);
}
static void show(const struct settings *s) {
  printf("%d %d %s %g %g %d | %d %d %d |", s->version, s->second, s->name, s->weights[0],
         s->weights[1], s->inner.a, levels[0], levels[1], levels[2]);
  for (int i = 0; i < 2; i++)
    printf(" %d,%d", rooms[i].x, rooms[i].y);
  printf(" | [%d]", s->kinds);
  for (const struct kind *k = s->first; k; k = k->next)
    printf(" %d", k->v);
  int count = 0;
  for (unsigned at = last_cell; at; at = CELL(at)->next)
    count++;
  printf(" | %d buckets %d cells %d\n", table->used, count, CELL(last_cell)->v);
  fflush(stdout);
}
static void command(int c) {
  if (c != 'u')
    return;
  settings.second++;
  levels[0]++;
  rooms[1].x++;
  add(&settings, 77);
}
int main(int argc, char **argv) {
  FILE *in = fopen(argv[argc - 1], "r");
  if (in)
    load(&settings, in);
  for (int c; (c = getchar()) != EOF;) {
    command(c);
    if (c == 's')
      show(&settings);
    if (c == 'k')
      kill(getpid(), SIGKILL);
  }
  return 0;
}
