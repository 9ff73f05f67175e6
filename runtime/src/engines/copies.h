/*===- copies.h - a second copy of the arena --------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Copy 0 is the home copy, copy 1 is at the start of the engine's area. A
 * checkpoint writes to the copy that does not hold the last commit; the control
 * slot then says that it does.
 */
#ifndef NVMOVE_SRC_ENGINES_COPIES_H
#define NVMOVE_SRC_ENGINES_COPIES_H

#include "base/pool.h"

/* Copy `which` (0 or 1), as mapped for writing. */
static inline unsigned char *nvmi_copy(const struct nvmi_pool *pool, uint64_t which)
{
    return which ? pool->log : pool->home;
}

/* The private mapping of the heap shows the copy that holds the last commit. */
int nvmi_copies_view(struct nvmi_pool *pool, uint64_t limit_bytes);
/* back(): copy 1 of what these pages take of the arena. */
int nvmi_copies_back(struct nvmi_pool *pool, uint64_t from, uint64_t to);
/* Bytes of the arena that have blocks when so many pages have. */
uint64_t nvmi_copies_bytes(const struct nvmi_pool *pool, uint64_t pages);
/* The commit of pool->epoch + 1 is in copy `which`. */
void nvmi_copies_commit(struct nvmi_pool *pool, uint64_t which);
/* The part that all such engines share: wipes half an import. */
int nvmi_copies_recover(struct nvmi_pool *pool);

#endif /* NVMOVE_SRC_ENGINES_COPIES_H */
