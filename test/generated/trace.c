/*===- trace.c - Which types the load made that static memory leads to ------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Each block with the name of its type; at the end of the load a conservative
 * scan from the program's statics and a local of main. A block that is freed is
 * cleared: a program that goes on using it stops, and is left out.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct block {
  uintptr_t hidden; /* from the scan */
  size_t bytes;
  const char *type;
  int is_live, is_seen, is_loads;
};
static struct block *blocks;
static size_t count;
static int in_load;

static char *start_of(const struct block *b) { return (char *)~b->hidden; }

static struct block *block_at(void *p) {
  size_t i;
  for (i = count; i-- > 0;)
    if (blocks[i].is_live && start_of(&blocks[i]) == p)
      return &blocks[i];
  abort();
}

void *trace_calloc(size_t bytes, const char *type) {
  void *p = calloc(1, bytes);
  if (!blocks)
    blocks = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  blocks[count++] = (struct block){~(uintptr_t)p, bytes, type, 1, 0, in_load};
  return p;
}

void trace_free(void *p) {
  struct block *b = p ? block_at(p) : NULL;
  if (b) {
    b->is_live = 0;
    memset(p, 0, b->bytes);
  }
}

void *trace_realloc(void *p, size_t bytes, const char *type) {
  void *q = trace_calloc(bytes, type);
  size_t old = p ? block_at(p)->bytes : 0;
  if (p)
    memcpy(q, p, old < bytes ? old : bytes);
  trace_free(p);
  return q;
}

void trace_load(void) { in_load = 1; }

static void scan(const void *from, const void *end) {
  const uintptr_t *word =
      (const uintptr_t *)(((uintptr_t)from + 7) & ~(uintptr_t)7);
  size_t i;
  for (; word + 1 <= (const uintptr_t *)end; word++)
    for (i = 0; i < count; i++) {
      struct block *b = &blocks[i];
      char *start = start_of(b);
      if (b->is_live && !b->is_seen && *word - (uintptr_t)start < b->bytes) {
        b->is_seen = 1;
        scan(start, start + b->bytes);
      }
    }
}

void trace_report(void *local, size_t bytes) {
  extern char __data_start[], _end[];
  size_t i;
  scan(__data_start, _end);
  scan(local, (char *)local + bytes);
  for (i = 0; i < count; i++)
    if (blocks[i].is_seen && blocks[i].is_loads)
      puts(blocks[i].type);
}
