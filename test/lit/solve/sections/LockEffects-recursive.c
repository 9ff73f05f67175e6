// Functions that take or release a lock and call themselves or each other: the
// innermost call decides, so the lock is held behind the outermost, and what
// a thread changes then is a section. A function that never comes back counts
// as one that changes nothing.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out out t.c > log
// RUN: FileCheck %s --input-file log --check-prefix=LOG
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// RUN: gcc -Wall -Werror -I %runtime_include t.c %runtime_lib -lpthread -o t
// RUN: printf '1 2 3\n' > state
// RUN: env NVM_POOL=%t/pool NVM_SIZE=64M not --crash ./t kill
// RUN: env NVM_POOL=%t/pool timeout 20 ./t > kept
// RUN: FileCheck %s --input-file kept --check-prefix=KEPT
// LOG-NOT: changed-by-thread
// LOG-NOT: lock-not-followed
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct account {
  struct account *parent;
  pthread_mutex_t mu;
  int n;
};
static struct account *accounts;
static pthread_mutex_t sums = PTHREAD_MUTEX_INITIALIZER;
static int total;

// The lock of the outermost: that of all of them.
// CHECK-LABEL: static void enter
static void enter(struct account *a) {
  if (a->parent) {
    enter(a->parent);
    return;
  }
  // CHECK: nvm_pthread_mutex_lock(&a->mu);
  pthread_mutex_lock(&a->mu);
}
// CHECK-LABEL: static void leave
static void leave(struct account *a) {
  // CHECK: nvm_pthread_mutex_unlock(&a->mu);
  if (a->parent)
    leave(a->parent);
  else
    pthread_mutex_unlock(&a->mu);
}

static void take_even(int n);
static void take_odd(int n) {
  if (n > 1)
    take_even(n - 1);
  else
    // CHECK: nvm_pthread_mutex_lock(&sums);
    pthread_mutex_lock(&sums);
}
static void take_even(int n) { take_odd(n - 1); }

static void stay(void) {
  for (;;)
    pause();
}
static void finish(int stays) {
  if (stays)
    stay();
  // CHECK: nvm_pthread_mutex_unlock(&sums);
  pthread_mutex_unlock(&sums);
}

static void *work(void *unused) {
  for (struct account *a = accounts; a; a = a->parent) {
    enter(a);
    a->n += 10;
    leave(a);
  }
  take_even(4);
  total++;
  finish(unused != NULL);
  return unused;
}

static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1) {
    struct account *a = calloc(1, sizeof *a);
    pthread_mutex_init(&a->mu, NULL);
    a->n = n;
    a->parent = accounts;
    accounts = a;
    total += 0 * n;
  }
  fclose(f);
}
// KEPT: 13 12 11 1
int main(int argc, char **argv) {
  pthread_t t;
  load();
  if (argc > 1 && argv[1][0] == 'k') {
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    raise(SIGKILL);
  }
  for (struct account *a = accounts; a; a = a->parent)
    printf("%d ", a->n);
  printf("%d\n", total);
  return 0;
}
