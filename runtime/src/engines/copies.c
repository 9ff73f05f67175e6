/*===- copies.c - a second copy of the arena ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "copies.h"
#include "mapping.h"

int nvmi_copies_view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    (void)limit_bytes;
    return pool->restored && pool->control_read.copy ? nvmi_map_area_as_heap(pool) : 0;
}

void nvmi_copies_commit(struct nvmi_pool *pool, uint64_t which)
{
    nvmi_barrier(pool);
    pool->slot.copy = which;
    nvmi_control_commit(pool);
    pool->stats.checkpoints++;
}

int nvmi_copies_recover(struct nvmi_pool *pool)
{
    pool->slot = pool->control_read;
    return pool->slot.state == NVM_STATE_WRITING ? nvmi_wipe(pool) : 0;
}
