// A lock in a record is initialised anew by a restart, however it was written: what locks and
// unlocks it needs no announcement. A barrier is not known to be: it is announced.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load t.c > out
// RUN: FileCheck %s --input-file out --implicit-check-not=unannounced-call
// CHECK: holds-lock{{.*}}a restart initialises it again
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: %nvmove verify --load load t.c -- -I %runtime_include
// RUN: sed 's/pthread_mutex_lock(lock)/pthread_barrier_wait(\&boxes->barrier)/' %s > b.c
// RUN: %nvmove --load load --out barrier b.c > out
// RUN: grep '^+' barrier/patches/4-stores.patch | FileCheck %s --check-prefix=BARRIER
// BARRIER: pthread_barrier_wait(NVM_BUF(&boxes->barrier, sizeof *(&boxes->barrier)));
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct box {
  struct box *next;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  pthread_barrier_t barrier;
  int v;
};
static struct box *boxes;
static void add(int v) {
  struct box *b = calloc(1, sizeof *b);
  if (!b)
    abort();
  pthread_mutex_init(&b->lock, NULL);
  b->v = v;
  b->next = boxes;
  boxes = b;
}
static void load(FILE *f) {
  int v;
  while (fscanf(f, "%d", &v) == 1)
    add(v);
}
static void change(pthread_mutex_t *lock, int v) {
  pthread_mutex_lock(lock);
  boxes->v += v;
  pthread_cond_signal(&boxes->changed);
  pthread_mutex_unlock(lock);
}
int main(void) {
  int v;
  FILE *f = fopen("state", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (scanf("%d", &v) == 1)
    change(&boxes->lock, v);
  return 0;
}
