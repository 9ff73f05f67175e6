/*===- control.h - the control slots, and the marks after them --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_MEDIUM_CONTROL_H
#define NVMOVE_SRC_MEDIUM_CONTROL_H

#include "base/pool.h"

static inline bool nvmi_waits_for_disk(const struct nvmi_pool *pool)
{
    return pool->power && !pool->dax;
}

/* Waits until these bytes are on the medium, or, with NULL, all are, or dies: afterwards the
 * kernel may have dropped what it could not write. */
void nvmi_sync(struct nvmi_pool *pool, const void *p, size_t size_bytes);
/* What was written before comes before what is written after. */
void nvmi_barrier(struct nvmi_pool *pool);

/* Writes pool->slot, with these values, to the slot whose turn it is. */
void nvmi_control_write(struct nvmi_pool *pool, uint64_t state, uint64_t base_epoch);
/* Puts on the medium, not only into the marks, that the last control slot was whole. */
void nvmi_control_mark(struct nvmi_pool *pool);
/* The commit of pool->epoch + 1 is complete. The first one is written to both
 * slots: from then on each of the two says that there is something to lose. */
void nvmi_control_commit(struct nvmi_pool *pool);
/* The barrier after so much of what the open epoch saves has been passed. */
void nvmi_saved(struct nvmi_pool *pool, uint64_t count);
/* So much at least was whole; 0: nothing is known. */
uint64_t nvmi_saved_in(const struct nvmi_pool *pool, uint64_t epoch);
/* examine() for engines whose last commit is what the control slot says. */
int nvmi_control_examine(struct nvmi_pool *pool);
/* Pages below `end` are in use from now on: the medium knows before anything is stored
 * there, where the program writes to the medium itself. Under the heap lock. */
void nvmi_control_pages_taken(struct nvmi_pool *pool, uint32_t end);

#endif /* NVMOVE_SRC_MEDIUM_CONTROL_H */
