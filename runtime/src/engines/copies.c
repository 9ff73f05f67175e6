/*===- copies.c - a second copy of the arena --------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/copies.h"
#include "engines/common.h"
#include "medium/backing.h"
#include "medium/control.h"
#include "medium/mapping.h"

int nvmi_copies_view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    (void)limit_bytes;
    return pool->restored && pool->control_read.copy ? nvmi_map_area_as_heap(pool) : 0;
}

int nvmi_copies_back(struct nvmi_pool *pool, uint64_t from, uint64_t to)
{
    struct nvmi_range range[NVMI_MAX_RANGES];
    unsigned count = nvmi_arena_ranges(pool, from, to, range);
    int error = 0;
    for (unsigned i = 0; i < count && !error; i++)
        error = nvmi_back_area(pool, range[i].offset, range[i].size_bytes);
    return error;
}

uint64_t nvmi_copies_bytes(const struct nvmi_pool *pool, uint64_t pages)
{
    struct nvmi_range range[NVMI_MAX_RANGES];
    unsigned count = nvmi_arena_ranges(pool, 0, pages, range);
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += range[i].size_bytes;
    return sum;
}

void nvmi_copies_commit(struct nvmi_pool *pool, uint64_t which)
{
    nvmi_barrier(pool);
    pool->slot.copy = which;
    nvmi_control_commit(pool);
    NVMI_COUNT(checkpoints, 1);
}

int nvmi_copies_recover(struct nvmi_pool *pool)
{
    pool->slot = pool->control_read;
    return pool->slot.state == NVM_STATE_WRITING ? nvmi_wipe(pool) : 0;
}
