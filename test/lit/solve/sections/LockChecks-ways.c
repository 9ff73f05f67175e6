// Locks that make sections and cannot end them, and waits that may never end: to
// act on where that is sure, else to check.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log
// CHECK: to act on
// CHECK-DAG: lock-not-followed {{.*}}keeps() returns with counts held, and the thread ends: then no section can begin any more
// CHECK-DAG: wait-in-section {{.*}}pthread_cond_wait() waits while counts stays held
// CHECK-DAG: thread-ends-in-section {{.*}}pthread_exit() ends the thread while counts is held
// CHECK: to check
// CHECK-DAG: lock-not-followed {{.*}}maybe() may return with counts held
// CHECK-DAG: lock-not-followed {{.*}}counts is released here, but no path was found on which this thread acquires it
// CHECK-DAG: wait-in-section {{.*}}pthread_join() waits in a section of the main loop: the section commits what it has done so far before the wait
// CHECK-DAG: wait-in-section {{.*}}read() waits while counts is held, which makes a section: the thread that it waits for
// CHECK-DAG: wait-in-section {{.*}}usleep() sleeps while counts is held, which makes a section: meanwhile no other thread can begin a section
// CHECK-NOT: sleep() sleeps
// CHECK-NOT: changed-by-thread
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  int n;
};
static struct item *items;
static pthread_mutex_t counts = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs, ends[2];

static void *keeps(void *unused) {
  pthread_mutex_lock(&counts);
  items->n++;
  return unused;
}
static void *maybe(void *unused) {
  pthread_mutex_lock(&counts);
  if (!items->n)
    return unused;
  items->n++;
  pthread_mutex_unlock(&counts);
  return unused;
}
static void *waits(void *unused) {
  pthread_mutex_lock(&counts);
  items->n++;
  pthread_mutex_lock(&queue);
  while (!jobs)
    pthread_cond_wait(&more, &queue);
  pthread_mutex_unlock(&queue);
  pthread_mutex_unlock(&counts);
  return unused;
}
static void *sleeps(void *unused) {
  pthread_mutex_lock(&counts);
  items->n++;
  while (jobs)
    usleep(10);
  pthread_mutex_unlock(&counts);
  sleep(1);
  return unused;
}
static void *ends_in_it(void *unused) {
  pthread_mutex_lock(&counts);
  items->n++;
  if (items->n == 7)
    pthread_exit(NULL);
  pthread_mutex_unlock(&counts);
  return unused;
}
static void *releases(void *unused) {
  pthread_mutex_unlock(&counts);
  return unused;
}
static void *reads(void *unused) {
  char c;
  pthread_mutex_lock(&counts);
  if (read(ends[0], &c, 1) == 1)
    items->n++;
  pthread_mutex_unlock(&counts);
  return unused;
}
static void add(int n) {
  struct item *i = calloc(1, sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
static void command(int n) {
  pthread_t t;
  add(n);
  if (pthread_create(&t, NULL, keeps, NULL) == 0)
    pthread_join(t, NULL);
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  fclose(f);
}
int main(void) {
  pthread_t t;
  int n;
  if (pipe(ends))
    return 1;
  load();
  pthread_create(&t, NULL, maybe, NULL);
  pthread_create(&t, NULL, waits, NULL);
  pthread_create(&t, NULL, sleeps, NULL);
  pthread_create(&t, NULL, ends_in_it, NULL);
  pthread_create(&t, NULL, releases, NULL);
  pthread_create(&t, NULL, reads, NULL);
  while (scanf("%d", &n) == 1)
    command(n);
  return 0;
}
