/*===- common.h - what engines have in common -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_ENGINES_COMMON_H
#define NVMOVE_SRC_ENGINES_COMMON_H

#include "base/pool.h"

#define NVMI_CHUNK_LINES 64u /* between two crash events */

/* For engines that log nothing of their own there. */
void nvmi_nothing(struct nvmi_pool *pool);
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

#endif /* NVMOVE_SRC_ENGINES_COMMON_H */
