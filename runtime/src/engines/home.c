/*===- home.c - the log of the redo engine is brought home ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/home.h"
#include "base/event.h"
#include "engines/common.h"
#include "heap/directory.h"
#include "heap/state.h"
#include "medium/control.h"
#include "medium/log.h"
#include "medium/media.h"
#include "medium/persist.h"

struct redo nvmi_redo;
static pthread_mutex_t sync_lock = PTHREAD_MUTEX_INITIALIZER;

void redo_wait(struct nvmi_pool *pool)
{
    if (!nvmi_waits_for_disk(pool))
        return;
    uint64_t wanted = __atomic_load_n(&pool->epoch, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&nvmi_redo.synced_epoch, __ATOMIC_ACQUIRE) >= wanted)
        return;
    pthread_mutex_lock(&sync_lock);
    /* Another thread's wait may have covered this one's commits. */
    if (__atomic_load_n(&nvmi_redo.synced_epoch, __ATOMIC_ACQUIRE) < wanted) {
        wanted = __atomic_load_n(&pool->epoch, __ATOMIC_ACQUIRE);
        __atomic_store_n(&nvmi_redo.unsynced_since_ns, 0, __ATOMIC_RELAXED);
        /* Of the file these bytes alone: what has been brought home need not be there yet. */
        uint64_t end = __atomic_load_n(&nvmi_redo.head, __ATOMIC_RELAXED);
        nvmi_sync(pool, pool->log + nvmi_redo.synced, end - nvmi_redo.synced);
        nvmi_redo.synced = end;
        __atomic_store_n(&nvmi_redo.synced_epoch, wanted, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&sync_lock);
}

static void apply(struct nvmi_pool *pool, const struct nvm_disk_record *record)
{
    const uint32_t *numbers = nvmi_record_numbers(record);
    const struct nvm_disk_zero *zeros = nvmi_record_zeros(record);
    const unsigned char *image = nvmi_record_images(record);
    for (uint32_t i = 0; i < record->zero_count; i++)
        nvmi_persist->zero(pool->home + zeros[i].offset, zeros[i].size_bytes);
    for (uint32_t i = 0; i < record->line_count; i += NVMI_CHUNK_LINES) {
        uint32_t left = record->line_count - i;
        uint32_t n = left < NVMI_CHUNK_LINES ? left : NVMI_CHUNK_LINES;
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
        if (nvmi_waits_for_disk(pool) &&
            record->epoch > __atomic_load_n(&nvmi_redo.synced_epoch, __ATOMIC_ACQUIRE))
            break; /* the log must be there before the home copy changes */
        apply(pool, record);
        nvmi_media_was_read(record->size_bytes);
        nvmi_redo.applied += record->size_bytes;
    }
    return nvmi_redo.applied == nvmi_redo.head;
}

void redo_checkpoint(struct nvmi_pool *pool)
{
    redo_wait(pool);
    nvmi_event();
    redo_apply_some(pool, nvmi_redo.head);
    nvmi_barrier(pool);
    nvmi_control_write(pool, NVM_STATE_VALID, pool->epoch + 1);
    nvmi_redo.base_epoch = pool->epoch + 1;
    pthread_mutex_lock(&sync_lock);
    __atomic_store_n(&nvmi_redo.head, 0, __ATOMIC_RELAXED);
    nvmi_redo.applied = nvmi_redo.next_slice = nvmi_redo.synced = 0;
    pthread_mutex_unlock(&sync_lock);
    NVMI_COUNT(checkpoints, 1);
}

void redo_write_new_pages(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    struct nvmi_lines *lines = &changes->lines;
    /* These pages stop being zero, whether or not this commit comes about. */
    pool->slot.dirty_pages = nvmi_virgin_page();
    nvmi_heap.dirty_pages = nvmi_virgin_page();
    nvmi_control_write(pool, NVM_STATE_VALID, nvmi_redo.base_epoch);
    for (size_t i = 0; i < changes->zero_count; i++) /* only new pages are zeroed so */
        nvmi_persist->zero(pool->home + changes->zero[i].offset, changes->zero[i].size_bytes);
    changes->zero_count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (!nvmi_line_is_new(lines->number[i]))
            lines->number[kept++] = lines->number[i];
        else
            nvmi_write_lines(pool, pool->home, changes, i, 1);
    }
    lines->count = kept;
    nvmi_barrier(pool);
}
