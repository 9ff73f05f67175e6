// A section commits before a program is run, before a child is made, and where it is
// left while it waits for a thread. What is changed before and what is changed behind
// that are then two halves of one command: that is to be acted on, where one of the two
// is certain.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c && echo 'ann 1' > state
// RUN: %nvmove_act --load load t.c > log
// RUN: FileCheck %s --input-file nvmove-out/report.txt --check-prefix=ADVICE
// RUN: grep cut-update nvmove-out/report.txt | FileCheck %s --implicit-check-not=cut-update
// ADVICE: to act on
// ADVICE: to check
// ADVICE: cut-update{{.*}}(in maybe)
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct box {
  struct box *next;
  int v, orders;
  char name[12];
};
static struct box *boxes;
static struct {
  int asked, done;
  double mean;
} counts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct box *get(const char *name) {
  struct box *b;
  for (b = boxes; b && strcmp(b->name, name); b = b->next)
    ;
  if (!b) {
    b = calloc(1, sizeof *b);
    strncpy(b->name, name, 11);
    b->next = boxes;
    boxes = b;
  }
  return b;
}

void load(FILE *f) {
  char name[12];
  int v;
  while (fscanf(f, "%11s %d", name, &v) == 2) {
    get(name)->v = v;
    counts.asked++;
    counts.done++;
    counts.mean += v;
  }
}

// A member behind a pointer, and a static.
static void both(struct box *b) {
  b->v++;
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}system() commits a section in the middle of a change: box.v in line [[@LINE-1]] comes before it, and counts.done in line [[@LINE+3]] after it; a crash between the two leaves half of it{{.*}}(in both)
  if (system("exit 2") == 0)
    return;
  counts.done++;
}

// A member of a static that is no integer.
static void child(void) {
  counts.mean /= 2;
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}fork() commits{{.*}}counts.mean in line [[@LINE-1]]
  pid_t c = fork();
  if (c == 0) {
    counts.asked = 3; // that of the child alone
    _exit(3);
  }
  waitpid(c, NULL, 0);
  counts.asked++;
}

// The one below a call, the other in the caller.
static void half(struct box *b) {
  b->orders++;
  FILE *p = popen("echo 4", "r");
  if (p)
    pclose(p);
}
static void whole(const char *name) {
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}popen() commits{{.*}}box.orders in line [[@LINE-6]] comes before it, and boxes by get() in line [[@LINE+2]] after it{{.*}}(in whole)
  half(boxes);
  get(name);
}

// In a loop that is left where it begins.
static void again(struct box *b) {
  int n = 3;
  b->v++;
  while (n > 0)
    // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}system() commits{{.*}}box.v in line [[@LINE-2]] comes before it, and counts.asked in line [[@LINE+2]] after it{{.*}}(in again)
    n = system("exit 0");
  counts.asked++;
}

// Neither is certain: a question.
static void grow(int n) {
  if (n > 3)
    counts.asked = n;
}
static void maybe(int n) {
  grow(n);
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}system() commits{{.*}}counts.asked by grow() in line [[@LINE-1]]{{.*}}(in maybe)
  (void)!system("exit 1");
  grow(n + 1);
}

// What the thread has changed is committed when it releases its lock.
static void *work(void *p) {
  pthread_mutex_lock(&lock);
  ((struct box *)p)->v *= 2;
  pthread_mutex_unlock(&lock);
  return NULL;
}
static void thread(struct box *b) {
  pthread_t t;
  pthread_create(&t, NULL, work, b);
  // CHECK-DAG: t.c:[[@LINE+1]]:{{.*}}pthread_join() leaves a section{{.*}}box.v in line [[@LINE-7]]{{.*}}counts.done
  pthread_join(t, NULL);
  counts.done++;
}

// What is right: the wait comes first or last, on another way, or in another round.
static void right(struct box *b, int n) {
  (void)!system("exit 3");
  b->v = n;
  if (n == 4) {
    b->orders++;
    (void)!system("exit 4");
    return;
  }
  b->orders = 0;
}
static void rounds(void) {
  for (struct box *b = boxes; b; b = b->next) {
    b->orders++;
    (void)!system("exit 5");
  }
}

static void handle(const char *word) {
  switch (word[0]) {
  case 'b':
    both(boxes);
    break;
  case 'a':
    again(boxes);
    break;
  case 'c':
    child();
    break;
  case 'w':
    whole(word);
    break;
  case 'm':
    maybe((int)strlen(word));
    break;
  case 't':
    thread(boxes);
    break;
  case 'r':
    right(boxes, word[1]);
    break;
  case 'l':
    rounds();
    break;
  default:
    get(word)->v++;
  }
}

int main(void) {
  char word[12];
  FILE *f = fopen("state", "r");
  if (f) {
    load(f);
    fclose(f);
  }
  while (scanf("%11s", word) == 1)
    handle(word);
  return 0;
}
