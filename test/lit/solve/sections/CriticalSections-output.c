// What a thread says leaves behind the commit of what it did: inside the section
// it commits first, and behind the section all is durable. What it logs does not.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --load load --out out t.c
// RUN: sh %S/../../rewrite/Inputs/apply out/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c
// RUN: gcc -Wall -Werror -I %runtime_include t.c %runtime_lib -lpthread -o t
// RUN: printf '1000\n' > state
// RUN: printf '1 2\n' | env NVM_POOL=%t/pool NVM_SIZE=64M ./t
// RUN: printf '9\n' | env NVM_POOL=%t/pool not --crash ./t
// RUN: env NVM_POOL=%t/pool timeout 20 ./t < /dev/null | FileCheck %s --check-prefix=KEPT
// KEPT: 1212 accounts of 3
// CHECK: static void *work
// CHECK: nvm_pthread_mutex_lock(&lock);
// CHECK-NEXT: total += n;
// CHECK-NEXT: if (nvm_write(done[1], "x", 1) != 1)
// CHECK: fprintf(stderr
// CHECK: nvm_pthread_mutex_unlock(&lock);
// CHECK-NEXT: if (nvm_write(done[1], "y", 1) != 1)
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct account {
  struct account *next;
};
static struct account *accounts;
static int total, jobs[2], done[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  int n;
  while (read(jobs[0], &n, sizeof n) == sizeof n) {
    pthread_mutex_lock(&lock);
    total += n;
    if (write(done[1], "x", 1) != 1)
      break;
    if (n == 9)
      raise(SIGKILL);
    struct account *a = calloc(1, sizeof *a);
    a->next = accounts;
    accounts = a;
    total += 100;
    fprintf(stderr, "done %d\n", n);
    pthread_mutex_unlock(&lock);
    if (write(done[1], "y", 1) != 1)
      break;
  }
  return unused;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  if (!f)
    return;
  if (fscanf(f, "%d", &total) == 1)
    accounts = calloc(1, sizeof *accounts);
  fclose(f);
}
int main(void) {
  pthread_t t;
  int n;
  char c[2];
  if (pipe(jobs) || pipe(done))
    return 1;
  load();
  pthread_create(&t, NULL, work, NULL);
  while (scanf("%d", &n) == 1)
    if (write(jobs[1], &n, sizeof n) != sizeof n || read(done[0], c, 1) != 1 ||
        read(done[0], c + 1, 1) != 1)
      return 1;
  n = 0;
  for (struct account *a = accounts; a; a = a->next)
    n++;
  printf("%d accounts of %d\n", total, n);
  return 0;
}
