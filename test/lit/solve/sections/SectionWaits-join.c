// A section of the main loop that waits for a thread, which waits for its turn to
// begin a section: it is left during the wait. Without that the program hangs.
// What is done before and after the wait is durable when it is answered.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann 1' > state
// RUN: %nvmove --load load t.c > log && FileCheck %s --input-file log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=PATCHED
// RUN: %nvmove --load load --force t.c -- -I %runtime_include | FileCheck %s --check-prefix=AGAIN
// RUN: gcc -I %runtime_include t.c %runtime_lib -lpthread -o t
// RUN: printf 'add bob 3\ndouble bob\npoll bob\nqueue ann\ndie\n' > input
// RUN: not --crash timeout 60 env NVM_POOL=%t/pool NVM_SIZE=64M ./t < input
// RUN: echo dump | env NVM_POOL=%t/pool timeout 60 ./t | FileCheck %s --check-prefix=KEPT
//
// CHECK: wait-in-section{{ +}}pthread_join() waits in a section of the main loop: the section commits what it has done so far before the wait, and goes on after it
// CHECK-NEXT: is an update incomplete then?
// CHECK-DAG: wait-in-section{{ +}}usleep() waits in a section of the main loop
// CHECK-DAG: wait-in-section{{ +}}pthread_cond_wait() waits in a section of the main loop
// PATCHED: {{^}}    NVM_PAUSED(pthread_join(t, NULL));
// PATCHED: NVM_PAUSED(usleep(100));
// PATCHED: nvm_pthread_cond_wait(&done, &queue);
// AGAIN: 0 files edited
// KEPT: bob 12
// KEPT: ann 2
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct box {
  struct box *next;
  int v;
  char name[12];
};
static struct box *boxes;
static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static struct box *job;
static int is_done;

static struct box *get(const char *name) {
  struct box *b;
  pthread_mutex_lock(&big);
  for (b = boxes; b && strcmp(b->name, name); b = b->next)
    ;
  if (!b) {
    b = calloc(1, sizeof *b);
    strncpy(b->name, name, 11);
    b->next = boxes;
    boxes = b;
  }
  pthread_mutex_unlock(&big);
  return b;
}

static void *double_it(void *p) {
  struct box *b = p;
  pthread_mutex_lock(&big);
  b->v *= 2;
  pthread_mutex_unlock(&big);
  __atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
  pthread_mutex_lock(&queue);
  job = NULL;
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&queue);
  return NULL;
}

static void load(FILE *f) {
  char name[12];
  int v;
  while (fscanf(f, "%11s %d", name, &v) == 2)
    get(name)->v = v;
}

static void handle(const char *line) {
  char name[12];
  int v;
  pthread_t t;
  if (sscanf(line, "add %11s %d", name, &v) == 2) {
    struct box *b = get(name);
    b->v += v;
  } else if (sscanf(line, "double %11s", name) == 1) {
    pthread_create(&t, NULL, double_it, get(name));
    pthread_join(t, NULL);
  } else if (sscanf(line, "poll %11s", name) == 1) {
    is_done = 0;
    pthread_create(&t, NULL, double_it, get(name));
    pthread_detach(t);
    while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
      usleep(100);
  } else if (sscanf(line, "queue %11s", name) == 1) {
    job = get(name);
    pthread_create(&t, NULL, double_it, job);
    pthread_detach(t);
    pthread_mutex_lock(&queue);
    while (job)
      pthread_cond_wait(&done, &queue);
    pthread_mutex_unlock(&queue);
  } else if (!strncmp(line, "dump", 4)) {
    for (struct box *b = boxes; b; b = b->next)
      printf("%s %d\n", b->name, b->v);
  } else {
    raise(SIGKILL);
  }
}

int main(void) {
  char line[80];
  FILE *f = fopen("state", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (fgets(line, sizeof line, stdin)) {
    handle(line);
    puts(".");
    fflush(stdout);
  }
  return 0;
}
