// A lock in a persistent record may be held by a thread that is killed with the
// process: the next run finds it free. Where some lock of the program may be
// recursive, and of semaphores, it is told, and left to the program.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --notes --load load --out two t.c -- -DRECURSIVE > log
// RUN: FileCheck %s --input-file log --check-prefix=OTHER
// RUN: %nvmove --notes --load load --out one t.c > log
// RUN: FileCheck %s --input-file log
// RUN: sh %S/../../rewrite/Inputs/apply one/patches %runtime_include t.c
// RUN: FileCheck %s --input-file t.c --check-prefix=TEXT
// RUN: gcc -I %runtime_include t.c %runtime_lib -lpthread -o t
// RUN: printf '7 8' > state
// Engine undo has the program's own stores in the pool at once, the lock's, too.
// RUN: printf '1\n-1\n' | env NVM_ENGINE=undo NVM_POOL=%t/pool NVM_SIZE=64M not --crash ./t
// RUN: printf '2\n' | env NVM_POOL=%t/pool timeout 20 ./t > out
// RUN: FileCheck %s --input-file out --check-prefix=OUT
// CHECK-DAG: holds-lock {{.*}}account.lock is a pthread_mutex_t, which may be held by threads that end with the process: a restart initialises it again
// CHECK-DAG: holds-lock {{.*}}account.readers is a pthread_rwlock_t, {{.*}}: a restart initialises it again
// CHECK-DAG: holds-lock {{.*}}account.free is a sem_t, {{.*}}: a restart leaves it unchanged
// OTHER-DAG: account.lock is a pthread_mutex_t, {{.*}}: a restart leaves it unchanged
// TEXT: NVM_DESCRIPTOR(struct account, lock)
// TEXT: NVM_DESCRIPTOR(struct account, readers)
// OUT: 11 10
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
  struct account *next;
  pthread_mutex_t lock;
  pthread_rwlock_t readers;
  sem_t free;
  pthread_mutex_t *shared;
  int n;
};
static struct account *all;

static struct account *made(int n) {
  struct account *a = calloc(1, sizeof *a);
  pthread_mutexattr_t *how = NULL;
#ifdef RECURSIVE
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  how = &recursive;
#endif
  pthread_mutex_init(&a->lock, how);
  pthread_rwlock_init(&a->readers, NULL);
  sem_init(&a->free, 0, 1);
  a->shared = all ? all->shared : &a->lock;
  a->n = n;
  a->next = all;
  all = a;
  return a;
}
static void load(void) {
  FILE *f = fopen("state", "r");
  int n;
  if (!f)
    return;
  while (fscanf(f, "%d", &n) == 1)
    made(n);
  fclose(f);
}
static void add(struct account *a, int n) {
  pthread_mutex_lock(&a->lock);
  pthread_rwlock_wrlock(&a->readers);
  a->n += n > 0 ? n : 0;
  if (n < 0)
    raise(SIGKILL);
  pthread_rwlock_unlock(&a->readers);
  pthread_mutex_unlock(&a->lock);
}
static void command(int n) {
  for (struct account *a = all; a; a = a->next)
    add(a, n);
}
int main(void) {
  int n;
  load();
  while (scanf("%d", &n) == 1)
    command(n);
  for (struct account *a = all; a; a = a->next)
    printf("%d ", a->n);
  puts("");
  return 0;
}
