/*===- hashmap_bench.c - a hash map under each engine ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   hashmap_bench VARIANT ITEMS POOL [BYTES]
 *
 * The HashMap of ResPCT: chains with a lock for each group of buckets, half of the
 * keys present, half of the updates inserting and half removing. 90 and 10 % of
 * the operations are updates, the others look a key up; 1 and 2 threads. In variants
 * without "-points" holding a lock is a section, as nvmove makes it: with commits
 * 64 ms apart they run beside each other, with "-output" too, where commits come before
 * outputs (here there is none, so when 1024 sections of a thread have gathered); where each
 * commits they take turns. Those with "-points" have restart points instead, and a checkpoint
 * each 64 ms.
 *
 * With BYTES, a power of two from 64 to 4096, each store announces all of the aligned
 * range of that size that it lies in: what tracking changes so coarsely would cost.
 *
 * Throughput of all threads by the clock, and by processor time.
 */
#define _GNU_SOURCE
#include "bench.h"
#include <nvmove/restart.h>
#include <pthread.h>

#define MEASURED_S 0.5
#define LOCKS 4096u

struct node {
  uint64_t key, value;
  struct node *next;
};
NVM_TYPE(node);

/* Of each engine that takes stores of all threads back. */
static struct setups setups = {{{"plain", NULL, 0, 0}}, 1};
static void add_setups(void) {
  for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
    if ((*e)->goes_back)
      add_setup(&setups, (*e)->name, "", 0);
  for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
    if ((*e)->goes_back && (*e)->durable && (*e)->epoch_ms == 0) {
      add_setup(&setups, (*e)->name, "-output", 0);
      add_setup(&setups, (*e)->name, "-epoch", 64);
    }
  for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
    if ((*e)->goes_back && (*e)->durable && (*e)->hooked)
      add_setup(&setups, (*e)->name, "-points", (*e)->epoch_ms ? 0 : 64);
}

static struct node **table;
static uint64_t mask;
static pthread_mutex_t locks[LOCKS];
static int in_pool, has_points, updates_percent;
static uint64_t tracked_bytes;
static volatile int stop;

static uint64_t bucket_of(uint64_t key) {
  return (key * 11400714819323198485u >> 20) & mask;
}

static void track(const void *p) {
  if (tracked_bytes)
    nvm_store((const void *)((uintptr_t)p & ~(tracked_bytes - 1)),
              tracked_bytes);
}

static int insert(uint64_t key, uint64_t value) {
  struct node **head = &table[bucket_of(key)];
  for (struct node *n = *head; n; n = n->next)
    if (n->key == key) {
      track(&n->value);
      NVM(n->value) = value;
      return 0;
    }
  struct node *n = in_pool ? nvm_alloc(&nvm_type_node, sizeof(*n))
                           : malloc(sizeof(*n));
  if (!n)
    fail("full");
  track(n);
  *NVM_OBJ(n) = (struct node){key, value, *head};
  track(head);
  NVM(*head) = n;
  return 1;
}

static void take_out(uint64_t key) {
  for (struct node **at = &table[bucket_of(key)]; *at; at = &(*at)->next)
    if ((*at)->key == key) {
      struct node *n = *at;
      track(at);
      NVM(*at) = n->next;
      nvm_free(n);
      return;
    }
}

static uint64_t look_up(uint64_t key) {
  for (struct node *n = table[bucket_of(key)]; n; n = n->next)
    if (n->key == key)
      return n->value;
  return 0;
}

static void operate(uint64_t *state, uint64_t keys) {
  uint64_t draw = next_random(state), key = next_random(state) % keys;
  int updates = (int)(draw % 100) < updates_percent;
  pthread_mutex_t *lock = &locks[bucket_of(key) % LOCKS];
  if (has_points)
    pthread_mutex_lock(lock);
  else
    nvm_pthread_mutex_lock(lock);
  if (!updates)
    *state += look_up(key) & 1;
  else if (draw & 1u << 20)
    insert(key, draw);
  else
    take_out(key);
  if (has_points)
    pthread_mutex_unlock(lock);
  else
    nvm_pthread_mutex_unlock(lock);
}

struct worker {
  pthread_t thread;
  uint64_t seed, keys, operations;
};

static void *work(void *argument) {
  struct worker *w = argument;
  uint64_t state = w->seed, n = 0;
  if (has_points)
    nvm_thread_enter();
  for (; !stop; n++) {
    operate(&state, w->keys);
    if (has_points)
      nvm_restart_point();
  }
  if (has_points)
    nvm_thread_leave();
  w->operations = n;
  return NULL;
}

static void measure(int threads, int percent, uint64_t keys) {
  struct worker workers[2];
  updates_percent = percent;
  stop = 0;
  double start = now_s(), cpu = cpu_s();
  for (int t = 0; t < threads; t++) {
    workers[t] = (struct worker){.seed = (uint64_t)(t + 1) * 7919, .keys = keys};
    pthread_create(&workers[t].thread, NULL, work, &workers[t]);
  }
  usleep((useconds_t)(MEASURED_S * 1e6));
  stop = 1;
  double operations = 0;
  for (int t = 0; t < threads; t++) {
    pthread_join(workers[t].thread, NULL);
    operations += (double)workers[t].operations;
  }
  double taken = now_s() - start, used = cpu_s() - cpu;
  printf("%d %% updates; %d threads,%.0f,operations/s\n", percent, threads,
         operations / taken);
  printf("%d %% updates; %d threads; processor time,%.1f,ns/operation\n",
         percent, threads, used * 1e9 / operations);
  fflush(stdout); /* what it holds would be an output that may leave at any time */
}

int main(int argc, char **argv) {
  add_setups();
  if (asks_for_variants(argc, argv))
    print_variants(setups.of, setups.count);
  if (argc != 4 && argc != 5) {
    fprintf(stderr, "usage: hashmap_bench VARIANT ITEMS POOL [BYTES]\n");
    return 2;
  }
  const struct setup *s =
      find_setup(setups.of, setups.count, argv[1]);
  uint64_t items = strtoull(argv[2], NULL, 10), state = 1;
  has_points = strstr(s->name, "-points") != NULL;
  if (strstr(s->name, "-output"))
    nvm_commit_at_output();
  in_pool = s->engine != NULL;
  for (mask = 1; mask < items; mask *= 2)
    ;
  /* Nodes and table, twice for engines with two copies, and their areas. */
  open_pool(s, argv[3], (items * 48 + mask * 8) * 3 + (256ul << 20));
  nvm_restore();
  table = in_pool ? nvm_zalloc(&nvm_type_bytes, mask * sizeof(*table))
                  : calloc(mask, sizeof(*table));
  if (!table)
    fail("full");
  mask--;
  for (unsigned i = 0; i < LOCKS; i++)
    pthread_mutex_init(&locks[i], NULL);
  for (uint64_t n = 0; n < items;)
    n += (uint64_t)insert(next_random(&state) % (2 * items), n);
  nvm_ready();
  tracked_bytes = argc == 5 ? strtoull(argv[4], NULL, 10) : 0;
  measure(1, 90, 2 * items); /* warm up */
  for (int percent = 90; percent >= 10; percent -= 80)
    for (int threads = 1; threads <= 2; threads++)
      measure(threads, percent, 2 * items);
  return 0;
}
