/*===- runtime_bench.c - what a store, an allocation and a restart cost -----===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   runtime_bench [stores|alloc|restart] [DIRECTORY]     default: all, /dev/shm
 *
 * Prints CSV: measure,variant,parameter,median,unit,rounds. Rounds of the
 * variants alternate, so that a slow moment of the machine hits all of them.
 * Each round is a process of its own.
 *
 * Stores and allocations are timed by the processor time of the thread, which a
 * busy machine disturbs less; a restart by the clock.
 *
 * stores   one section: 24 stores of 8 bytes, three on each of 8 lines drawn
 *          from 1 MiB; ns per store. `plain` has no hook, `off` the hooks of a
 *          program without a pool.
 * alloc    malloc and free of 16 to 512 bytes, a commit after 16 of each, or as
 *          many as it says; ns per operation of all threads. "in sections":
 *          inside of the section that commits them. Several threads are timed
 *          by the clock. jemalloc if libjemalloc.so.2 is there; libpmemobj's are
 *          durable one by one.
 * restart  from nvm_open() to the first read of an object after kill -9, by bytes
 *          in the heap; ms.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libpmemobj.h>
#include <nvmove/nvm.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 9
#define STORES 24
#define LINES 8
#define WORDS (1u << 17) /* 1 MiB */

NVM_TYPE(word);

static const char *directory = "/dev/shm";
static char pool[4096];
static double *results; /* shared with the children */

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fail(const char *what) {
  fprintf(stderr, "runtime_bench: %s: %s\n", what, nvm_errormsg());
  _exit(1);
}

static void open_pool(const char *engine, int power, unsigned long size_bytes) {
  struct nvm_options options = {
      .size_bytes = size_bytes, .engine = engine, .power = power};
  if (nvm_open(pool, &options) != 0)
    fail("nvm_open");
}

/* Runs `body` in a process of its own; its result is `*results`. */
static double in_process(double (*body)(int), int argument) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    *results = body(argument);
    _exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) < 0 || status != 0) {
    fprintf(stderr, "runtime_bench: a round failed\n");
    exit(1);
  }
  return *results;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *measure, const char *variant,
                   const char *parameter, double *values, const char *unit) {
  qsort(values, ROUNDS, sizeof(*values), by_value);
  printf("%s,%s,%s,%.2f,%s,%d\n", measure, variant, parameter,
         values[ROUNDS / 2], unit, ROUNDS);
  fflush(stdout);
}

/*===-- stores ----------------------------------------------------------===*/

enum { PLAIN, OFF, NONE, REDO, REDO_POWER, VARIANTS };
static const char *const variant_name[] = {"plain", "off", "none", "redo",
                                           "redo-power"};

static unsigned next_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static double time_plain(unsigned long *words, int sections) {
  unsigned state = 1;
  double start = cpu_ns();
  for (int s = 0; s < sections; s++) {
    unsigned line[LINES];
    for (int i = 0; i < LINES; i++)
      line[i] = next_random(&state) % (WORDS / 8) * 8;
    for (int i = 0; i < STORES; i++)
      *(volatile unsigned long *)&words[line[i % LINES] + (unsigned)i / LINES] =
          (unsigned long)s;
  }
  return (cpu_ns() - start) / sections / STORES;
}

static double time_hooked(unsigned long *words, int sections) {
  unsigned state = 1;
  double start = cpu_ns();
  for (int s = 0; s < sections; s++) {
    unsigned line[LINES];
    for (int i = 0; i < LINES; i++)
      line[i] = next_random(&state) % (WORDS / 8) * 8;
    nvm_begin();
    for (int i = 0; i < STORES; i++)
      NVM(*(volatile unsigned long
                *)&words[line[i % LINES] + (unsigned)i / LINES]) =
          (unsigned long)s;
    nvm_end();
  }
  return (cpu_ns() - start) / sections / STORES;
}

static double stores_round(int variant) {
  unsigned long *words;
  if (variant == PLAIN || variant == OFF) {
    words = calloc(WORDS, sizeof(*words));
  } else {
    unlink(pool);
    open_pool(variant == NONE ? "none" : "redo", variant == REDO_POWER,
              256ul << 20);
    words = nvm_zalloc(&nvm_type_word, WORDS * sizeof(*words));
    nvm_ready();
  }
  if (!words)
    fail("no memory");
  memset(nvm_store(words, WORDS * sizeof(*words)), 1, WORDS * sizeof(*words));
  double (*run)(unsigned long *, int) =
      variant == PLAIN ? time_plain : time_hooked;
  run(words, 20000);
  return run(words, 300000);
}

static void stores(void) {
  static double values[VARIANTS][ROUNDS];
  for (int round = 0; round < ROUNDS; round++)
    for (int v = 0; v < VARIANTS; v++)
      values[v][round] = in_process(stores_round, v);
  for (int v = 0; v < VARIANTS; v++)
    report("stores", variant_name[v], "24 on 8 lines", values[v], "ns/store");
}

/*===-- alloc -----------------------------------------------------------===*/

enum { LIVE = 20000, PAIRS = 640000, MOST_THREADS = 2 };
enum { MALLOC, JEMALLOC, PMEMOBJ, HEAP_NONE, HEAP_REDO, HEAP_UNDO, ALLOCATORS };
static const char *const allocator_name[] = {"malloc", "jemalloc", "libpmemobj",
                                             "none",   "redo",     "undo"};
static void *(*allocate)(size_t size_bytes);
static void (*release)(void *p);
static PMEMobjpool *pmemobj;
static int alloc_threads, in_section, batch;

static void *heap_allocate(size_t size_bytes) {
  return nvm_alloc(&nvm_type_bytes, size_bytes);
}

static void *pmemobj_allocate(size_t size_bytes) {
  PMEMoid oid = OID_NULL;
  if (pmemobj_alloc(pmemobj, &oid, size_bytes, 1, NULL, NULL) != 0)
    fail("pmemobj_alloc");
  return pmemobj_direct(oid);
}

static void pmemobj_release(void *p) {
  PMEMoid oid = pmemobj_oid(p);
  if (p)
    pmemobj_free(&oid);
}

/* Not linked: it would take malloc's place. False: it is not installed. */
static int use_jemalloc(void) {
  void *library = dlopen("libjemalloc.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return 0;
  *(void **)&allocate = dlsym(library, "malloc");
  *(void **)&release = dlsym(library, "free");
  return allocate && release;
}

static int use(int allocator) {
  unlink(pool);
  allocate = allocator == MALLOC ? malloc : heap_allocate;
  release = allocator == MALLOC ? free : nvm_free;
  if (allocator == JEMALLOC)
    return use_jemalloc();
  if (allocator == PMEMOBJ) {
    setenv("PMEM_IS_PMEM_FORCE", "1", 1);
    allocate = pmemobj_allocate;
    release = pmemobj_release;
    pmemobj = pmemobj_create(pool, "bench", 256ul << 20, 0600);
    return pmemobj != NULL;
  }
  if (allocator >= HEAP_NONE) {
    open_pool(allocator_name[allocator], 0, 256ul << 20);
    nvm_ready();
  }
  return 1;
}

static void *alloc_thread(void *seed) {
  void **live = calloc(LIVE, sizeof(*live));
  unsigned state = (unsigned)(uintptr_t)seed;
  double *result = malloc(sizeof(*result)), start = 0;
  int sections = PAIRS / batch;
  for (int s = -sections / 4; s < sections; s++) {
    if (s == 0)
      start = alloc_threads == 1 ? cpu_ns() : now_ns();
    if (in_section)
      nvm_begin();
    for (int i = 0; i < batch; i++) {
      unsigned at = next_random(&state) % LIVE,
               size = 16 + next_random(&state) % 497;
      release(live[at]);
      live[at] = allocate(size);
    }
    if (!in_section)
      nvm_begin();
    nvm_end();
  }
  *result = (alloc_threads == 1 ? cpu_ns() : now_ns()) - start;
  return result;
}

static double alloc_round(int allocator) {
  pthread_t thread[MOST_THREADS];
  double sum = 0, *ns;
  if (!use(allocator))
    return -1;
  for (long i = 1; i < alloc_threads; i++)
    pthread_create(&thread[i], NULL, alloc_thread, (void *)(i + 1));
  ns = alloc_thread((void *)1);
  for (int i = 1; i < alloc_threads; i++) {
    sum += *ns;
    pthread_join(thread[i], (void **)&ns);
  }
  return (sum + *ns) / alloc_threads / PAIRS / 2 / alloc_threads;
}

static void alloc(void) {
  static const struct {
    const char *name;
    int threads, in_section, batch;
  } ways[] = {{"1 thread in sections", 1, 1, 16},
              {"256 of each", 1, 1, 256},
              {"4096 of each", 1, 1, 4096},
              {"1 thread", 1, 0, 16},
              {"2 threads", 2, 0, 16}};
  static double values[ALLOCATORS][ROUNDS];
  for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
    alloc_threads = ways[way].threads;
    in_section = ways[way].in_section;
    batch = ways[way].batch;
    for (int round = 0; round < ROUNDS; round++)
      for (int a = 0; a < ALLOCATORS; a++)
        values[a][round] = in_process(alloc_round, a);
    for (int a = 0; a < ALLOCATORS; a++)
      if (values[a][0] >= 0)
        report("alloc", allocator_name[a], ways[way].name, values[a], "ns/op");
  }
}

/*===-- restart ---------------------------------------------------------===*/

struct item {
  struct item *next;
  char bytes[248];
};
NVM_TYPE(item);
static struct item *items;

static double fill(int mib) {
  NVM_ROOT(items);
  open_pool("redo", 0, ((unsigned long)mib << 20) * 3 / 2 + (64ul << 20));
  for (long i = 0; i < (long)mib * 4096; i++) {
    struct item *item = nvm_alloc(&nvm_type_item, sizeof(*item));
    if (!item)
      fail("full");
    nvm_store(item, sizeof(*item));
    memset(item, (int)i, sizeof(*item));
    item->next = items;
    items = item;
  }
  nvm_ready();
  struct item *item = items;
  for (int i = 0; i < 2000;
       i++, item = item->next) { /* a log to be brought home */
    nvm_begin();
    NVM(item->bytes[0])++;
    nvm_end();
  }
  return 0;
}

static double restart_round(int unused) {
  (void)unused;
  NVM_ROOT(items);
  double start = now_ns();
  open_pool("redo", 0, 0);
  nvm_restore();
  nvm_ready();
  volatile char first = items->next->bytes[0];
  (void)first;
  return (now_ns() - start) / 1e6;
}

static void restart(void) {
  for (int mib = 16; mib <= 1024; mib *= 4) {
    double values[ROUNDS];
    char parameter[32];
    unlink(pool);
    in_process(fill, mib);
    for (int round = 0; round < ROUNDS; round++)
      values[round] = in_process(restart_round, 0);
    snprintf(parameter, sizeof(parameter), "%d MiB", mib);
    report("restart", "redo", parameter, values, "ms");
  }
}

/* Room for the thread-local variables of a library that is loaded late. */
static void make_room_for_jemalloc(char **argv) {
  if (!getenv("GLIBC_TUNABLES")) {
    setenv("GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=16384", 1);
    execv("/proc/self/exe", argv);
  }
}

int main(int argc, char **argv) {
  make_room_for_jemalloc(argv);
  const char *which = argc > 1 ? argv[1] : "all";
  if (argc > 2)
    directory = argv[2];
  snprintf(pool, sizeof(pool), "%s/nvmove-bench-%d", directory, (int)getpid());
  results = mmap(NULL, sizeof(*results), PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int all = strcmp(which, "all") == 0;
  if (!all && strcmp(which, "stores") && strcmp(which, "alloc") &&
      strcmp(which, "restart")) {
    fprintf(stderr,
            "usage: runtime_bench [stores|alloc|restart] [DIRECTORY]\n");
    return 2;
  }
  puts("measure,variant,parameter,median,unit,rounds");
  if (all || strcmp(which, "stores") == 0)
    stores();
  if (all || strcmp(which, "alloc") == 0)
    alloc();
  if (all || strcmp(which, "restart") == 0)
    restart();
  unlink(pool);
  return 0;
}
