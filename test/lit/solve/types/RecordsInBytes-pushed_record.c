// Records that are copied as bytes into lists of bytes: also one of which no
// member is named, as it holds nothing but another record, copied whole.
//
// RUN: %nvmove --load load --print types %s -- -w | FileCheck %s --match-full-lines
// CHECK-DAG: base
// CHECK-DAG: list
// CHECK-DAG: pos
// CHECK-DAG: spot
// CHECK-DAG: world
// CHECK-NOT: {{.}}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct pos {
  int x, y;
};
struct base {
  struct pos pos;
  int dir;
};
struct spot {
  struct pos pos;
};
struct list {
  void *elements;
  int size, count, max;
};
struct world {
  struct list *bases, *spots;
};
static struct world the_world, *world;

static struct list *list_alloc(int size) {
  struct list *l = calloc(1, sizeof *l);
  l->size = size;
  l->max = 16;
  l->elements = calloc(16, size);
  return l;
}
static int list_add(struct list *l, void *element) {
  if (l->count >= l->max)
    l->elements = realloc(l->elements, (l->max *= 2) * l->size);
  memcpy((char *)l->elements + l->count * l->size, element, l->size);
  return l->count++;
}
static void *list_get(struct list *l, int i) {
  return (char *)l->elements + i * l->size;
}
static void place_base(struct pos pos, int dir) {
  struct base t;
  t.pos = pos;
  t.dir = dir;
  list_add(world->bases, &t);
}
static void place_spot(struct pos pos) {
  struct spot t;
  t.pos = pos;
  list_add(world->spots, &t);
}
static void load(const char *name) {
  FILE *f = fopen(name, "r");
  struct pos p;
  char c;
  int dir;
  if (!f)
    return;
  world->bases = list_alloc(sizeof(struct base));
  world->spots = list_alloc(sizeof(struct spot));
  while (fscanf(f, " %c %d %d %d", &c, &p.x, &p.y, &dir) == 4) {
    if (c == 'b')
      place_base(p, dir);
    else
      place_spot(p);
  }
  fclose(f);
}
int main(int argc, char **argv) {
  char s[80];
  int i;
  world = &the_world;
  load(argv[1]);
  while (fgets(s, sizeof s, stdin)) {
    for (i = 0; i < world->bases->count; i++)
      ((struct base *)list_get(world->bases, i))->dir++;
    for (i = 0; i < world->spots->count; i++)
      ((struct spot *)list_get(world->spots, i))->pos.x++;
  }
  return 0;
}
