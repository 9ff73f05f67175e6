/*===- direct.c - what the direct engines have in common --------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The program writes to the home copy, so any line may reach the medium at any
 * time. Hence: what a line held is on the medium before the line changes; the
 * changed lines are on the medium before the control slot says so. One control
 * slot is the commit: it makes everything that was saved in its epoch worthless
 * at once.
 */
#define _GNU_SOURCE
#include "engines/direct.h"
#include "base/error.h"
#include "base/event.h"
#include "base/memory.h"
#include "engines/common.h"
#include "heap/slab.h"
#include "medium/control.h"
#include "medium/mapping.h"
#include "medium/media.h"
#include "medium/persist.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22 /* an older kernel says EINVAL */
#endif
void nvmi_put_view(struct nvmi_pool *pool, uint32_t line, const void *image)
{
    memcpy(pool->heap + (uint64_t)line * NVM_LINE_BYTES, image, NVM_LINE_BYTES);
}

static void put_home(struct nvmi_pool *pool, uint32_t line, const void *image)
{
    nvmi_persist->copy(pool->home + (uint64_t)line * NVM_LINE_BYTES, image, NVM_LINE_BYTES);
    nvmi_event();
}

int nvmi_direct_recover(struct nvmi_pool *pool, nvmi_roll_back *roll_back)
{
    int error = 0;
    pool->slot = pool->control_read;
    if (pool->slot.state == NVM_STATE_VALID) {
        if (roll_back)
            roll_back(pool, put_home, UINT64_MAX);
        nvmi_barrier(pool);
        /* The epoch that was cut has ended without a change; nothing that was saved
         * in it can ever count again. */
        __atomic_store_n(&pool->epoch, pool->slot.base_epoch, __ATOMIC_RELEASE);
        nvmi_control_write(pool, NVM_STATE_VALID, pool->epoch + 1);
    } else {
        if (pool->slot.state == NVM_STATE_WRITING)
            error = nvmi_wipe(pool);
        /* From the first store on the arena is no longer all zero. */
        if (!error)
            nvmi_control_write(pool, NVM_STATE_WRITING, pool->slot.base_epoch);
    }
    return error ? error : nvmi_map_direct(pool);
}

bool nvmi_direct_must_save(const struct nvmi_pool *pool, uint32_t line)
{
    uint64_t offset = (uint64_t)line * NVM_LINE_BYTES, pages = pool->header.page_offset;
    if (pool->slot.state != NVM_STATE_VALID)
        return false;
    if (offset < pages)
        return true;
    uint32_t page = (uint32_t)((offset - pages) / NVM_PAGE_BYTES);
    return !nvmi_heap.info[page].taken &&
           !nvmi_slab_line_is_new(page, (offset - pages) % NVM_PAGE_BYTES);
}

unsigned nvmi_direct_used(const struct nvmi_pool *pool, uint64_t limit_bytes,
                          struct nvmi_range range[NVMI_MAX_RANGES])
{
    const struct nvm_disk_header *h = &pool->header;
    const struct nvm_disk_heap *heap = (const void *)pool->home;
    uint64_t dirty = pool->control_read.dirty_pages;
    if (dirty >= h->page_count) /* or not known: pages in use have entries */
        dirty = nvmi_data_bytes(pool, h->arena_offset + h->directory_offset,
                                h->page_count * sizeof(struct nvm_disk_page)) /
                sizeof(struct nvm_disk_page);
    uint64_t pages = heap->virgin_page > dirty ? heap->virgin_page : dirty;
    if (pages > h->page_count)
        pages = h->page_count;
    unsigned all = nvmi_arena_ranges(pool, 0, pages, range), count = 0;
    while (count < all && range[count].offset < limit_bytes) {
        if (range[count].size_bytes > limit_bytes - range[count].offset)
            range[count].size_bytes = limit_bytes - range[count].offset;
        count++;
    }
    return count;
}

/* A copy of the file may have left blocks out, and then a file system in memory gives
 * some to what is read: where there are none, it is an error here and not a signal. */
int nvmi_direct_load(const struct nvmi_pool *pool, const void *from, uint64_t size_bytes)
{
    uintptr_t at = (uintptr_t)from, end = at + size_bytes;
    nvmi_media_was_read(size_bytes);
    at = at / NVMI_MACHINE_PAGE_BYTES * NVMI_MACHINE_PAGE_BYTES;
    if (madvise((void *)at, end - at, MADV_POPULATE_READ) != 0 && errno == EFAULT)
        return nvmi_fail(ENOSPC, "pool-full",
                         "%s: disk blocks for its contents cannot be allocated: %s", pool->path,
                         strerror(ENOSPC));
    return 0;
}

void nvmi_direct_commit(struct nvmi_pool *pool, const struct nvmi_changes *changes)
{
    size_t count = nvmi_persist == &nvmi_persist_cache ? 0 : changes->lines.count;
    for (size_t i = 0; i < count; i++) {
        nvmi_persist->flush(pool->heap + (uint64_t)changes->lines.number[i] * NVM_LINE_BYTES,
                            NVM_LINE_BYTES);
        if (i % NVMI_CHUNK_LINES == 0)
            nvmi_event();
    }
    for (size_t i = 0; i < changes->zero_count; i++)
        nvmi_persist->flush(pool->heap + changes->zero[i].offset, changes->zero[i].size_bytes);
    nvmi_barrier(pool);
    nvmi_control_commit(pool);
}

void nvmi_direct_settle(struct nvmi_pool *pool)
{
    if (pool->slot.state == NVM_STATE_VALID)
        nvmi_control_write(pool, NVM_STATE_VALID, pool->epoch + 1);
}
