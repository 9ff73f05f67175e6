// With --commit-at-output nothing may be let out with a lock held that a thread
// takes. What a handler of failed allocations says before it ends the process is
// no output of the section: what it breaks off was never acknowledged.
//
// RUN: %nvmove --commit-at-output --analyze-only --load load --force --out %t.1 %s -- > %t.log
// RUN: not grep commit-at-output %t.log
// RUN: grep -q '"commitsAtOutput": true' %t.1/report.json
//
// One that answers and comes back is an output, and so is one that never comes
// back because the program goes on in it.
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.2 %s -- -DRETURNS | FileCheck %s --check-prefix=HELD
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.3 %s -- -DSERVES | FileCheck %s --check-prefix=HELD
// RUN: grep -q '"commitsAtOutput": false' %t.3/report.json
// HELD: commit-at-output {{.*}}sections commit at their ends: write() writes output while jobs_lock is held (in failed_to_get)
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
  struct item *next;
  long n;
};
struct job {
  struct job *next;
};
static struct item *items;
static struct job *jobs;
static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;

static void end(size_t size) {
  fprintf(stderr, "no %zu bytes\n", size);
  abort();
}
static void (*failed)(size_t) = end;

static void failed_to_get(size_t size) {
  if (write(2, "out of memory\n", size ? 14 : 13) < 0)
    abort();
#ifdef SERVES
  struct pollfd in = {0, POLLIN, 0};
  while (poll(&in, 1, -1) == 1)
    if (write(1, "?", 1) != 1)
      break;
#endif
#ifndef RETURNS
  _exit(1);
#endif
}
static void *get_once(size_t size) { return malloc(size); }
static void *get(size_t size) {
  void *p = get_once(size);
  if (!p)
    failed(size);
  return p;
}

static void add(long n) {
  struct item *i = get(sizeof *i);
  i->n = n;
  i->next = items;
  items = i;
}
void load(FILE *in) {
  long n;
  while (fscanf(in, "%ld", &n) == 1)
    add(n);
}
static void later(void) {
  pthread_mutex_lock(&jobs_lock);
  struct job *j = get(sizeof *j);
  j->next = jobs;
  jobs = j;
  pthread_mutex_unlock(&jobs_lock);
}
static void *work(void *unused) {
  struct pollfd none = {-1, 0, 0};
  while (poll(&none, 1, 1000) == 0) {
    pthread_mutex_lock(&jobs_lock);
    struct job *j = jobs;
    if (j)
      jobs = j->next;
    pthread_mutex_unlock(&jobs_lock);
    free(j);
  }
  return unused;
}
int main(void) {
  FILE *in = fopen("state", "r");
  pthread_t id;
  failed = failed_to_get;
  if (in) {
    load(in);
    fclose(in);
  }
  pthread_create(&id, NULL, work, NULL);
  for (;;) {
    struct pollfd ready = {0, POLLIN, 0};
    char c;
    if (poll(&ready, 1, -1) != 1 || read(0, &c, 1) != 1)
      return 0;
    add(c);
    later();
    if (write(1, "+", 1) != 1)
      return 1;
  }
}
