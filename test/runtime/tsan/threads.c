/*===- threads.c - the heap under ThreadSanitizer ---------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   threads ENGINE POOL [sections|outputs|points] | --engines
 *
 * The last: see beside.c. Else
 *
 * Threads allocate, free and hand blocks to each other outside of sections, and
 * change what is shared inside of them, while sections of all commit. One more
 * reads the counters. Under the engines that write in place the first thread
 * changes a set of objects with versions meanwhile, which another thread makes
 * durable.
 */
#include "threads.h"
#include "base/pool.h"
#include "engines/engines.h"
#include "nvmove/nvm.h"
#include "nvmove/region.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4, EXCHANGE = 64, STEPS = 3000 };

struct link {
  struct link *next;
  long number;
};
struct counter {
  long steps;
  NVM_LINE_LOG_32(8);
};
NVM_TYPE(link);
NVM_TYPE(counter);
static struct link *head;
static struct counter *counter;
static void *exchange[EXCHANGE]; /* atomic */

NVM_LAYOUT(counter, struct counter, NVM_FIELD(struct counter, steps),
           NVM_LINE_LOG(struct counter));

void require(int condition, const char *what) {
  if (!condition) {
    fprintf(stderr, "threads: %s: %s\n", what, nvm_errormsg());
    exit(1);
  }
}

static unsigned draw(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static void change_what_is_shared(int step) {
  nvm_begin();
  struct link *l = nvm_alloc(&nvm_type_link, sizeof(*l));
  require(l != NULL, "no memory");
  NVM_OBJ(l)->number = head ? head->number + 1 : 1;
  l->next = head;
  head = l;
  NVM(counter->steps)++;
  if (step % 9 == 0) {
    head = l->next;
    nvm_free(l);
  }
  nvm_end();
}

static void *live(void *seed) {
  unsigned state = (unsigned)(uintptr_t)seed;
  for (int i = 0; i < STEPS; i++) {
    size_t size = 16 + draw(&state) % (i % 50 ? 700u : 100000u);
    void *p = nvm_alloc(&nvm_type_bytes, size);
    require(p && nvm_usable_size(p) >= size, "no memory");
    nvm_free(__atomic_exchange_n(&exchange[draw(&state) % EXCHANGE], p,
                                 __ATOMIC_ACQ_REL));
    if (i % 3 == 0)
      change_what_is_shared(i);
  }
  return NULL;
}

/* Looks on while the others count. */
static int ended; /* atomic */
static void *watch(void *unused) {
  struct nvm_stats stats;
  unsigned long sections = 0;
  while (!__atomic_load_n(&ended, __ATOMIC_RELAXED)) {
    nvm_get_stats(&stats);
    require(stats.sections >= sections, "a counter went back");
    sections = stats.sections;
    nvm_output();
    usleep(100);
  }
  return unused;
}

static void change_versions(unsigned versions) {
  enum { OBJECTS = 64, BYTES = 200 };
  unsigned state = versions;
  struct nvm_interleaved *set = nvm_interleaved_open(
      versions == 2 ? "two" : "three", OBJECTS, BYTES, versions);
  require(set != NULL, "no set");
  for (int i = 0; i < 20 * STEPS; i++) {
    unsigned object = draw(&state) % OBJECTS;
    long number = *(const long *)nvm_interleaved_read(set, object) + 1;
    memcpy(memset(nvm_interleaved_write(set, object), (int)i, BYTES), &number,
           sizeof(number));
    nvm_interleaved_commit(set);
  }
  nvm_interleaved_wait(set);
  long all = 0;
  for (unsigned i = 0; i < OBJECTS; i++)
    all += *(const long *)nvm_interleaved_read(set, i);
  require(all == 20 * STEPS, "a version is lost");
}

/* Those whose sections run side by side. */
static int print_engines(void) {
  for (const struct nvm_engine *const *e = nvmi_engines; *e; e++)
    if ((*e)->durable && (*e)->side_by_side) {
      puts((*e)->name);
      if ((*e)->second_thread)
        printf("%s+thread\n", (*e)->name);
    }
  return 0;
}

int main(int argc, char **argv) {
  pthread_t thread[THREADS], watcher;
  if (argc == 2 && strcmp(argv[1], "--engines") == 0)
    return print_engines();
  require(argc == 3 || argc == 4,
          "usage: threads ENGINE POOL [sections|outputs|points]");
  if (argc == 4)
    return beside(argv[1], argv[2], argv[3]);
  struct nvm_options options = {.size_bytes = 64ul << 20,
                                .max_size_bytes = 256ul << 20,
                                .engine = argv[1]};
  unlink(argv[2]);
  NVM_ROOT(head);
  NVM_ROOT(counter);
  require(nvm_open(argv[2], &options) == 0, "nvm_open");
  nvm_restore();
  counter = nvm_zalloc(&nvm_type_counter, sizeof(*counter));
  require(counter != NULL, "no memory");
  nvm_ready();
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&thread[i], NULL, live, (void *)(i + 1));
  pthread_create(&watcher, NULL, watch, NULL);
  if (nvmi_pool.engine->direct) {
    change_versions(2);
    change_versions(3);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  __atomic_store_n(&ended, 1, __ATOMIC_RELAXED);
  pthread_join(watcher, NULL);
  require(counter->steps == THREADS * STEPS / 3, "a step is lost");
  long number = head->number;
  for (struct link *l = head; l; l = l->next)
    require(l->number == number--, "the list is torn");
  nvm_close();
  unlink(argv[2]);
  return 0;
}
