/*===- control.h - what all engines write alike -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   control.c   the control slots, a pool's first commit, a pool made afresh
 *   direct.c    what the direct engines have in common
 */
#ifndef NVMOVE_SRC_ENGINES_CONTROL_H
#define NVMOVE_SRC_ENGINES_CONTROL_H

#include "engine.h"
#include "medium/backing.h"

#define NVMI_CHUNK_LINES 64u /* between two crash events */

static inline bool nvmi_waits_for_disk(const struct nvmi_pool *pool)
{
    return pool->power && !pool->dax;
}

/* Waits for the medium, or dies: afterwards the kernel may have dropped what it
 * could not write. */
void nvmi_sync(struct nvmi_pool *pool);
/* What was written before comes before what is written after. */
void nvmi_barrier(struct nvmi_pool *pool);

/* Writes pool->slot, with these values, to the slot whose turn it is. */
void nvmi_control_write(struct nvmi_pool *pool, uint64_t state, uint64_t base_epoch);
/* Puts on the medium, not only into the marks, that the last control slot was whole. */
void nvmi_control_mark(struct nvmi_pool *pool);
/* The commit of pool->epoch + 1 is complete. The first one is written to both
 * slots: from then on either alone says that there is something to lose. */
void nvmi_control_commit(struct nvmi_pool *pool);
/* The barrier behind so much of what the open epoch saves has been passed. */
void nvmi_saved(struct nvmi_pool *pool, uint64_t count);
/* So much at least was whole; 0: nothing is known. */
uint64_t nvmi_saved_in(const struct nvmi_pool *pool, uint64_t epoch);
/* For engines that log nothing of their own there. */
void nvmi_nothing(struct nvmi_pool *pool);
/* examine() for engines whose last commit is what the control slot says. */
int nvmi_control_examine(struct nvmi_pool *pool);
/* view() where the home copy is as of the last commit, or nearest to it. */
int nvmi_no_view(struct nvmi_pool *pool, uint64_t limit_bytes);
/* area_bytes() where nothing is kept beside the arena. */
uint64_t nvmi_no_area(uint64_t pool_bytes);

/* Writes lines of the working copy to the home copy. */
void nvmi_write_lines(struct nvmi_pool *pool, unsigned char *to, const struct nvmi_changes *changes,
                      size_t from, size_t count);
/* The first commit writes home without a log: nothing is lost by a crash in the
 * middle. */
void nvmi_commit_first(struct nvmi_pool *pool, const struct nvmi_changes *changes);
/* Makes the arena all zero again. 0 or an errno with its message. */
int nvmi_wipe(struct nvmi_pool *pool);

/* direct.c. Puts the image of a line where it belongs. */
typedef void nvmi_put(struct nvmi_pool *pool, uint32_t line, const void *image);
void nvmi_put_view(struct nvmi_pool *pool, uint32_t line, const void *image);
/* Puts back every saved line below `limit_bytes`. */
typedef void nvmi_roll_back(struct nvmi_pool *pool, nvmi_put *put, uint64_t limit_bytes);
/* Rolls the home copy back, ends the epoch that was cut, and has the program
 * write to the home copy from now on. */
int nvmi_direct_recover(struct nvmi_pool *pool, nvmi_roll_back *roll_back);
/* settle() for engines that have nothing to bring home: ends the epoch. */
void nvmi_direct_settle(struct nvmi_pool *pool);
/* Reads this part of the engine's area. 0, or ENOSPC with its message. */
int nvmi_direct_load(const struct nvmi_pool *pool, const void *from, uint64_t size_bytes);
void nvmi_direct_commit(struct nvmi_pool *pool, const struct nvmi_changes *changes);
/* Does rolling back need the line? Not in pages that no commit uses, nor before
 * the first commit. */
bool nvmi_direct_must_save(const struct nvmi_pool *pool, uint32_t line);
/* What of the arena's first `limit_bytes` may differ from zero on the medium. Gives back
 * how many ranges. */
unsigned nvmi_direct_used(const struct nvmi_pool *pool, uint64_t limit_bytes,
                          struct nvmi_range range[NVMI_MAX_RANGES]);

#endif /* NVMOVE_SRC_ENGINES_CONTROL_H */
