/*===- examine.h - reading a pool file without changing it ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_EXAMINE_H
#define NVMOVE_SRC_EXAMINE_H

#include "base/pool.h"

/* For pool->fd and pool->path: reads the header, maps, finds the end of the log,
 * and shows in the working copy the tables and the page directory as of the last
 * commit, checked. If the pool holds a commit (pool->restored) the heap is open
 * afterwards. 0, or EINVAL or ENOMEM with a message; the caller unmaps.
 * `only_look`: pool->fd may be open for reading only, see nvmi_map(). */
int nvmi_examine(struct nvmi_pool *pool, bool only_look);

#endif /* NVMOVE_SRC_EXAMINE_H */
