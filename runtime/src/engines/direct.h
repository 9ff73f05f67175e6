/*===- direct.h - what the direct engines have in common --------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_ENGINES_DIRECT_H
#define NVMOVE_SRC_ENGINES_DIRECT_H

#include "base/pool.h"
#include "medium/backing.h"

/* Puts the image of a line where it belongs. */
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
/* Does rolling back need the line? Not where no block of the last commit lies, nor before
 * the first commit. */
bool nvmi_direct_must_save(const struct nvmi_pool *pool, uint32_t line);
/* What of the arena's first `limit_bytes` may differ from zero on the medium. Gives back
 * how many ranges. */
unsigned nvmi_direct_used(const struct nvmi_pool *pool, uint64_t limit_bytes,
                          struct nvmi_range range[NVMI_MAX_RANGES]);

#endif /* NVMOVE_SRC_ENGINES_DIRECT_H */
