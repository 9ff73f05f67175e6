/*===- checkpoint.c - all of the heap, when the program asks ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   area   copy 1
 *
 * The program writes to private pages and announces nothing. A checkpoint writes
 * all that the heap uses to the copy that does not hold the last one. (What the
 * scientific applications do with a DRAM cache or a DAX file.)
 */
#include "base/engine.h"
#include "base/event.h"
#include "base/pool.h"
#include "engines/common.h"
#include "engines/copies.h"
#include "heap/directory.h"
#include "heap/heap.h"
#include "medium/control.h"
#include "medium/persist.h"

static void write_used(void *copy, uint64_t offset, uint64_t size_bytes)
{
    struct nvmi_pool *pool = &nvmi_pool;
    unsigned char *to = copy;
    nvmi_persist->copy(to + offset, pool->heap + offset, size_bytes);
    NVMI_COUNT(lines_logged, size_bytes / NVM_LINE_BYTES);
    nvmi_event();
}

/* A copy that is cut while it is written holds pages that no commit uses. */
static void tell_dirty(struct nvmi_pool *pool)
{
    uint64_t used = nvmi_virgin_page();
    if (used <= pool->slot.dirty_pages)
        return;
    pool->slot.dirty_pages = used;
    nvmi_control_write(pool, NVM_STATE_VALID, pool->slot.base_epoch);
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    (void)changes;
    bool is_first = pool->slot.state != NVM_STATE_VALID;
    uint64_t which = is_first ? 0 : 1 - pool->slot.copy;
    unsigned char *to = nvmi_copy(pool, which);
    if (is_first)
        nvmi_control_write(pool, NVM_STATE_WRITING, pool->epoch + 1);
    else {
        tell_dirty(pool);
        nvmi_control_mark(pool); /* should that slot be lost, the other one's copy is not whole */
    }
    nvmi_heap_each_used(write_used, to);
    nvmi_copies_commit(pool, which);
    if (!pool->free_at_once)       /* other threads look */
        pool->free_at_once = true; /* the last commit needs nothing of the working copy */
}

static uint64_t area_bytes(uint64_t pool_bytes)
{
    return pool_bytes / 2;
}

static uint64_t arena_limit(uint64_t area)
{
    return area;
}

const struct nvm_engine nvmi_engine_checkpoint = {
    .name = "checkpoint",
    .number = 8,
    .promise_process = "a checkpoint that the program takes survives a crash of the process",
    .promise_power = "a checkpoint that the program takes survives a crash of the process and "
                     "power loss",
    .durable = true,
    .atomic = true,
    .goes_back = true,
    .side_by_side = true,
    .grows = true,
    .power_on_disk = true,
    .epoch_ms = -1,
    .area_bytes = area_bytes,
    .arena_limit = arena_limit,
    .back = nvmi_copies_back,
    .examine = nvmi_control_examine,
    .view = nvmi_copies_view,
    .recover = nvmi_copies_recover,
    .commit = commit,
    .wait = nvmi_nothing,
};
