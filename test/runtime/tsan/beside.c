/*===- beside.c - threads beside each other under ThreadSanitizer -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   threads ENGINE POOL sections|outputs|points
 *
 * Threads whose sections hold locks, one in another, or that meet at restart
 * points, with a commit every millisecond, or before outputs. One thread has
 * handlers, which answer in their middle, another one neither: it allocates,
 * frees and stores to blocks of its own.
 */
#include "nvmove/nvm.h"
#include "nvmove/restart.h"
#include "threads.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 3, ROUNDS = 1500 };

/* All write to these lines. */
struct tally {
  long left[WORKERS + 1], right[WORKERS + 1];
  long *block[WORKERS];
  long last, sum[WORKERS];
};
struct word {
  long value;
  NVM_LINE_LOG_32(8);
};
NVM_TYPE(tally);
NVM_TYPE(word);
NVM_LAYOUT(word, struct word, NVM_FIELD(struct word, value),
           NVM_LINE_LOG(struct word));
static struct tally *tally;
static struct word *words[WORKERS];
static struct nvm_cell *cells[WORKERS];
static pthread_mutex_t own[WORKERS], common = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int has_points, has_outputs;
static int answered, ended; /* atomic */

static void take(pthread_mutex_t *m) {
  if (has_points)
    pthread_mutex_lock(m);
  else
    nvm_pthread_mutex_lock(m);
}
static void give(pthread_mutex_t *m) {
  if (has_points)
    pthread_mutex_unlock(m);
  else
    nvm_pthread_mutex_unlock(m);
}

static void update(int self, int round) {
  NVM(tally->left[self])++;
  long *fresh = nvm_alloc(&nvm_type_bytes, 16 + (size_t)round % 40 * 8);
  require(fresh != NULL, "no memory");
  NVM(fresh[0]) = round;
  nvm_free(tally->block[self]);
  NVM(tally->block[self]) = fresh;
  NVM(words[self]->value)++;
  nvm_cell_set(cells[self], round);
  NVM(tally->right[self])++;
}

static void draw_ticket(int self) {
  take(&common);
  NVM(tally->last)++;
  NVM(tally->sum[self]) += tally->last;
  if (!has_points && tally->last % 64 == 0) {
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    nvm_pthread_cond_timedwait(&changed, &common, &soon);
  }
  give(&common);
}

static void *work(void *number) {
  int self = (int)(intptr_t)number;
  if (has_points)
    nvm_thread_enter();
  for (int i = 0; i < ROUNDS; i++) {
    take(&own[self]);
    update(self, i);
    if (i % 2)
      draw_ticket(self);
    give(&own[self]);
    if (has_points)
      nvm_restart_point();
    else if (has_outputs && i % 20 == 0)
      nvm_output();
    else if (i % 100 == 0)
      nvm_checkpoint();
  }
  if (has_points)
    nvm_thread_leave();
  return NULL;
}

static void *handle(void *unused) {
  while (!__atomic_load_n(&ended, __ATOMIC_RELAXED)) {
    nvm_begin();
    NVM(tally->left[WORKERS])++;
    nvm_output();
    NVM(tally->right[WORKERS])++;
    nvm_end();
    __atomic_store_n(&answered, 1, __ATOMIC_RELAXED);
    usleep(200);
  }
  return unused;
}

static void *stay_outside(void *unused) {
  for (size_t i = 1; !__atomic_load_n(&ended, __ATOMIC_RELAXED); i++) {
    long *block = nvm_alloc(&nvm_type_bytes, i % 60 * 200 + 16);
    require(block != NULL, "no memory");
    nvm_free(block);
    usleep(50);
  }
  return unused;
}

int beside(const char *engine, const char *pool, const char *form) {
  pthread_t thread[WORKERS], handler, outside;
  struct nvm_options options = {.size_bytes = 64ul << 20,
                                .max_size_bytes = 256ul << 20,
                                .engine = engine,
                                .epoch_ms = 1};
  has_points = strcmp(form, "points") == 0;
  has_outputs = strcmp(form, "outputs") == 0;
  if (has_outputs) {
    options.epoch_ms = -1;
    nvm_commit_at_output();
  }
  unlink(pool);
  NVM_ROOT(tally);
  require(nvm_open(pool, &options) == 0, "nvm_open");
  nvm_restore();
  tally = nvm_zalloc(&nvm_type_tally, sizeof(*tally));
  for (int i = 0; i < WORKERS; i++) {
    pthread_mutex_init(&own[i], NULL);
    words[i] = nvm_zalloc(&nvm_type_word, sizeof(*words[i]));
    cells[i] = nvm_cell_new(0);
  }
  require(tally && words[WORKERS - 1] && cells[WORKERS - 1], "no memory");
  nvm_ready();
  pthread_create(&handler, NULL, handle, NULL);
  /* Handlers run alone until a lock makes a section; then nothing but the
     runtime may order what they did before what the workers do. */
  while (!__atomic_load_n(&answered, __ATOMIC_RELAXED))
    usleep(100);
  pthread_create(&outside, NULL, stay_outside, NULL);
  for (intptr_t i = 0; i < WORKERS; i++)
    pthread_create(&thread[i], NULL, work, (void *)i);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(thread[i], NULL);
  __atomic_store_n(&ended, 1, __ATOMIC_RELAXED);
  pthread_join(handler, NULL);
  pthread_join(outside, NULL);
  long all = 0;
  for (int i = 0; i < WORKERS; i++) {
    require(tally->left[i] == ROUNDS && tally->right[i] == ROUNDS &&
                words[i]->value == ROUNDS && cells[i]->value == ROUNDS - 1,
            "a round is lost");
    all += tally->sum[i];
  }
  require(tally->left[WORKERS] == tally->right[WORKERS], "a half is lost");
  require(all == tally->last * (tally->last + 1) / 2, "a ticket is lost");
  nvm_close();
  unlink(pool);
  return 0;
}
