/*===- backing.h - blocks of the file system behind the pool ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The file is as long as the pool may ever become, and the tables are where
 * they are in a pool of that size; but only what is in use has blocks. They are
 * asked for before anything is stored there, so a full disk is an error of an
 * allocation and never a signal.
 *
 * Nothing on the medium says how far the blocks reach: the heap uses no page
 * without, asking once more for blocks that are there changes nothing, and what a
 * crash in the middle has left is what the next growth asks for.
 */
#ifndef NVMOVE_SRC_BACKING_H
#define NVMOVE_SRC_BACKING_H

#include "base/pool.h"

/* The pool grows by so many pages at least: their entries in the page directory
 * fill one page of the machine, so that no two parts share one. */
#define NVMI_BACKING_UNIT 256u

struct nvmi_range {
    uint64_t offset, size_bytes; /* in the arena */
};
#define NVMI_MAX_RANGES 4u
/* What pages [from, to) take of the arena, in ascending order: directory, bitmaps,
 * pages; with page 0 the heap header, tables and twins as well. Whole lines; `from`
 * is a multiple of NVMI_BACKING_UNIT. Gives back how many ranges. */
unsigned nvmi_arena_ranges(const struct nvmi_pool *pool, uint64_t from, uint64_t to,
                           struct nvmi_range range[NVMI_MAX_RANGES]);
/* `pages` as a border between parts. */
uint32_t nvmi_backing_up(const struct nvmi_pool *pool, uint64_t pages);

/* Gives blocks to all pages before `pages`, and to what of the engine's area goes
 * with them; raises pool->backed_pages. In a process that does not write to the
 * file it is memory instead. 0 or an errno (ENOSPC: the disk is full). Under the
 * heap lock once the pool is open. */
int nvmi_back_pages(struct nvmi_pool *pool, uint64_t pages);

/* A file system in memory clears pages when it gives them, some milliseconds for a part. Asks
 * for a little of the part that comes next, so that nvmi_back_pages() finds it there; who calls
 * this for each page that is taken has paid for a part before it is needed. Nothing else counts
 * on it, and what cannot be had is told when it is needed. */
void nvmi_back_ahead(struct nvmi_pool *pool);

/* Gives blocks to a range of the engine's area; what lies beyond its end is left
 * out. 0 or an errno. */
int nvmi_back_area(struct nvmi_pool *pool, uint64_t offset, uint64_t size_bytes);
/* For engines whose area is a log: has [0, size_bytes) of it blocks, or can it
 * get them? */
bool nvmi_back_log(struct nvmi_pool *pool, uint64_t size_bytes);
/* " and the disk is full", if that is why it cannot. */
const char *nvmi_log_full_reason(const struct nvmi_pool *pool);
/* Such an engine's back(): the log's share of so many pages. */
int nvmi_back_log_share(struct nvmi_pool *pool, uint64_t from, uint64_t to);

/* Beyond so many bytes, this part of the file holds only zeros and perhaps no blocks:
 * in a file system in memory reading there would take some. */
uint64_t nvmi_data_bytes(const struct nvmi_pool *pool, uint64_t file_offset, uint64_t size_bytes);

/* Of these bytes of the engine's area: beyond so many it holds only zeros and perhaps no
 * blocks. Costs what the range costs, not the area. */
uint64_t nvmi_area_data_bytes(const struct nvmi_pool *pool, uint64_t offset, uint64_t size_bytes);

/* A pool that is being opened: blocks for what the last commit uses, also where a
 * copy of the file has left some out. 0 or an errno with its message. */
int nvmi_back_open(struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_BACKING_H */
