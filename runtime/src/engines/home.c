/*===- home.c - the home copy and the control slots -------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "heap.h"
#include "log.h"
#include "persist.h"
#include "redo.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

void redo_write_control(struct nvmi_pool *pool, uint64_t state, uint64_t base_epoch)
{
    struct nvm_disk_control *c = &nvmi_redo.control;
    c->sequence++;
    c->state = state;
    c->base_epoch = base_epoch;
    c->crc = nvmi_control_crc(c);
    nvmi_persist->copy(pool->control + c->sequence % 2 * NVM_LINE_BYTES, c, sizeof(*c));
    nvmi_persist->fence();
    nvmi_event();
    if (redo_waits_for_disk(pool))
        redo_sync(pool);
}

static void apply(struct nvmi_pool *pool, const struct nvm_disk_record *record)
{
    const uint32_t *numbers = nvmi_record_numbers(record);
    const struct nvm_disk_zero *zeros = nvmi_record_zeros(record);
    const unsigned char *image = nvmi_record_images(record);
    for (uint32_t i = 0; i < record->zero_count; i++)
        nvmi_persist->zero(pool->home + zeros[i].offset, zeros[i].size_bytes);
    for (uint32_t i = 0; i < record->line_count; i += REDO_CHUNK_LINES) {
        uint32_t left = record->line_count - i;
        uint32_t n = left < REDO_CHUNK_LINES ? left : REDO_CHUNK_LINES;
        nvmi_persist->scatter(pool->home, numbers + i, image + (size_t)i * NVM_LINE_BYTES, n);
        nvmi_event();
    }
}

/* A snapshot child that is forked between two calls loses nothing: pages that a
 * record of before the fork changes are its own already. */
bool redo_apply_some(struct nvmi_pool *pool, uint64_t size_bytes)
{
    uint64_t end = nvmi_redo.applied + size_bytes;
    while (nvmi_redo.applied < nvmi_redo.head && nvmi_redo.applied < end) {
        const struct nvm_disk_record *record = (const void *)(pool->log + nvmi_redo.applied);
        if (redo_waits_for_disk(pool) &&
            record->epoch > __atomic_load_n(&nvmi_redo.synced_epoch, __ATOMIC_ACQUIRE))
            break; /* the log must be there before the home copy changes */
        apply(pool, record);
        nvmi_redo.applied += record->size_bytes;
    }
    return nvmi_redo.applied == nvmi_redo.head;
}

void redo_checkpoint(struct nvmi_pool *pool)
{
    redo_wait(pool);
    nvmi_event();
    redo_apply_some(pool, nvmi_redo.head);
    nvmi_persist->fence();
    nvmi_event();
    if (redo_waits_for_disk(pool))
        redo_sync(pool);
    redo_write_control(pool, NVM_STATE_VALID, pool->epoch + 1);
    nvmi_redo.base_epoch = pool->epoch + 1;
    nvmi_redo.head = nvmi_redo.applied = nvmi_redo.next_slice = 0;
    pool->stats.checkpoints++;
}

static void write_home(struct nvmi_pool *pool, uint32_t line)
{
    uint64_t offset = (uint64_t)line * NVM_LINE_BYTES;
    nvmi_persist->copy(pool->home + offset, pool->heap + offset, NVM_LINE_BYTES);
}

void redo_write_new_pages(struct nvmi_pool *pool)
{
    struct nvmi_changes *changes = &pool->changes;
    struct nvmi_lines *lines = &changes->lines;
    /* These pages stop being zero, whether or not this commit comes about. */
    nvmi_redo.control.dirty_pages = nvmi_virgin_page();
    nvmi_heap.dirty_pages = nvmi_virgin_page();
    redo_write_control(pool, NVM_STATE_VALID, nvmi_redo.base_epoch);
    for (size_t i = 0; i < changes->zero_count; i++) /* only new pages are zeroed so */
        nvmi_persist->zero(pool->home + changes->zero[i].offset, changes->zero[i].size_bytes);
    changes->zero_count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (!nvmi_line_is_new(lines->number[i]))
            lines->number[kept++] = lines->number[i];
        else
            write_home(pool, lines->number[i]);
        if (i % REDO_CHUNK_LINES == 0)
            nvmi_event();
    }
    lines->count = kept;
    nvmi_persist->fence();
    nvmi_event();
    if (redo_waits_for_disk(pool))
        redo_sync(pool);
}

void redo_commit_first(struct nvmi_pool *pool)
{
    const struct nvmi_lines *lines = &pool->changes.lines;
    redo_write_control(pool, NVM_STATE_WRITING, pool->epoch + 1);
    for (size_t i = 0; i < lines->count; i++) {
        write_home(pool, lines->number[i]);
        if (i % REDO_CHUNK_LINES == 0)
            nvmi_event();
    }
    nvmi_persist->fence();
    nvmi_event();
    if (redo_waits_for_disk(pool))
        redo_sync(pool);
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
    nvmi_redo.base_epoch = pool->epoch + 1;
    /* Twice: from now on either slot alone says that there is something to lose. */
    redo_write_control(pool, NVM_STATE_VALID, nvmi_redo.base_epoch);
    redo_write_control(pool, NVM_STATE_VALID, nvmi_redo.base_epoch);
    __atomic_store_n(&nvmi_redo.synced_epoch, pool->epoch, __ATOMIC_RELEASE);
    pool->in_place = false;
}

int redo_wipe(struct nvmi_pool *pool)
{
    for (uint32_t i = 0; i < pool->header.segment_count; i++) {
        off_t offset = (off_t)pool->header.segment[i].file_offset;
        off_t size_bytes = (off_t)pool->header.segment[i].size_bytes;
        if (fallocate(pool->fd, FALLOC_FL_ZERO_RANGE, offset, size_bytes) == 0)
            continue;
        if (errno != EOPNOTSUPP)
            return nvmi_fail(errno, "pool-io", "%s: cannot be made afresh: %s", pool->path,
                             strerror(errno));
        nvmi_persist->zero(pool->home, pool->header.arena_size_bytes);
        break;
    }
    nvmi_persist->fence();
    if (redo_waits_for_disk(pool))
        redo_sync(pool);
    redo_write_control(pool, NVM_STATE_IMPORTING, nvmi_redo.base_epoch);
    return 0;
}
