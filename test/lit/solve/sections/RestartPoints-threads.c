// With --restart-points threads that change persistent state meet where they hold no
// lock: at the turns of loops, and while they wait. Locks make no sections.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --restart-points --load load t.c > log && not grep 'restart-point ' log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// RUN: FileCheck %s --input-file nvmove-out/report.json --check-prefix=JSON
// RUN: FileCheck %s --input-file nvmove-out/report.html --check-prefix=HTML
// RUN: %nvmove explain work | FileCheck %s --check-prefix=EXPLAIN
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE
// RUN: %nvmove verify --restart-points --load load t.c
// RUN: %nvmove --restart-points --load load --force t.c | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -lpthread -o t
// LOG: 2 threads that take part in restart points
// LOG: work {{.*}}2 loops with one in each iteration {{.*}}1 wait at one
// JSON: "threads": [
// JSON: "turns": [
// JSON: "waits": [
// HTML: 2 threads at restart points
// EXPLAIN: work is a thread that takes part in restart points
// EXPLAIN: t.c:{{.*}}each iteration of the loop begins with one
// EXPLAIN: t.c:{{.*}}work calls pthread_cond_wait, and waits at one
// AGAIN: 0 patches
// CODE-NOT: nvm_pthread
// CODE: static void *work(void *bucket)
// CODE-SAME: { NVM_THREAD();
// CODE: for (;;) {
// CODE-NEXT: nvm_restart_point();
// CODE: NVM_PAUSED(pthread_cond_wait(&more, &queue));
// CODE: for (int i = 0; i < 3; i++) {
// CODE-NEXT: nvm_restart_point();
// CODE-NEXT: put(b);
// CODE: static void *sum(void *unused)
// CODE-SAME: { NVM_THREAD();
// CODE: nvm_restart_point();
// CODE: NVM_PAUSED(poll(NULL, 0, 1));
// CODE: nvm_restart_points(); nvm_start()
//
// After a kill -9 the halves are equal, what was done half a second before is
// there, and no time of idleness is needed for that. Engines that cannot go back
// are refused.
// RUN: env NVM_POOL=%t/pool NVM_SIZE=64M not --crash ./t work
// RUN: env NVM_POOL=%t/pool ./t count
// RUN: not env NVM_POOL=%t/tx NVM_ENGINE=tx ./t count 2>&1 | FileCheck %s --check-prefix=TX
// TX: engine tx cannot go back to the last restart point
//
// Where a thread waits and is at none.
// RUN: %nvmove_act --restart-points --analyze-only --load load --out o1 %s -- -DHALF | FileCheck %s --check-prefix=HALF
// RUN: %nvmove_act --restart-points --analyze-only --load load --out o2 %s -- -DOTHER | FileCheck %s --check-prefix=OTHER
// RUN: %nvmove --restart-points --analyze-only --load load --out o3 %s -- -DHELD | FileCheck %s --check-prefix=HELD
// RUN: %nvmove --restart-points --analyze-only --load load --out o4 %s -- -DFILLS | FileCheck %s --check-prefix=FILLS
// RUN: %nvmove --restart-points --analyze-only --load load --out o6 %s -- -DWITHIN | FileCheck %s --check-prefix=FILLS
// RUN: %nvmove_act --restart-points --analyze-only --load load --out o5 %s -- -DNONE | FileCheck %s --check-prefix=NONE
// RUN: not %nvmove --restart-points --commit-at-output --load load %s 2>&1 | FileCheck %s --check-prefix=BOTH
// HALF: restart-point {{.*}}pthread_cond_wait() waits when something may have been changed under bucket.lock that is not complete yet{{.*}}: work() > put()
// OTHER: restart-point {{.*}}pthread_cond_wait() waits while bucket.lock is held{{.*}}: work() > put()
// HELD: restart-point {{.*}}sleep() waits while bucket.lock is held
// FILLS: restart-point {{.*}}read() writes persistent state, or its arguments do
// NONE: restart-point {{.*}}no thread was found that changes persistent state
// BOTH: they exclude each other
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bucket {
  pthread_mutex_t lock;
  long left, right;
  char name[8];
};
static struct bucket *buckets;
static long total;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs;

static void make(void) {
  buckets = calloc(4, sizeof *buckets);
  for (int i = 0; i < 4; i++)
    pthread_mutex_init(&buckets[i].lock, NULL);
}
void load(FILE *in) {
  make();
  for (int i = 0; i < 4; i++)
    if (fscanf(in, "%ld %ld", &buckets[i].left, &total) == 2)
      buckets[i].right = buckets[i].left;
}
static void put(struct bucket *b) {
  pthread_mutex_lock(&b->lock);
  b->left++;
#ifdef HALF
  pthread_cond_wait(&more, &b->lock);
#elif defined(OTHER)
  pthread_mutex_lock(&queue);
  pthread_cond_wait(&more, &queue);
  pthread_mutex_unlock(&queue);
#elif defined(HELD)
  sleep(1);
#endif
  b->right++;
  pthread_mutex_unlock(&b->lock);
}
static void *work(void *bucket) {
  struct bucket *b = bucket;
  for (;;) {
    pthread_mutex_lock(&queue);
    while (!jobs)
      pthread_cond_wait(&more, &queue);
    jobs--;
    pthread_mutex_unlock(&queue);
#ifdef FILLS
    if (read(0, b->name, 8) == 8)
      continue;
#elif defined(WITHIN)
    char name[8];
    if (read((int)b->left++, name, 8) == 8)
      continue;
#endif
    for (int i = 0; i < 3; i++) {
      put(b);
    }
  }
  return NULL;
}
static void *sum(void *unused) {
  for (;;) {
    total++;
    poll(NULL, 0, 1);
  }
  return unused;
}
static int count(void) {
  long all = 0;
  for (int i = 0; i < 4; i++) {
    if (buckets[i].left != buckets[i].right)
      return 2;
    all += buckets[i].left;
  }
  return all != 3000 || total < 100;
}
static void give(int n) {
  pthread_mutex_lock(&queue);
  jobs += n;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&queue);
}
int main(int argc, char **argv) {
  FILE *in = fopen("state", "r");
  pthread_t id;
  if (in) {
    load(in);
    fclose(in);
  }
  if (!buckets)
    make();
  if (argc > 1 && !strcmp(argv[1], "count"))
    return count();
#ifndef NONE
  pthread_create(&id, NULL, sum, NULL);
  for (int i = 0; i < 4; i++)
    pthread_create(&id, NULL, work, &buckets[i]);
#else
  (void)&id;
  (void)work;
  (void)sum;
#endif
  give(1000);
  sleep(1);
  return raise(SIGKILL);
}
