/*===- engine_bench.c - what a store costs under each engine ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   engine_bench [MEDIA] [DIRECTORY] [ROUNDS] [VARIANT]       default: dram
 * /dev/shm 7
 *
 * MEDIA is that of NVM_MEDIA: dram flushes and fences as on a DAX medium, none
 * does neither, as on a page cache that has to outlive the process only. With
 * delays, what flushes without the runtime is left out.
 *
 * A section is 24 stores of 8 bytes, three on each of 8 lines: drawn from 1 MiB
 * (`lines`), or those of one object of 512 bytes (`object`). `hoisted`
 * announces the object once, as the rewriter does where it can; all others each
 * store. `plain` has no hook; `hand-undo` is an undo log as one writes it by
 * hand for this one loop; `pmemobj` calls libpmemobj's transactions itself.
 *
 * Prints CSV: pattern,variant,median ns per store,ratio to plain,rounds. Rounds
 * of the variants alternate, so that a slow moment of the machine hits all of
 * them; each is a process of its own. Processor time of the process, so that
 * what a second thread does counts.
 */
#define _GNU_SOURCE
#include "engines/engines.h"
#include <libpmemobj.h>
#include <nvmove/nvm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_ROUNDS 99
#define STORES 24
#define LINES 8
#define WORDS (1u << 17) /* 1 MiB */
#define WORDS_PER_LINE 8
#define BATCH_SECTIONS 5000
#define MEASURED_NS 4e8 /* several epochs */

NVM_TYPE(word);

static char pool[4096];
static double *result; /* shared with the children */

enum pattern { LINES_PATTERN, OBJECT_PATTERN };
enum kind { PLAIN, OFF, HAND_UNDO, PMEMOBJ, ENGINE, HOISTED };
struct variant {
  const char *name;
  enum kind kind;
  const char *engine;
  int epoch_ms; /* 0: the engine's own; -1: each section commits */
};
static struct variant variants[64] = {{"plain", PLAIN, NULL, 0},
                                      {"off", OFF, NULL, 0}};
static size_t variant_count = 2;

static void add(const char *engine, const char *suffix, enum kind kind,
                int epoch_ms) {
  char name[64];
  snprintf(name, sizeof(name), "%s%s", engine ? engine : "", suffix);
  int is_thread = strcmp(suffix, "+thread") == 0;
  char *kept = strdup(name);
  if (variant_count < sizeof(variants) / sizeof(variants[0]))
    variants[variant_count++] =
        (struct variant){kept, kind, is_thread ? kept : engine, epoch_ms};
}

/* Each engine, with a second thread, with commits at each section's end, and
 * the one that new pools have with hooks that the programmer has moved. */
static void add_variants(void) {
  for (const struct nvm_engine *const *e = nvmi_engines; *e; e++) {
    add((*e)->name, "", ENGINE, 0);
    if ((*e)->second_thread)
      add((*e)->name, "+thread", ENGINE, 0);
    if ((*e)->epoch_ms > 0)
      add((*e)->name, "-each", ENGINE, -1);
    if (*e == nvmi_default_engine(false))
      add((*e)->name, "-hoisted", HOISTED, 0);
  }
  add(NULL, "hand-undo", HAND_UNDO, 0);
  add(NULL, "pmemobj", PMEMOBJ, 0);
}

static const struct nvm_engine *engine_of(const struct variant *v) {
  char name[64];
  if (!v->engine)
    return NULL;
  snprintf(name, sizeof(name), "%.*s", (int)strcspn(v->engine, "+"), v->engine);
  return nvmi_engine_by_name(name);
}

/* NAME, or NAME,epochs where a section's end is not a commit. */
static int print_variants(void) {
  for (size_t v = 0; v < variant_count; v++) {
    const struct nvm_engine *engine = engine_of(&variants[v]);
    int has_epochs = engine && engine->epoch_ms && !variants[v].epoch_ms;
    printf("%s%s\n", variants[v].name, has_epochs ? ",epochs" : "");
  }
  return 0;
}

static void fail(const char *what) {
  fprintf(stderr, "engine_bench: %s: %s\n", what, nvm_errormsg());
  _exit(1);
}

static double cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static unsigned next_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* The first word of each line of the next section. */
static void draw(enum pattern pattern, unsigned *state, unsigned *line) {
  unsigned object = next_random(state) % (WORDS / 64) * 64;
  for (unsigned i = 0; i < LINES; i++)
    line[i] =
        pattern == OBJECT_PATTERN
            ? object + i * WORDS_PER_LINE
            : next_random(state) % (WORDS / WORDS_PER_LINE) * WORDS_PER_LINE;
}

#define EACH_STORE(words, line, i)                                             \
  (*(volatile unsigned long *)&(                                               \
      words)[(line)[(i) % LINES] + (unsigned)(i) / LINES])

static void run_plain(unsigned long *words, enum pattern pattern, int n) {
  unsigned state = 1, line[LINES];
  for (int s = 0; s < n; s++) {
    draw(pattern, &state, line);
    for (int i = 0; i < STORES; i++)
      EACH_STORE(words, line, i) = (unsigned long)s;
  }
}

static void run_engine(unsigned long *words, enum pattern pattern, int n) {
  unsigned state = 1, line[LINES];
  for (int s = 0; s < n; s++) {
    draw(pattern, &state, line);
    nvm_begin();
    for (int i = 0; i < STORES; i++)
      NVM(EACH_STORE(words, line, i)) = (unsigned long)s;
    nvm_end();
  }
}

static void run_hoisted(unsigned long *words, enum pattern pattern, int n) {
  unsigned state = 1, line[LINES];
  for (int s = 0; s < n; s++) {
    draw(pattern, &state, line);
    nvm_begin();
    nvm_store(words + line[0], 512);
    for (int i = 0; i < STORES; i++)
      EACH_STORE(words, line, i) = (unsigned long)s;
    nvm_end();
  }
}

/*===-- by hand -----------------------------------------------------------===*/

static int flushes;
static void flush(const void *p) {
#if defined(__x86_64__)
  if (flushes)
    __asm__ volatile("clwb %0" : "+m"(*(volatile char *)(uintptr_t)p));
#else
  (void)p;
#endif
}
static void fence(void) {
#if defined(__x86_64__)
  if (flushes)
    __asm__ volatile("sfence" ::: "memory");
#endif
}

/* Each line is saved at its first touch; the programmer knows the eight lines.
 */
static void run_hand_undo(unsigned long *words, enum pattern pattern, int n) {
  static struct entry {
    uint64_t epoch, line;
    unsigned char image[64];
    unsigned char fill[48];
  } log[LINES] __attribute__((aligned(64)));
  static uint64_t epoch __attribute__((aligned(64)));
  unsigned state = 1, line[LINES];
  for (int s = 0; s < n; s++) {
    draw(pattern, &state, line);
    for (int i = 0; i < STORES; i++) {
      if (i < LINES) {
        memcpy(log[i].image, &words[line[i]], 64);
        log[i].line = line[i];
        log[i].epoch = epoch + 1;
        flush(&log[i]);
        flush((char *)&log[i] + 64);
        fence();
      }
      EACH_STORE(words, line, i) = (unsigned long)s;
    }
    for (int i = 0; i < LINES; i++)
      flush(&words[line[i]]);
    fence();
    epoch++;
    flush(&epoch);
    fence();
  }
}

static PMEMobjpool *pop;
static void run_pmemobj(unsigned long *words, enum pattern pattern, int n) {
  unsigned state = 1, line[LINES];
  for (int s = 0; s < n; s++) {
    draw(pattern, &state, line);
    if (pmemobj_tx_begin(pop, NULL, TX_PARAM_NONE) != 0)
      fail(pmemobj_errormsg());
    for (int i = 0; i < STORES; i++) {
      if (i < LINES)
        pmemobj_tx_add_range_direct(&words[line[i]], 64);
      EACH_STORE(words, line, i) = (unsigned long)s;
    }
    pmemobj_tx_commit();
    pmemobj_tx_end();
  }
}

static unsigned long *pmemobj_words(void) {
  PMEMoid oid;
  unlink(pool);
  setenv("PMEM_IS_PMEM_FORCE", "1", 1);
  pop = pmemobj_create(pool, "bench", 64ul << 20, 0600);
  if (!pop ||
      pmemobj_zalloc(pop, &oid, WORDS * sizeof(unsigned long) + 64, 1) != 0)
    fail(pmemobj_errormsg());
  uintptr_t p = (uintptr_t)pmemobj_direct(oid);
  return (unsigned long *)((p + 63) / 64 * 64);
}

/*===-- rounds ------------------------------------------------------------===*/

static unsigned long *prepare(const struct variant *v) {
  unsigned long *words;
  if (v->kind == PMEMOBJ)
    return pmemobj_words();
  if (v->kind != ENGINE && v->kind != HOISTED) {
    words = mmap(NULL, WORDS * sizeof(*words), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return words == MAP_FAILED ? NULL : words;
  }
  struct nvm_options options = {
      .size_bytes = 128ul << 20, .engine = v->engine, .epoch_ms = v->epoch_ms};
  unlink(pool);
  if (nvm_open(pool, &options) != 0)
    fail("nvm_open");
  words = nvm_zalloc(&nvm_type_word, WORDS * sizeof(*words));
  nvm_ready();
  return words;
}

static double measure(const struct variant *v, enum pattern pattern) {
  unsigned long *words = prepare(v);
  if (!words)
    fail("no memory");
  void (*run)(unsigned long *, enum pattern, int) =
      v->kind == PLAIN       ? run_plain
      : v->kind == HAND_UNDO ? run_hand_undo
      : v->kind == PMEMOBJ   ? run_pmemobj
      : v->kind == HOISTED   ? run_hoisted
                             : run_engine;
  nvm_begin();
  memset(nvm_store(words, WORDS * sizeof(*words)), 1, WORDS * sizeof(*words));
  nvm_end();
  run(words, pattern, BATCH_SECTIONS);
  long sections = 0;
  double start = cpu_ns(), ns = 0;
  for (; ns < MEASURED_NS; sections += BATCH_SECTIONS) {
    run(words, pattern, BATCH_SECTIONS);
    nvm_output();
    ns = cpu_ns() - start;
  }
  return ns / (double)sections / STORES;
}

static double in_process(const struct variant *v, enum pattern pattern) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    *result = measure(v, pattern);
    _exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) < 0 || status != 0) {
    fprintf(stderr, "engine_bench: a round of %s failed\n", v->name);
    exit(1);
  }
  return *result;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static const char *only; /* this variant, besides plain */
static int is_delayed;   /* the medium is emulated: only the runtime's writes are */
static int is_wanted(size_t v, enum pattern pattern) {
  const struct variant *w = &variants[v];
  if (is_delayed && (w->kind == HAND_UNDO || w->kind == PMEMOBJ ||
                     (w->engine && engine_of(w)->opens_first)))
    return 0;
  return (variants[v].kind != HOISTED || pattern == OBJECT_PATTERN) &&
         (!only || v == 0 || strcmp(only, variants[v].name) == 0);
}

static void bench(enum pattern pattern, int rounds) {
  static double values[sizeof(variants) / sizeof(variants[0])][MOST_ROUNDS];
  static const char *const names[] = {"lines", "object"};
  for (int round = 0; round < rounds; round++)
    for (size_t v = 0; v < variant_count; v++)
      if (is_wanted(v, pattern))
        values[v][round] = in_process(&variants[v], pattern);
  for (size_t v = 0; v < variant_count; v++) {
    if (!is_wanted(v, pattern))
      continue;
    qsort(values[v], (size_t)rounds, sizeof(double), by_value);
    printf("%s,%s,%.2f,%.2f,%d\n", names[pattern], variants[v].name,
           values[v][rounds / 2], values[v][rounds / 2] / values[0][rounds / 2],
           rounds);
  }
}

int main(int argc, char **argv) {
  add_variants();
  if (argc == 2 && strcmp(argv[1], "--variants") == 0)
    return print_variants();
  const char *media = argc > 1 ? argv[1] : "dram";
  int rounds = argc > 3 ? atoi(argv[3]) : 7;
  only = argc > 4 ? argv[4] : NULL;
  if (argc > 5 || rounds < 1 || rounds > MOST_ROUNDS) {
    fprintf(stderr,
            "usage: engine_bench [MEDIA] [DIRECTORY] [ROUNDS] [VARIANT]\n");
    return 2;
  }
  setenv("NVM_MEDIA", media, 1);
  flushes = strcmp(media, "none") != 0;
  is_delayed = flushes && strcmp(media, "dram") != 0;
  if (!flushes)
    setenv("PMEM_NO_FLUSH", "1", 1); /* of libpmem */
  snprintf(pool, sizeof(pool), "%s/nvmove-bench-%d",
           argc > 2 ? argv[2] : "/dev/shm", (int)getpid());
  result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  puts("pattern,variant,ns_per_store,ratio_to_plain,rounds");
  bench(LINES_PATTERN, rounds);
  bench(OBJECT_PATTERN, rounds);
  unlink(pool);
  return 0;
}
