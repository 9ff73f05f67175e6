/*===- bench.h - what the benchmark programs share ---------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A program measures one variant once and prints lines of `parameter,value,unit`;
 * bench/run.py takes turns between variants and takes medians. With the one argument
 * --variants it prints their names: those of engines are made from nvmi_engines[].
 */
#ifndef NVMOVE_BENCH_H
#define NVMOVE_BENCH_H

#include "engines/engines.h"
#include <nvmove/nvm.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline void fail(const char *what) {
  fprintf(stderr, "bench: %s: %s\n", what, nvm_errormsg());
  exit(1);
}

static inline double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline double cpu_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* xorshift64* */
static inline uint64_t next_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * 2685821657736338717u >> 16;
}

struct setup {
  const char *name;   /* of the variant */
  const char *engine; /* NULL: no pool */
  int epoch_ms;       /* as in nvm_options */
  int power;
};

/* Makes a pool that does not grow and opens it; nothing without an engine. */
static inline void open_pool(const struct setup *s, const char *path,
                             unsigned long size_bytes) {
  struct nvm_options options = {.size_bytes = size_bytes,
                                .max_size_bytes = size_bytes,
                                .engine = s->engine,
                                .epoch_ms = s->epoch_ms,
                                .power = s->power};
  if (s->engine && nvm_open(path, &options) != 0)
    fail("nvm_open");
}

/* The variants of a program, each with a name of its own. */
struct setups {
  struct setup of[64];
  size_t count;
};

static inline void add_setup(struct setups *all, const char *engine,
                             const char *suffix, int epoch_ms) {
  char name[64];
  snprintf(name, sizeof(name), "%s%s", engine, suffix);
  if (all->count == sizeof(all->of) / sizeof(all->of[0]))
    fail("too many variants");
  all->of[all->count++] = (struct setup){strdup(name), engine, epoch_ms, 0};
}

static inline void print_variants(const struct setup *setups, size_t count) {
  for (size_t i = 0; i < count; i++)
    puts(setups[i].name);
  exit(0);
}

static inline int asks_for_variants(int argc, char **argv) {
  return argc == 2 && strcmp(argv[1], "--variants") == 0;
}

static inline const struct setup *find_setup(const struct setup *setups,
                                             size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(setups[i].name, name) == 0)
      return &setups[i];
  fprintf(stderr, "bench: no variant %s; there are:", name);
  for (size_t i = 0; i < count; i++)
    fprintf(stderr, " %s", setups[i].name);
  fprintf(stderr, "\n");
  exit(2);
}

#endif /* NVMOVE_BENCH_H */
