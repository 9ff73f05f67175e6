// Waits for threads that end by a clock are waits for threads; a try is none.
//
// RUN: %nvmove --load load --section share --analyze-only --force --out %t %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: to check
// CHECK: :[[#@LINE+23]]:{{.*}} wait-in-section {{.*}}sem_clockwait() waits in a section of the main loop
// CHECK: :[[#@LINE+24]]:{{.*}} wait-in-section {{.*}}pthread_clockjoin_np() waits in a section of the main loop
// CHECK-NOT: wait-in-section
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int *items, steps;
static sem_t turn;
static pthread_t other;

static void load(void) {
  FILE *f = fopen("items", "r");
  items = calloc(2, sizeof(int));
  if (f && items && fscanf(f, "%d %d", &items[0], &items[1]) == 2)
    fclose(f);
}
static void share(int me) {
  static const struct timespec end = {1, 0};
  items[me]++;
  sem_clockwait(&turn, CLOCK_MONOTONIC, &end);
  if (pthread_tryjoin_np(other, NULL))
    pthread_clockjoin_np(other, NULL, CLOCK_MONOTONIC, &end);
}
static void *work(void *unused) {
  share(1);
  sem_post(&turn);
  return unused;
}
int main(void) {
  load();
  sem_init(&turn, 0, 0);
  pthread_create(&other, NULL, work, NULL);
  while (steps++ < 10)
    share(0);
  return items[0] != items[1];
}
