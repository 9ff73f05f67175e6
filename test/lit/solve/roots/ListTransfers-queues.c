// Queues that are empty when the load ends, and that commands move its objects
// to: with the macros of sys/queue.h, made empty by an initialiser or by start-up;
// with a helper; with a tail of its own. Head and tail come back, whether the
// queue is empty or not when the program is killed.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s app.c && printf '1 2 3 4 5 6 7 8 ' > data
// RUN: %nvmove --load load app.c | FileCheck %s
// RUN: cp %s plain.c && gcc plain.c -o plain && sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include app.c
// RUN: gcc app.o %runtime_lib -o app
// RUN: printf '?\nt\ns\np\nb\nt\ns\np\nb\n?\nT\nS\nP\nt\n?\n' | ./plain > want
// RUN: printf '?\nt\ns\np\nb\nx\n' | env NVM_POOL=%t/pool NVM_SIZE=32M not --crash ./app > log
// RUN: printf 't\ns\np\nb\n?\nT\nx\n' | env NVM_POOL=%t/pool not --crash ./app >> log
// RUN: printf 'S\nP\nt\n?\n' | env NVM_POOL=%t/pool ./app >> log
// RUN: diff want log
//
// CHECK: 9 roots
// CHECK-NEXT: busy
// CHECK-NEXT: late.tqh_first
// CHECK-NEXT: late.tqh_last
// CHECK-NEXT: out.stqh_first
// CHECK-NEXT: out.stqh_last
// CHECK-NEXT: plain
// CHECK-NEXT: plain_last
// CHECK-NEXT: ready.tqh_first
// CHECK-NEXT: ready.tqh_last
// CHECK: nothing to act on, nothing to check

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

struct job {
  int id;
  struct job *next;
  TAILQ_ENTRY(job) line;
  STAILQ_ENTRY(job) out;
};
static TAILQ_HEAD(, job) ready = TAILQ_HEAD_INITIALIZER(ready), late;
static STAILQ_HEAD(, job) out = STAILQ_HEAD_INITIALIZER(out);
static struct job *plain, **plain_last = &plain, *busy;

static void load(const char *name) {
  FILE *f = fopen(name, "r");
  int id;
  while (f && fscanf(f, "%d", &id) == 1) {
    struct job *j = calloc(1, sizeof *j);
    j->id = id;
    TAILQ_INSERT_TAIL(&ready, j, line);
  }
  if (f)
    fclose(f);
}
static void push(struct job **head, struct job *j) {
  j->next = *head;
  *head = j;
}
static struct job *take(void) {
  struct job *j = TAILQ_FIRST(&ready);
  if (j)
    TAILQ_REMOVE(&ready, j, line);
  return j;
}
static void show(void) {
  struct job *j;
  TAILQ_FOREACH(j, &ready, line) printf("%d ", j->id);
  printf("late");
  TAILQ_FOREACH(j, &late, line) printf(" %d", j->id);
  printf(" out");
  STAILQ_FOREACH(j, &out, out) printf(" %d", j->id);
  printf(" plain");
  for (j = plain; j; j = j->next)
    printf(" %d", j->id);
  printf(" busy");
  for (j = busy; j; j = j->next)
    printf(" %d", j->id);
  putchar('\n');
}
static void handle(int what) {
  struct job *j = NULL;
  if (strchr("tspb", what) && !(j = take()))
    return;
  if (what == 't') {
    TAILQ_INSERT_TAIL(&late, j, line);
  } else if (what == 's') {
    STAILQ_INSERT_TAIL(&out, j, out);
  } else if (what == 'p') {
    j->next = NULL;
    *plain_last = j;
    plain_last = &j->next;
  } else if (what == 'b') {
    push(&busy, j);
  } else if (what == 'T' && (j = TAILQ_FIRST(&late))) {
    TAILQ_REMOVE(&late, j, line);
    TAILQ_INSERT_TAIL(&ready, j, line);
  } else if (what == 'S' && (j = STAILQ_FIRST(&out))) {
    STAILQ_REMOVE_HEAD(&out, out);
    TAILQ_INSERT_TAIL(&ready, j, line);
  } else if (what == 'P' && (j = plain)) {
    if (!(plain = j->next))
      plain_last = &plain;
    TAILQ_INSERT_TAIL(&ready, j, line);
  } else {
    show();
  }
  fflush(stdout);
}
int main(void) {
  char line[64];
  TAILQ_INIT(&late);
  load("data");
  while (fgets(line, sizeof line, stdin)) {
    if (line[0] == 'x')
      raise(SIGKILL);
    handle(line[0]);
  }
  return 0;
}
