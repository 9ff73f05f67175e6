// A list of jobs that each start makes is no state, though lists of its type are
// kept, and though the main loop and the thread change both by the same
// functions. What the jobs lead to may be kept: -DDEEP.
//
// RUN: %nvmove --load load --analyze-only --force --out %t.out %s
// RUN: FileCheck %s --input-file %t.out/report.json --check-prefix=NONE
// RUN: %nvmove_act --load load --analyze-only --force --out %t.deep %s -- -DDEEP
// RUN: FileCheck %s --input-file %t.deep/report.json --check-prefix=DEEP
// NONE-NOT: changed-by-thread
// DEEP: "function": "work",
// DEEP-NEXT: "id": "changed-by-thread"
// DEEP: "what": "work(), which runs as a thread
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  struct node *next, *prev;
  void *value;
};
struct list {
  struct node *head, *tail;
  int len;
};
struct account {
  int n;
};
struct request {
  struct account *account;
  int add;
};
static struct list *accounts, *queue;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static struct list *made(void) { return calloc(1, sizeof(struct list)); }
static void push(struct list *l, void *value) {
  struct node *n = calloc(1, sizeof *n);
  n->value = value;
  n->prev = l->tail;
  if (l->tail)
    l->tail->next = n;
  else
    l->head = n;
  l->tail = n;
  l->len++;
}
static void drop(struct list *l, struct node *n) {
  if (n->prev)
    n->prev->next = n->next;
  else
    l->head = n->next;
  if (n->next)
    n->next->prev = n->prev;
  else
    l->tail = n->prev;
  free(n);
  l->len--;
}
static void *work(void *unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!queue->len)
      pthread_cond_wait(&more, &lock);
    struct node *n = queue->head;
    struct request *r = n->value;
    drop(queue, n);
    pthread_mutex_unlock(&lock);
#ifdef DEEP
    r->account->n += r->add;
#endif
    free(r);
  }
  return unused;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  accounts = made();
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct account *a = calloc(1, sizeof *a);
    a->n = n;
    push(accounts, a);
  }
  fclose(f);
}
static void command(int n) {
  struct account *a = calloc(1, sizeof *a);
  struct request *r = malloc(sizeof *r);
  push(accounts, a);
  r->account = a;
  r->add = n;
  pthread_mutex_lock(&lock);
  push(queue, r);
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
}
int main(void) {
  pthread_t t;
  int n;
  queue = made();
  load();
  pthread_create(&t, NULL, work, NULL);
  while (scanf("%d", &n) == 1)
    command(n);
  return 0;
}
