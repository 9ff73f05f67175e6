// With --commit-at-output sections of threads run beside each other, and what a
// thread acknowledges leaves behind a commit of all that had ended.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s t.c
// RUN: %nvmove --commit-at-output --load load t.c > log && not grep commit-at-output log
// RUN: sh %S/../../rewrite/Inputs/apply nvmove-out/patches %runtime_include t.c
// RUN: grep -v '^//' t.c | FileCheck %s --check-prefix=CODE
// RUN: %nvmove verify --commit-at-output --load load t.c
// RUN: gcc -Wall -Wextra -Werror -I %runtime_include t.c %runtime_lib -lpthread -o t
// CODE: nvm_pthread_mutex_lock(&b->lock)
// CODE: nvm_pthread_mutex_unlock(&b->lock)
// CODE-NEXT: if (nvm_write(1, "+", 1) != 1)
// CODE: nvm_commit_at_output()
//
// All that was acknowledged is there after a kill -9.
// RUN: sh -c 'env NVM_POOL=%t/pool NVM_SIZE=64M NVM_ENGINE=undo ./t work > said & p=$!; sleep 1; kill -9 $p; wait' 2>/dev/null || true
// RUN: env NVM_POOL=%t/pool ./t count said
//
// A lock that is held where something leaves might be what the section of another
// thread waits for.
// RUN: %nvmove --commit-at-output --analyze-only --load load --out o1 %s -- -DHELD | FileCheck %s --check-prefix=HELD
// RUN: %nvmove --commit-at-output --analyze-only --load load --out o2 %s -- -DLOG | FileCheck %s --check-prefix=LOG
// HELD: commit-at-output {{.*}}sections commit at their ends: write() writes output while bucket.lock is held
// LOG: commit-at-output {{.*}}sections commit at their ends: write() writes output while say is held
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bucket {
  pthread_mutex_t lock;
  long left, right;
};
static struct bucket *buckets;
#ifdef LOG
static pthread_mutex_t say = PTHREAD_MUTEX_INITIALIZER;
#endif

static void make(void) {
  buckets = calloc(4, sizeof *buckets);
  for (int i = 0; i < 4; i++)
    pthread_mutex_init(&buckets[i].lock, NULL);
}
void load(FILE *in) {
  make();
  for (int i = 0; i < 4; i++)
    if (fscanf(in, "%ld", &buckets[i].left) == 1)
      buckets[i].right = buckets[i].left;
}
static void put(struct bucket *b) {
  pthread_mutex_lock(&b->lock);
  b->left++;
  b->right++;
#ifdef HELD
  if (write(1, "+", 1) != 1)
    abort();
  pthread_mutex_unlock(&b->lock);
#elif defined(LOG)
  pthread_mutex_unlock(&b->lock);
  pthread_mutex_lock(&say);
  if (write(1, "+", 1) != 1)
    abort();
  pthread_mutex_unlock(&say);
#else
  pthread_mutex_unlock(&b->lock);
  if (write(1, "+", 1) != 1)
    abort();
#endif
}
static void *work(void *bucket) {
  struct pollfd none = {-1, 0, 0};
  while (poll(&none, 1, 0) == 0)
    put(bucket);
  return NULL;
}
static int count(const char *said) {
  struct stat s;
  long all = 0;
  for (int i = 0; i < 4; i++) {
    if (buckets[i].left != buckets[i].right)
      return 2;
    all += buckets[i].left;
  }
  return stat(said, &s) != 0 || s.st_size == 0 || all < (long)s.st_size;
}
int main(int argc, char **argv) {
  FILE *in = fopen("state", "r");
  pthread_t id[4];
  if (in) {
    load(in);
    fclose(in);
  }
  if (!buckets)
    make();
  if (argc > 2 && !strcmp(argv[1], "count"))
    return count(argv[2]);
  for (int i = 0; argc > 1 && i < 4; i++)
    pthread_create(&id[i], NULL, work, &buckets[i]);
  for (;;) {
    struct pollfd none = {-1, 0, 0};
    poll(&none, 1, 1000);
  }
}
