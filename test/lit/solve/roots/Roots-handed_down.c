// Nothing that the load makes hangs from static memory or from main: what its
// callers hand it, or get back from it, is then what the program keeps.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s > %t.log 2>&1
// RUN: FileCheck %s --input-file %t.log
// CHECK: warning: {{.*}} [callers-keep]
// CHECK: 2 persistent types
// CHECK: 1 root
// CHECK-NEXT: job Roots-handed_down.c:{{[0-9:]+}} listed only: a parameter
// CHECK: root-in-local job is reachable from the parameter job of load; name a pointer to it with nvm_root()
//
// RUN: %nvmove_act --load parse --analyze-only --force --out %t.out %s > %t.parse
// RUN: FileCheck %s --input-file %t.parse --check-prefix=PARSE
// PARSE: 1 persistent type
// PARSE: 1 root
// PARSE-NEXT: parse() Roots-handed_down.c:{{[0-9:]+}} listed only: a result
// PARSE: root-in-local parse() is reachable from what parse returns to its callers
//
// A load that keeps nothing, wherever one looks, is told as before.
// RUN: %nvmove_act --load count --analyze-only --force --out %t.out %s 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: nothing that count creates is reachable from static memory
#include <stdio.h>
#include <stdlib.h>

struct record {
  struct record *next;
  int id;
};
struct job {
  struct record *records;
  int count;
  void (*done)(struct job *job);
};
struct wait {
  struct wait *next;
  void (*call)(void *what);
  void *what;
};
static struct wait *waiting;

static void load(struct job *job, FILE *f) {
  int id;
  while (fread(&id, sizeof id, 1, f) == 1) {
    struct record *r = malloc(sizeof *r);
    r->id = id;
    r->next = job->records;
    job->records = r;
    job->count++;
  }
}

static struct record *parse(FILE *f) {
  struct record *first = NULL;
  int id;
  while (fscanf(f, "%d", &id) == 1) {
    struct record *r = malloc(sizeof *r);
    r->id = id;
    r->next = first;
    first = r;
  }
  return first;
}

static int count(FILE *f) {
  int n = 0;
  while (getc(f) != EOF)
    n++;
  return n;
}

static void later(void (*call)(void *), void *what) {
  struct wait *w = malloc(sizeof *w);
  w->call = call;
  w->what = what;
  w->next = waiting;
  waiting = w;
}

static void step(void *what) {
  struct job *job = what;
  if (!job->records) {
    job->done(job);
    return;
  }
  job->records = job->records->next;
  later(step, job);
}

static void done(struct job *job) { printf("%d\n", job->count); }

static void start(void) {
  struct job *job = calloc(1, sizeof *job);
  job->done = done;
  load(job, stdin);
  later(step, job);
}

static void list(void) {
  struct record *all = parse(stdin);
  printf("%d\n", all ? all->id : count(stdin));
}

int main(void) {
  start();
  list();
  while (waiting) {
    struct wait *w = waiting;
    waiting = w->next;
    w->call(w->what);
    free(w);
  }
}
