/*===- alloc_bench.c - what an allocation costs ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   alloc_bench ALLOCATOR POOL      malloc, jemalloc, libpmemobj, or an engine
 *
 * Frees and allocates 16 to 512 bytes at random among 20 000 live blocks, so many
 * pairs to a commit; ns per operation. One thread is timed by its processor time,
 * which a busy machine disturbs less; two by the clock. "outside": the pairs stand
 * before the section that commits them. jemalloc is libjemalloc.so.2, by dlopen():
 * linked it would take malloc's place. libpmemobj's allocations are durable one by
 * one, by clwb and fences alone.
 */
#define _GNU_SOURCE
#include "bench.h"
#include <dlfcn.h>
#include <libpmemobj.h>
#include <pthread.h>

#define POOL_BYTES (256ul << 20)
enum { LIVE = 20000, PAIRS = 640000, MOST_THREADS = 2 };

static const struct way {
  const char *name;
  int threads, in_section, batch;
} ways[] = {{"16 pairs", 1, 1, 16},
            {"256 pairs", 1, 1, 256},
            {"4096 pairs", 1, 1, 4096},
            {"16 pairs outside", 1, 0, 16},
            {"16 pairs; 2 threads", 2, 0, 16}};

static struct setups setups = {{{"malloc", NULL, 0, 0},
                                {"jemalloc", NULL, 0, 0},
                                {"libpmemobj", NULL, 0, 0}},
                               3};

static void *(*allocate)(size_t size_bytes) = malloc;
static void (*release)(void *block) = free;
static PMEMobjpool *pmemobj;
static const struct way *way;

static void *heap_allocate(size_t size_bytes) {
  return nvm_alloc(&nvm_type_bytes, size_bytes);
}

static void *pmemobj_allocate(size_t size_bytes) {
  PMEMoid oid = OID_NULL;
  if (pmemobj_alloc(pmemobj, &oid, size_bytes, 1, NULL, NULL) != 0)
    fail("pmemobj_alloc");
  return pmemobj_direct(oid);
}

static void pmemobj_release(void *block) {
  PMEMoid oid = pmemobj_oid(block);
  if (block)
    pmemobj_free(&oid);
}

static void use_pmemobj(const char *path) {
  setenv("PMEM_IS_PMEM_FORCE", "1", 1);
  pmemobj = pmemobj_create(path, "bench", POOL_BYTES, 0600);
  if (!pmemobj)
    fail("pmemobj_create");
  allocate = pmemobj_allocate;
  release = pmemobj_release;
}

/* The library's thread-local variables need room that is set apart at start-up. */
static void use_jemalloc(char **argv) {
  if (!getenv("GLIBC_TUNABLES")) {
    setenv("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=16384", 1);
    execv("/proc/self/exe", argv);
  }
  void *library = dlopen("libjemalloc.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library) {
    *(void **)&allocate = dlsym(library, "malloc");
    *(void **)&release = dlsym(library, "free");
  }
  if (!library || !allocate || !release) {
    fprintf(stderr, "bench: no libjemalloc.so.2\n");
    exit(1);
  }
}

struct worker {
  pthread_t thread;
  uint64_t seed;
  double ns;
};

static double thread_ns(void) {
  struct timespec t;
  clock_gettime(way->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC,
                &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *work(void *argument) {
  struct worker *w = argument;
  void **live = calloc(LIVE, sizeof(*live));
  int sections = PAIRS / way->batch;
  for (int s = -sections / 4; s < sections; s++) {
    if (s == 0)
      w->ns = thread_ns();
    if (way->in_section)
      nvm_begin();
    for (int i = 0; i < way->batch; i++) {
      size_t at = next_random(&w->seed) % LIVE,
             size_bytes = 16 + next_random(&w->seed) % 497;
      release(live[at]);
      live[at] = allocate(size_bytes);
    }
    if (!way->in_section)
      nvm_begin();
    nvm_end();
  }
  w->ns = thread_ns() - w->ns;
  for (int i = 0; i < LIVE; i++)
    release(live[i]);
  free(live);
  return NULL;
}

/* One thread runs alone in the process: then the heap, like malloc(), locks nothing. */
static void measure(void) {
  struct worker workers[MOST_THREADS];
  double sum = 0;
  for (int t = 0; t < way->threads; t++)
    workers[t] = (struct worker){.seed = (uint64_t)(t + 1) * 7919};
  for (int t = 1; t < way->threads; t++)
    pthread_create(&workers[t].thread, NULL, work, &workers[t]);
  work(&workers[0]);
  for (int t = 0; t < way->threads; t++) {
    if (t > 0)
      pthread_join(workers[t].thread, NULL);
    sum += workers[t].ns;
  }
  printf("%s,%.2f,ns/operation\n", way->name,
         sum / way->threads / (2.0 * PAIRS * way->threads));
}

int main(int argc, char **argv) {
  for (size_t i = 0; nvmi_engines[i]; i++)
    add_setup(&setups, nvmi_engines[i]->name, "", 0);
  if (asks_for_variants(argc, argv))
    print_variants(setups.of, setups.count);
  if (argc != 3) {
    fprintf(stderr, "usage: alloc_bench ALLOCATOR POOL\n");
    return 2;
  }
  const struct setup *s =
      find_setup(setups.of, setups.count, argv[1]);
  if (strcmp(s->name, "jemalloc") == 0)
    use_jemalloc(argv);
  else if (strcmp(s->name, "libpmemobj") == 0)
    use_pmemobj(argv[2]);
  else if (s->engine) {
    open_pool(s, argv[2], POOL_BYTES);
    nvm_ready();
    allocate = heap_allocate;
    release = nvm_free;
  }
  for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
    way = &ways[i];
    measure();
  }
  return 0;
}
