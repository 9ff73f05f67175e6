// The load queues a request that lies on its stack, and a worker takes it out:
// where that is left behind no code may look, so the queue, which each start
// makes, is no part of the state.
//
// RUN: cd %S && %nvmove --load load --print types DanglingLocals-gone_frames.c -- -std=gnu11 > %t
// RUN: FileCheck %s --input-file %t --match-full-lines --implicit-check-not={{.}}
// What lasts is queued in the same way, ..
// RUN: %nvmove --load load --print types DanglingLocals-gone_frames.c -- -std=gnu11 -DFROM_HEAP > %t.heap
// RUN: FileCheck %s --input-file %t.heap --match-full-lines --check-prefix=QUEUED
// RUN: %nvmove --load load --print types DanglingLocals-gone_frames.c -- -std=gnu11 -DSTATIC > %t.static
// RUN: FileCheck %s --input-file %t.static --match-full-lines --check-prefix=QUEUED
// .. or in the frame of main, which goes on after the load, ..
// RUN: %nvmove --load load --print types DanglingLocals-gone_frames.c -- -std=gnu11 -DOF_MAIN > %t.main
// RUN: FileCheck %s --input-file %t.main --match-full-lines --check-prefix=QUEUED
// .. or the load empties the queue, as what it reads says.
// RUN: %nvmove --load load --print types DanglingLocals-gone_frames.c -- -std=gnu11 -DMAY_CLEAR > %t.clear
// RUN: FileCheck %s --input-file %t.clear --match-full-lines --check-prefix=QUEUED
//
// CHECK: item
// QUEUED: queue
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct item { int n; struct item *next; };
struct work { struct work *next; void (*run)(void *); void *data; };
struct request { struct work work; pthread_cond_t done; };
struct queue { struct work *head, **tail; pthread_mutex_t mutex; pthread_cond_t cond; };
static struct item *items;
static struct queue *queue;

static void *worker(void *arg) {
  struct queue *q = arg;
  pthread_mutex_lock(&q->mutex);
  for (;;) {
    struct work *w = q->head;
    if (w == NULL) {
      pthread_cond_wait(&q->cond, &q->mutex);
      continue;
    }
    q->head = w->next;
    if (q->head == NULL)
      q->tail = &q->head;
    w->run(w->data);
    pthread_cond_signal(&((struct request *)w)->done);
  }
}
static void start(void) {
  pthread_t thread;
  queue = malloc(sizeof *queue);
  queue->head = NULL;
  queue->tail = &queue->head;
  pthread_mutex_init(&queue->mutex, NULL);
  pthread_cond_init(&queue->cond, NULL);
  pthread_create(&thread, NULL, worker, queue);
}
static void enqueue(struct queue *q, struct work *w) {
  w->next = NULL;
  *q->tail = w;
  q->tail = &w->next;
}
static void run(struct queue *q, void (*function)(void *), void *data) {
#ifdef FROM_HEAP
  struct request *p = malloc(sizeof *p);
#elif defined STATIC
  static struct request kept, *p = &kept;
#else
  struct request r, *const p = &r;
#endif
  p->work.run = function;
  p->work.data = data;
  pthread_cond_init(&p->done, NULL);
  pthread_mutex_lock(&q->mutex);
#ifdef MAY_CLEAR
  if (data && ((struct item *)data)->n < 0) {
    q->head = data ? &p->work : NULL;
    q->tail = &q->head;
  }
#endif
  enqueue(q, &p->work);
  pthread_cond_wait(&p->done, &q->mutex);
  pthread_mutex_unlock(&q->mutex);
}
static void add(void *data) {
  struct item *i = data;
  i->next = items;
  items = i;
}
static void load(FILE *f, struct request *given) {
  int n;
  while (fscanf(f, "%d", &n) == 1) {
    struct item *i = malloc(sizeof *i);
    i->n = n;
    run(queue, add, i);
    add(i);
  }
#ifdef OF_MAIN
  enqueue(queue, &given->work);
#endif
}
int main(void) {
  struct pollfd fd = {.fd = 0, .events = POLLIN};
  struct request mine = {{NULL, add, NULL}};
  start();
  load(stdin, &mine);
  for (;;) {
    poll(&fd, 1, -1);
    for (struct item *i = items; i; i = i->next)
      printf("%d\n", i->n);
  }
}
