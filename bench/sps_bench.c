/*===- sps_bench.c - swaps of strings ---------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   sps_bench VARIANT SWAPS POOL
 *
 * The benchmark SPS of memory-style storage: 100 000 strings of 256 bytes, two of
 * which change places in each section. `log` announces a string before it changes
 * (a log, flushed and fenced); `interleaved` keeps two versions of each, the new
 * one written over the oldest: under undo, durable at each section's end; with
 * -epoch under incll, where a version's number is rolled back by its cell and the
 * epoch's end flushes. `+thread` commits in a second thread. `disk-log`
 * waits for the disk after each swap, the pool being on one.
 *
 * Throughput by the clock, until all is durable; the processor time of the process
 * and of the thread that swaps, which a busy machine disturbs less. Then lines written
 * past the cache, lines flushed, fences and so on for each swap, which NVM_STATS=1
 * counts.
 */
#define _GNU_SOURCE
#include "bench.h"
#include <nvmove/restart.h>
#include <nvmove/region.h>

#define STRINGS 100000u
#define BYTES 256u

NVM_TYPE(text);

static const struct setup setups[] = {
    {"plain", NULL, 0, 0},
    {"disk-log", "redo", 0, 1},
    {"log", "undo", 0, 0},
    {"redo", "redo", 0, 0},
    {"redo+thread", "redo+thread", 0, 0},
    {"interleaved", "undo", 0, 0},
    {"interleaved-versions", "versions", 0, 0},
    {"interleaved-epoch", "incll", 0, 0},
    {"interleaved-epoch-256", "incll", 256, 0},
    {"interleaved+thread", "redo+thread", 0, 0},
};

/* Of the thread that swaps: what a second thread does is not in it. */
static double thread_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static char *plain[STRINGS];
static struct nvm_versioned *versioned[STRINGS];

static void swap_plain(unsigned a, unsigned b) {
  char keep[BYTES];
  memcpy(keep, plain[a], BYTES);
  memcpy(NVM_BUF(plain[a], BYTES), plain[b], BYTES);
  memcpy(NVM_BUF(plain[b], BYTES), keep, BYTES);
}

static void swap_versioned(unsigned a, unsigned b) {
  const void *old_a = nvm_versioned_read(versioned[a]),
             *old_b = nvm_versioned_read(versioned[b]);
  char keep[BYTES]; /* a section's second write to an object is in place */
  memcpy(keep, old_a, BYTES);
  memcpy(nvm_versioned_write(versioned[a]), old_b, BYTES);
  memcpy(nvm_versioned_write(versioned[b]), keep, BYTES);
}

static void make(int is_versioned, int in_pool) {
  for (unsigned i = 0; i < STRINGS; i++) {
    if (!is_versioned) {
      plain[i] = in_pool ? nvm_alloc(&nvm_type_text, BYTES) : malloc(BYTES);
      if (!plain[i])
        fail("full");
      memset(NVM_BUF(plain[i], BYTES), (int)i, BYTES);
      continue;
    }
    versioned[i] = nvm_versioned_new(&nvm_type_text, BYTES, 2);
    if (!versioned[i])
      fail("full");
    memset(nvm_versioned_write(versioned[i]), (int)i, BYTES);
  }
}

static void run(void (*swap)(unsigned, unsigned), long swaps, int outputs) {
  uint64_t state = 88172645463325252u;
  for (long i = 0; i < swaps; i++) {
    unsigned a = (unsigned)(next_random(&state) % STRINGS),
             b = (unsigned)(next_random(&state) % STRINGS);
    nvm_begin();
    swap(a, b);
    nvm_end();
    if (outputs)
      nvm_output();
  }
  nvm_checkpoint(); /* an epoch may be longer than the run */
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: sps_bench VARIANT SWAPS POOL\n");
    return 2;
  }
  const struct setup *s =
      find_setup(setups, sizeof(setups) / sizeof(setups[0]), argv[1]);
  int is_versioned = strncmp(s->name, "interleaved", 11) == 0;
  long swaps = atol(argv[2]);
  struct nvm_stats before, after;
  open_pool(s, argv[3], 512ul << 20);
  nvm_restore();
  make(is_versioned, s->engine != NULL);
  nvm_ready();
  void (*swap)(unsigned, unsigned) = is_versioned ? swap_versioned : swap_plain;
  run(swap, swaps / 10 + 1, s->power);
  nvm_get_stats(&before);
  double start = now_s(), cpu = cpu_s(), thread = thread_s();
  run(swap, swaps, s->power);
  double taken = now_s() - start, used = cpu_s() - cpu,
         own = thread_s() - thread;
  nvm_get_stats(&after);
  double n = (double)swaps;
  printf("throughput,%.0f,swaps/s\n", n / taken);
  printf("processor time,%.1f,ns/swap\n", used * 1e9 / n);
  printf("of that the program's thread,%.1f,ns/swap\n", own * 1e9 / n);
  printf("stores,%.3f,stores/swap\n",
         (double)(after.stores - before.stores) / n);
  printf("lines written,%.3f,lines/swap\n",
         (double)(after.lines_written - before.lines_written) / n);
  printf("lines flushed,%.3f,lines/swap\n",
         (double)(after.lines_flushed - before.lines_flushed) / n);
  printf("fences,%.3f,fences/swap\n",
         (double)(after.fences - before.fences) / n);
  printf("lines read,%.3f,lines/swap\n",
         (double)(after.lines_read - before.lines_read) / n);
  return 0;
}
