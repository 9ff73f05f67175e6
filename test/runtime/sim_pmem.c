/*===- sim_pmem.c - libpmem's functions, as libpmemobj calls them -----------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The program's own symbols come before a library's, so these are what
 * libpmemobj finds. Without a simulator they do what libpmem would on a page
 * cache: nothing has to be flushed for a crash of the process.
 */
#include "sim_file.h"
#include <string.h>

/* Of libpmem.h, which need not be installed. */
#define NO_DRAIN 1u
#define NO_FLUSH 32u

static void (*on_flush)(const void *p, size_t size_bytes);
static void (*on_fence)(void);

void sim_watch_pmem(void (*flush)(const void *p, size_t size_bytes),
                    void (*fence)(void)) {
  on_flush = flush;
  on_fence = fence;
}

void pmem_flush(const void *p, size_t size_bytes);
void pmem_flush(const void *p, size_t size_bytes) {
  if (on_flush && size_bytes)
    on_flush(p, size_bytes);
}

int pmem_deep_flush(const void *p, size_t size_bytes);
int pmem_deep_flush(const void *p, size_t size_bytes) {
  pmem_flush(p, size_bytes);
  return 0;
}

void pmem_drain(void);
void pmem_drain(void) {
  if (on_fence)
    on_fence();
}

void pmem_persist(const void *p, size_t size_bytes);
void pmem_persist(const void *p, size_t size_bytes) {
  pmem_flush(p, size_bytes);
  pmem_drain();
}

int pmem_msync(const void *p, size_t size_bytes);
int pmem_msync(const void *p, size_t size_bytes) {
  pmem_persist(p, size_bytes);
  return 0;
}

static void *finish(void *to, size_t n, unsigned flags) {
  if (!(flags & NO_FLUSH))
    pmem_flush(to, n);
  if (!(flags & (NO_FLUSH | NO_DRAIN)))
    pmem_drain();
  return to;
}

void *pmem_memcpy(void *to, const void *from, size_t n, unsigned flags);
void *pmem_memcpy(void *to, const void *from, size_t n, unsigned flags) {
  return finish(memcpy(to, from, n), n, flags);
}

void *pmem_memmove(void *to, const void *from, size_t n, unsigned flags);
void *pmem_memmove(void *to, const void *from, size_t n, unsigned flags) {
  return finish(memmove(to, from, n), n, flags);
}

void *pmem_memset(void *to, int c, size_t n, unsigned flags);
void *pmem_memset(void *to, int c, size_t n, unsigned flags) {
  return finish(memset(to, c, n), n, flags);
}
