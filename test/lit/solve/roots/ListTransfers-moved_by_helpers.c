// Objects of the load that commands push onto lists of static memory which the
// load does not fill: by a helper that is given the head's address, in an array
// of heads, at a tail pointer and with the macros of sys/queue.h. The heads come
// back with their tails; one in an array of records is told. Not so what only
// walks, what the same helper pushes onto the load's own list, and a static that
// stands for one of the load's records where there is none.
//
// RUN: %nvmove --notes --load load --analyze-only --force --out %t.out %s > %t.log
// RUN: FileCheck %s --input-file %t.log --implicit-check-not='is not kept'
// CHECK: 8 roots
// CHECK-NEXT: busy
// CHECK-NEXT: first
// CHECK-NEXT: last
// CHECK-NEXT: levels
// CHECK-NEXT: ready
// CHECK-NEXT: waiting.tqh_first
// CHECK-NEXT: waiting.tqh_last
// CHECK-NEXT: workers
// CHECK: head-not-kept {{.*}}queues is not kept, because the load does not fill it
#include <stdio.h>
#include <stdlib.h>
#include <sys/queue.h>

struct job { struct job *next; TAILQ_ENTRY(job) links; int n; };
struct queue { struct job *head; int length; };
struct worker { struct worker *next; struct job *jobs; };
static struct worker *workers, nobody;
static struct job *ready, *busy, *current;
static struct job *levels[8];
static struct queue queues[4];
static struct job *first, **last = &first;
static TAILQ_HEAD(, job) waiting = TAILQ_HEAD_INITIALIZER(waiting);

static void push(struct job *job, struct job **head) {
  job->next = *head;
  *head = job;
}
static struct job *pop(struct job **head) {
  struct job *job = *head;
  if (job)
    *head = job->next;
  return job;
}
static void push_to_queue(struct queue *queue, struct job *job) {
  push(job, &queue->head);
  queue->length++;
}
static void give(struct worker *worker, struct job *job) {
  job->next = worker->jobs;
  worker->jobs = job;
}
static void add(int n) {
  struct job *job = malloc(sizeof *job);
  struct worker *worker;
  job->n = n;
  push(job, &ready);
  if (n == 0) {
    worker = malloc(sizeof *worker);
    worker->jobs = NULL;
    worker->next = workers;
    workers = worker;
  }
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
static void command(int c) {
  struct job *job;
  if (c == 'a')
    add(c);
  for (job = ready; job; job = job->next)
    if (job->n == c)
      current = job;
  if (!(job = pop(&ready)))
    return;
  switch (c) {
  case 'b':
    push(job, &busy);
    break;
  case 'l':
    job->next = levels[job->n & 7];
    levels[job->n & 7] = job;
    break;
  case 'q':
    push_to_queue(&queues[job->n & 3], job);
    break;
  case 't':
    job->next = NULL;
    *last = job;
    last = &job->next;
    break;
  case 'w':
    TAILQ_INSERT_TAIL(&waiting, job, links);
    break;
  case 'g':
    give(job->n ? workers : &nobody, job);
    break;
  default:
    push(job, &ready);
  }
  printf("%d\n", current ? current->n : 0);
}
int main(void) {
  int c;
  load();
  while ((c = getchar()) != EOF)
    command(c);
  return 0;
}
