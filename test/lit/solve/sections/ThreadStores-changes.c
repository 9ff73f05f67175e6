// What a thread changes of persistent state is in no section of the main loop: to
// act on, with the thread, the place and where it is started. Whoever starts it,
// by pthread_create() or thrd_create(), through a pointer or a table; and what it
// is handed leads to kept objects, too. A function that a section of the main
// loop runs as well is to check.
//
// RUN: %nvmove_act --load load --analyze-only --force --out %t.out %s
// RUN: FileCheck %s --input-file %t.out/report.json
// CHECK: "function": "plain",
// CHECK-NEXT: "id": "changed-by-thread"
// CHECK: "severity": "act"
// CHECK: "what": "plain(), which runs as a thread (ThreadStores-changes.c:[[@LINE+41]]), changes persistent state outside of sections: the change becomes durable with the next commit, if there is one, and a crash may keep half of it
// CHECK: "function": "handed",
// CHECK-NEXT: "id": "changed-by-thread"
// CHECK: "what": "handed(), which runs as a thread
// CHECK: "function": "counts",
// CHECK-NEXT: "id": "changed-by-thread"
// CHECK: "what": "counts(), which runs as a thread
// CHECK: "function": "add",
// CHECK-NEXT: "id": "changed-by-thread"
// CHECK: "severity": "check"
// CHECK: "what": "shares(), which runs as a thread (ThreadStores-changes.c:[[@LINE+32]]), reaches this place, which changes persistent state outside of sections, possibly: without a lock on some path, or by a store whose type leaves the target open, or in a function that sections of the main loop also run
// CHECK-NOT: changed-by-thread
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

struct job {
  struct job *next;
  int runs, id;
};
static struct job *jobs;
static int done, looked;

static void add(int id) {
  struct job *j = calloc(1, sizeof *j);
  j->id = id;
  j->next = jobs;
  jobs = j;
}
static void *shares(void *n) { add(*(int *)n); return NULL; }
static void *plain(void *unused) { jobs->runs++; return unused; }
static void *handed(void *p) { struct job *j = p; j->id = 0; return p; }
static int counts(void *unused) { (void)unused; done++; return 0; }
static void *looks(void *unused) { looked = jobs->runs; return unused; }
static void *(*const table[])(void *) = {looks};

static void start(void) {
  pthread_t t;
  thrd_t c;
  static int n = 3;
  pthread_create(&t, NULL, plain, NULL);
  pthread_create(&t, NULL, shares, &n);
  pthread_create(&t, NULL, handed, jobs);
  pthread_create(&t, NULL, table[0], NULL);
  thrd_create(&c, counts, NULL);
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    add(n);
  if (fscanf(f, "done %d", &n) == 1)
    done = n;
  fclose(f);
}
int main(void) {
  int n;
  load();
  start();
  while (scanf("%d", &n) == 1)
    add(n);
  printf("%d %d\n", done, looked);
  return 0;
}
