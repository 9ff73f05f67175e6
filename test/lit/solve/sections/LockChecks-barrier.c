// Threads that meet at a barrier: in a section one waits for the other, which waits for its turn where
// threads begin sections, too; there the program would stand still.
//
// RUN: %nvmove --load load --section share --analyze-only --force --out %t.both %s > %t.log
// RUN: FileCheck %s --check-prefix BOTH --input-file %t.log
// BOTH: to check
// BOTH: :[[#@LINE+23]]:{{.*}} wait-in-section {{.*}}pthread_barrier_wait() waits in a section of the main loop: the thread that it waits for may have to wait for the section
//
// Where main alone begins them, nobody waits for anybody's turn.
//
// RUN: %nvmove --load load --section step --analyze-only --force --out %t.one %s > %t.log
// RUN: FileCheck %s --check-prefix ONE --input-file %t.log
// ONE: to check
// ONE-NOT: wait-in-section
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *items, steps;
static pthread_barrier_t all;

static void load(void) {
  FILE *f = fopen("items", "r");
  items = calloc(2, sizeof(int));
  if (f && items && fscanf(f, "%d %d", &items[0], &items[1]) == 2)
    fclose(f);
}
static void share(int me) {
  items[me]++;
  pthread_barrier_wait(&all);
}
static void *work(void *unused) {
  for (;;) {
    pthread_barrier_wait(&all);
    share(1);
  }
  return unused;
}
static void step(void) {
  pthread_barrier_wait(&all);
  share(0);
  steps++;
}
int main(void) {
  pthread_t other;
  load();
  pthread_barrier_init(&all, NULL, 2);
  pthread_create(&other, NULL, work, NULL);
  while (steps < 10)
    step();
  return items[0] != items[1];
}
