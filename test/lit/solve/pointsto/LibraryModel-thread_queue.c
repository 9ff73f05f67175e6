// The load starts threads that wait for something to do. Their queues, with a
// pointer to where the next request goes, are empty by then: a thread is called
// with what was handed over for it and nothing else, and the library writes
// nothing there. What answers requests is not run by the load.
//
// RUN: cd %S && %nvmove --load load --print types LibraryModel-thread_queue.c -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// One request is there, made before the load or by it.
// RUN: %nvmove --load load --print types LibraryModel-thread_queue.c -- -std=gnu11 -DQUEUED > %t.queued
// RUN: FileCheck %s --input-file %t.queued --match-full-lines --check-prefix=ANSWERED
// RUN: %nvmove --load load --print types LibraryModel-thread_queue.c -- -std=gnu11 -DBEHIND > %t.behind
// RUN: FileCheck %s --input-file %t.behind --match-full-lines --check-prefix=ANSWERED
// The thread is handed what was there before.
// RUN: %nvmove --load load --print types LibraryModel-thread_queue.c -- -std=gnu11 -DBEFORE > %t.before
// RUN: FileCheck %s --input-file %t.before --match-full-lines --check-prefix=ANSWERED
// An unknown function may write to what it is handed, and call with anything.
// RUN: %nvmove --load load --print types LibraryModel-thread_queue.c -- -std=gnu11 -DUNKNOWN > %t.unknown
// RUN: FileCheck %s --input-file %t.unknown --match-full-lines --check-prefix=ANSWERED
//
// CHECK: worker
// ANSWERED: answer
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct worker;
struct request { void (*process)(struct worker *, struct request *); struct request *next; };
struct worker { int kind, running; struct request *head, **tail; struct worker *next; };
struct answer { int kind; struct answer *next; };
struct start { void *(*run)(void *); void *with; };
static struct worker *workers;
static struct answer *answers;
static struct worker *reserve;

static void add(struct worker *w);
static void answer(struct worker *w, struct request *r) {
  struct answer *a = malloc(sizeof *a);
  a->kind = w->kind;
  a->next = answers;
  answers = a;
  if (a->next == NULL)
    add(w); // what an answer does, it does when there is a request
}
static void add(struct worker *w) {
  struct request *r = calloc(1, sizeof *r);
  r->process = answer;
  *w->tail = r;
  w->tail = &r->next;
}
static void *work(void *arg) {
  struct worker *w = arg;
  while (w->running) {
    struct request *r = w->head;
    if (r == NULL) {
      poll(NULL, 0, 100);
      continue;
    }
    w->head = r->next;
    if (w->head == NULL)
      w->tail = &w->head;
    if (r->process)
      r->process(w, r);
    free(r);
  }
  return NULL;
}
static void *run(void *arg) {
  struct start *s = arg;
  void *(*function)(void *) = s->run;
  void *with = s->with;
  free(s);
  return function(with);
}
int start_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static void begin(void *(*function)(void *), void *with) {
  pthread_t thread;
  struct start *s = malloc(sizeof *s);
  s->run = function;
  s->with = with;
#ifdef UNKNOWN
  start_thread(&thread, NULL, run, s);
#else
  pthread_create(&thread, NULL, run, s);
#endif
}
void load(FILE *f) {
  int kind;
  while (fscanf(f, "%d", &kind) == 1) {
    struct worker *w = calloc(1, sizeof *w);
    w->kind = kind;
    w->running = 1;
    w->tail = &w->head;
#ifdef QUEUED
    add(w);
#endif
    begin(work, w);
#ifdef BEHIND
    add(w);
#endif
    w->next = workers;
    workers = w;
  }
#ifdef BEFORE
  begin(work, reserve);
#endif
}
int main(void) {
  struct pollfd fd = {.fd = 0, .events = POLLIN};
#ifdef BEFORE
  reserve = calloc(1, sizeof *reserve);
  reserve->running = 1;
  reserve->tail = &reserve->head;
  add(reserve);
#endif
  load(stdin);
  for (;;) {
    poll(&fd, 1, -1);
    if (workers)
      add(workers);
    for (struct answer *a = answers; a; a = a->next)
      printf("%d\n", a->kind);
  }
}
