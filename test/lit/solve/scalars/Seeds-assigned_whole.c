// The load fills a local, or a block, and assigns it whole: the seed that decides
// where things lie in it is kept.
//
// RUN: %nvmove --load load --force --out %t %s | FileCheck %s
// RUN: %nvmove --load load --force --out %t %s -- -DCOPIED | FileCheck %s
// RUN: %nvmove --load load --force --out %t %s -- -DBLOCK | FileCheck %s
// CHECK: 1 kept scalar
// CHECK-NEXT: seed differs from run to run and decides where loaded data are
// What nothing takes out of the local is nobody's place.
// RUN: %nvmove --load load --force --out %t %s -- -DELSEWHERE | FileCheck %s --check-prefix=NONE
// NONE-NOT: kept scalar
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
struct item {
  struct item *next;
  int id;
};
struct world {
  struct item *rows[8];
};
static struct world world;
static unsigned seed;
static void put(struct world *w, unsigned row, int id) {
  struct item *i = malloc(sizeof *i);
  i->id = id;
  i->next = w->rows[row];
  w->rows[row] = i;
}
static void load(FILE *f) {
  int id;
  struct world tmp;
#ifdef BLOCK
  struct world *to = malloc(sizeof *to);
#else
  struct world *to = &tmp;
#endif
  memset(to, 0, sizeof *to);
  memset(&tmp, 0, sizeof tmp);
#ifdef ELSEWHERE
  int counts[8] = {0};
#endif
  while (fscanf(f, "%d", &id) == 1) {
#ifdef ELSEWHERE
    counts[(seed ^ (unsigned)id) % 8]++;
    put(to, (unsigned)id % 8, id);
#else
    put(to, (seed ^ (unsigned)id) % 8, id);
#endif
  }
#ifdef ELSEWHERE
  printf("%d\n", counts[0]);
#endif
#ifdef COPIED
  memcpy(&world, to, sizeof world);
#else
  world = *to;
#endif
}
int main(void) {
  char line[80];
  seed = (unsigned)time(NULL);
  FILE *f = fopen("items", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (fgets(line, sizeof line, stdin)) {
    int id = atoi(line);
    put(&world, (seed ^ (unsigned)id) % 8, id);
  }
}
