// From the first lock that a thread takes to the last that it releases is one
// section, where what is done in between changes persistent state: mutexes,
// reader-writer locks, spin locks, those of C11, what is only tried, what
// functions and macros of the program take for it, and waits. All calls with such
// a lock are replaced, and no other: the queue of jobs holds nothing that is kept.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// RUN: FileCheck %s --input-file out/report.json --check-prefix=JSON
// RUN: %nvmove explain --out out account.mu | FileCheck %s --check-prefix=EXPLAIN
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// RUN: %nvmove verify --load load --out verified t.c --extra-arg=-I%runtime_include
// RUN: gcc -Wall -Werror -I %runtime_include t.c %runtime_lib -lpthread -o t
// RUN: printf '1 2 3\n' > state
// RUN: env NVM_POOL=%t/pool NVM_SIZE=64M not --crash ./t kill
// RUN: env NVM_POOL=%t/pool timeout 20 ./t > kept
// RUN: FileCheck %s --input-file kept --check-prefix=KEPT
// LOG-NOT: changed-by-thread
// LOG-NOT: lock-not-followed
// LOG-NOT: wait-in-section
// JSON: "sections": [
// JSON: "kind": "lock"
// JSON: "locks": [
// JSON: "location"
// EXPLAIN: account.mu is a section
// EXPLAIN: is acquired, waited with and released
// EXPLAIN-NEXT: t.c:{{.*}}enter calls pthread_mutex_lock
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

struct account {
  struct account *next;
  pthread_mutex_t mu;
  int n;
};
struct job {
  struct job *next;
  int add;
};
static struct account *accounts;
static struct table {
  pthread_rwlock_t lock;
  pthread_spinlock_t spin;
  struct account *last;
} tables[3];
static int total, tries, timed, deep, tallied;
static mtx_t sums;
static pthread_mutex_t tally = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t waiting = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static struct job *jobs;

// CHECK-LABEL: static void enter
// CHECK: nvm_pthread_mutex_lock(&a->mu);
static void enter(struct account *a) { pthread_mutex_lock(&a->mu); }
// CHECK: nvm_pthread_mutex_unlock(&a->mu);
static void leave(struct account *a) { pthread_mutex_unlock(&a->mu); }
// CHECK: #define GUARDED(m, what)
// CHECK: nvm_pthread_mutex_lock(m);
// CHECK: nvm_pthread_mutex_unlock(m);
#define GUARDED(m, what)                                                       \
  do {                                                                         \
    pthread_mutex_lock(m);                                                     \
    what;                                                                      \
    pthread_mutex_unlock(m);                                                   \
  } while (0)

static void *by_function(void *unused) {
  for (struct account *a = accounts; a; a = a->next) {
    enter(a);
    a->n += 100;
    leave(a);
  }
  return unused;
}
// CHECK-LABEL: static void *by_rwlock
static void *by_rwlock(void *unused) {
  // CHECK: nvm_pthread_rwlock_wrlock(&tables[1].lock);
  pthread_rwlock_wrlock(&tables[1].lock);
  tables[1].last = accounts;
  // CHECK: nvm_pthread_rwlock_unlock(
  pthread_rwlock_unlock(&tables[1].lock);
  // CHECK: nvm_pthread_spin_lock(
  pthread_spin_lock(&tables[2].spin);
  tables[2].last = accounts->next;
  // CHECK: nvm_pthread_spin_unlock(
  pthread_spin_unlock(&tables[2].spin);
  return unused;
}
// CHECK-LABEL: static int by_c11
static int by_c11(void *unused) {
  (void)unused;
  // CHECK: nvm_mtx_lock(&sums);
  mtx_lock(&sums);
  total++;
  // CHECK: nvm_mtx_unlock(&sums);
  mtx_unlock(&sums);
  return 0;
}
// CHECK-LABEL: static void *by_trying
static void *by_trying(void *unused) {
  struct timespec t = {4000000000, 0};
  // CHECK: while (nvm_pthread_mutex_trylock(&tally))
  while (pthread_mutex_trylock(&tally))
    thrd_yield();
  tries++;
  // CHECK: nvm_pthread_mutex_unlock(&tally);
  pthread_mutex_unlock(&tally);
  // CHECK: if (nvm_pthread_mutex_timedlock(&tally, &t) == 0)
  if (pthread_mutex_timedlock(&tally, &t) == 0) {
    timed++;
    pthread_mutex_unlock(&tally);
  }
  GUARDED(&tally, tallied++);
  return unused;
}
// CHECK-LABEL: static void *nested
static void *nested(void *unused) {
  // CHECK: nvm_pthread_mutex_lock(&outer);
  pthread_mutex_lock(&outer);
  GUARDED(&tally, deep++);
  // CHECK: nvm_pthread_mutex_unlock(&outer);
  pthread_mutex_unlock(&outer);
  return unused;
}
// CHECK-LABEL: static void *waits
static void *waits(void *unused) {
  pthread_mutex_lock(&waiting);
  // CHECK: nvm_pthread_cond_wait(&ready, &waiting);
  while (!tables[0].last)
    pthread_cond_wait(&ready, &waiting);
  total += 10;
  pthread_mutex_unlock(&waiting);
  return unused;
}
static void *wakes(void *unused) {
  pthread_mutex_lock(&waiting);
  tables[0].last = accounts;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&waiting);
  return unused;
}
// CHECK-LABEL: static void *queue
static void *queue(void *unused) {
  // CHECK-NOT: nvm{{_}}pthread
  pthread_mutex_lock(&jobs_lock);
  while (!jobs)
    pthread_cond_wait(&more, &jobs_lock);
  jobs = jobs->next;
  pthread_mutex_unlock(&jobs_lock);
  return unused;
}
// CHECK-LABEL: static void load
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct account *a = calloc(1, sizeof *a);
    pthread_mutex_init(&a->mu, NULL);
    a->n = n;
    a->next = accounts;
    accounts = tables[n % 2].last = a;
    total = tries = timed = deep = tallied = 0 * n;
  }
  tables[0].last = NULL;
  fclose(f);
}
static void show(void) {
  for (struct account *a = accounts; a; a = a->next) {
    enter(a);
    printf("%d ", a->n);
    leave(a);
  }
  printf("%d %d %d %d %d %d\n", total, tries, timed, deep, tallied,
         tables[1].last == accounts && tables[2].last == accounts->next);
}
// CHECK-LABEL: int main
// CHECK: NVM_LOCK(tables, tables[0], lock);
// CHECK-NEXT: NVM_LOCK(tables, tables[0], spin);
// KEPT: 103 102 101 11 1 1 1 1 1
int main(int argc, char **argv) {
  void *(*all[])(void *) = {by_function, by_rwlock, by_trying,
                            nested,      waits,     wakes};
  pthread_t t[7];
  thrd_t c;
  int n;
  mtx_init(&sums, mtx_plain);
  for (int i = 0; i < 3; i++) {
    pthread_rwlock_init(&tables[i].lock, NULL);
    pthread_spin_init(&tables[i].spin, PTHREAD_PROCESS_PRIVATE);
  }
  load();
  if (argc > 1) {
    pthread_create(&t[6], NULL, queue, NULL);
    for (int i = 0; i < 6; i++)
      pthread_create(&t[i], NULL, all[i], NULL);
    thrd_create(&c, by_c11, NULL);
    for (int i = 0; i < 6; i++)
      pthread_join(t[i], NULL);
    thrd_join(c, NULL);
    if (!strcmp(argv[1], "kill"))
      raise(SIGKILL);
  }
  show();
  while (scanf("%d", &n) == 1)
    puts("");
  return 0;
}
