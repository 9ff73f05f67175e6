/*===- heap.h - blocks ------------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_HEAP_HEAP_H
#define NVMOVE_SRC_HEAP_HEAP_H

#include "heap/state.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0, or EINVAL [pool-damaged]. */
int nvmi_heap_header_check(void);
/* Reads the directory. 0, or EINVAL [pool-damaged], or ENOMEM. */
int nvmi_heap_open(void);
void nvmi_heap_close(void);

/* Which bytes of a new block are to be zero. */
enum nvmi_zero { NVMI_ZERO_NONE, NVMI_ZERO_SLACK /* after the size asked for */, NVMI_ZERO_ALL };
/* NULL: full. */
void *nvmi_heap_alloc(unsigned type, size_t size_bytes, enum nvmi_zero zero);
/* The alignment is a power of two, at most NVM_PAGE_BYTES. */
void *nvmi_heap_alloc_aligned(unsigned type, size_t alignment, size_t size_bytes,
                              enum nvmi_zero zero);
void nvmi_heap_free(void *p);
size_t nvmi_heap_deferred(void); /* frees that wait for the commit */
/* Resizes the block at p in place to size_bytes; false: that is impossible. */
bool nvmi_heap_resize(void *p, size_t size_bytes);
/* At commit, everything locked: what was allocated and freed goes into the bitmaps, and
 * the heap's header gets its checksum; afterwards nothing is fresh. */
void nvmi_heap_apply(void);
void nvmi_heap_committed(void);

/* The block that holds p. False: p points to no page that holds blocks. Without a lock only for a p
 * whose block is allocated. */
bool nvmi_heap_find(const void *p, struct nvmi_block *out);
uint64_t nvmi_heap_used_bytes(void);

/* Calls `visit` with each range of the arena that is in use, in ascending order: the
 * tables as far as they reach, then every page that is not free. */
void nvmi_heap_each_used(void (*visit)(void *context, uint64_t offset, uint64_t size_bytes),
                         void *context);

#endif /* NVMOVE_SRC_HEAP_HEAP_H */
