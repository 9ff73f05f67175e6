// A list that is worked on with a lock held calls the callback that it has itself,
// and none of those that other lists were given.
//
// RUN: %nvmove --commit-at-output --analyze-only --load load --force --out %t.1 %s -- > %t.log
// RUN: not grep commit-at-output %t.log
// RUN: grep -q '"commitsAtOutput": true' %t.1/report.json
//
// With one that lets something out, and where nobody knows which list it is:
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.2 %s -- -DTOLD | FileCheck %s --check-prefix=HELD
// RUN: %nvmove --commit-at-output --analyze-only --force --load load --out %t.3 %s -- -DMIXED | FileCheck %s --check-prefix=HELD
// HELD: commit-at-output {{.*}}sections commit at their ends: write() writes output while jobs_lock is held (in tell)
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct node {
  struct node *next;
  void *value;
};
struct list {
  struct node *first;
  void (*free)(void *);
};
static struct list *items, *listeners;
static struct list *jobs[2];
static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;

static struct list *list_new(void) {
  struct list *l = malloc(sizeof *l);
  if (!l)
    abort();
  l->first = NULL;
  l->free = NULL;
  return l;
}
static void list_add(struct list *l, void *value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  n->next = l->first;
  l->first = n;
}
static void drop(struct node *n) { free(n); }
static void list_remove(struct list *l) {
  struct node *n = l->first;
  if (!n)
    return;
  l->first = n->next;
  if (l->free)
    l->free(n->value);
  drop(n);
}
static void tell(void *value) {
  if (write(1, value, 1) != 1)
    abort();
}

void load(FILE *in) {
  long n;
  if (!items)
    items = list_new();
  while (fscanf(in, "%ld", &n) == 1)
    list_add(items, (void *)n);
}
static void *work(void *unused) {
  struct pollfd none = {-1, 0, 0};
  while (poll(&none, 1, 1000) == 0)
    for (int i = 0; i < 2; i++) {
      pthread_mutex_lock(&jobs_lock);
      list_remove(jobs[i]);
      pthread_mutex_unlock(&jobs_lock);
    }
  return unused;
}
int main(void) {
  FILE *in = fopen("state", "r");
  pthread_t id;
  for (int i = 0; i < 2; i++)
    jobs[i] = list_new();
  listeners = list_new();
  listeners->free = tell;
#ifdef TOLD
  jobs[1]->free = tell;
#elif defined(MIXED)
  jobs[1] = listeners;
#endif
  items = list_new();
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
    list_add(items, (void *)(long)c);
    pthread_mutex_lock(&jobs_lock);
    list_add(jobs[c & 1], NULL);
    pthread_mutex_unlock(&jobs_lock);
    list_remove(listeners);
    if (write(1, "+", 1) != 1)
      return 1;
  }
}
