// A handler answers, which commits, and goes on to change persistent state: a crash
// in between keeps the answer alone. It is reported at the change: once in a
// function, with where the answer is. What only may change something is a note.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load t.c > log
// RUN: grep changed-after-answer nvmove-out/report.txt | FileCheck %s
// RUN: grep changed-after-answer log | FileCheck %s --check-prefix=SHOWN
// SHOWN-NOT: perhaps
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <unistd.h>

struct bucket {
  struct bucket *next;
  pthread_mutex_t lock;
  int n, v;
  double sum;
};
static struct bucket *buckets;
static int total;

static void add(int n) {
  struct bucket *b = calloc(1, sizeof *b);
  pthread_mutex_init(&b->lock, NULL);
  b->n = n;
  b->next = buckets;
  buckets = b;
  total++;
}

void load(FILE *in) {
  for (int n; (n = getc(in)) != EOF;)
    add(n);
}

// Behind the flush, within the lock.
static void flushed(struct bucket *b) {
  pthread_mutex_lock(&b->lock);
  printf("ok\n");
  fflush(stdout);
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}after an answer of the same section, sent by fflush() in line [[@LINE-1]]
  b->v++;
  pthread_mutex_unlock(&b->lock);
}

// Both below calls; a static.
static void say(const char *text) { dprintf(1, "%s", text); }
static void count(void) { total++; }
static void called(void) {
  say("ok\n");
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}by say() in line [[@LINE-1]]
  count();
}

// On one way, through a pointer, to who waits for a message.
static void queued(struct bucket *b, int queue) {
  double *sum = &b->sum;
  if (queue > 0)
    msgsnd(queue, "ok", 1, 0);
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}by msgsnd() in line [[@LINE-1]]
  *sum += 1;
}

// Not on each way.
static void grow(int n) {
  if (n > total)
    total = n;
}
static void perhaps(int n) {
  say("ok\n");
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}by say() in line [[@LINE-1]]{{.*}}(in perhaps)
  grow(n);
}

// What is right: the answer comes last, in each round, or on another way, or goes to a log or
// a file.
// CHECK-NOT: changed-after-answer
static void right(struct bucket *b, int c) {
  switch (c) {
  case 'l':
    for (struct bucket *i = b; i; i = i->next) {
      i->n++;
      say("one\n");
    }
    break;
  case 'm':
    b->n = 1;
    say("ok\n");
    return;
  case 'n':
    b->n = 2;
    break;
  default:
    fprintf(stderr, "%c?\n", c);
    fflush(stderr);
    (void)!write(2, "?\n", 2);
    b->n = 3;
  }
  say("done\n");
}
static void logged(struct bucket *b) {
  int fd = open("log", O_WRONLY | O_APPEND | O_CREAT, 0600);
  (void)!write(fd, "n\n", 2);
  b->n++;
  close(fd);
}

static void handle(int c) {
  switch (c) {
  case 'f':
    flushed(buckets);
    break;
  case 'c':
    called();
    break;
  case 'q':
    queued(buckets, -1);
    break;
  case 'p':
    perhaps(c);
    break;
  case 'o':
    logged(buckets);
    break;
  default:
    right(buckets, c);
  }
}

int main(void) {
  FILE *in = fopen("state", "r");
  if (in) {
    load(in);
    fclose(in);
  }
  if (!buckets)
    add('0');
  for (char c; read(0, &c, 1) == 1;)
    handle(c);
  return 0;
}
