/*===- control.c - the control slots, and the marks after them --------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "medium/control.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "medium/log.h"
#include "medium/persist.h"
#include <string.h>

/* Pages are made known as used so many at a time. */
#define DIRTY_STEP_PAGES 64u

void nvmi_sync(struct nvmi_pool *pool, const void *p, size_t size_bytes)
{
    int error = nvmi_persist->sync(p, size_bytes);
    if (error)
        nvmi_die(NVMI_EXIT_FULL, "pool-io", "%s: writing to the medium failed: %s", pool->path,
                 strerror(error));
    __atomic_add_fetch(&pool->stats.media_waits, 1, __ATOMIC_RELAXED);
}

void nvmi_barrier(struct nvmi_pool *pool)
{
    nvmi_persist->fence();
    nvmi_event();
    if (nvmi_waits_for_disk(pool))
        nvmi_sync(pool, NULL, 0);
}

int nvmi_control_examine(struct nvmi_pool *pool)
{
    pool->epoch = pool->control_read.base_epoch - 1;
    return 0;
}

static struct nvm_disk_marks *marks_of(const struct nvmi_pool *pool)
{
    return (struct nvm_disk_marks *)(void *)(pool->control + NVM_MARKS_OFFSET);
}

void nvmi_saved(struct nvmi_pool *pool, uint64_t count)
{
    __atomic_store_n(&marks_of(pool)->saved, (pool->epoch + 1) << 32 | count, __ATOMIC_RELEASE);
}

uint64_t nvmi_saved_in(const struct nvmi_pool *pool, uint64_t epoch)
{
    uint64_t saved = marks_of(pool)->saved;
    return saved >> 32 == (uint32_t)epoch ? (uint32_t)saved : 0;
}

void nvmi_control_mark(struct nvmi_pool *pool)
{
    nvmi_persist->flush(marks_of(pool), NVM_LINE_BYTES);
    nvmi_barrier(pool);
}

void nvmi_control_write(struct nvmi_pool *pool, uint64_t state, uint64_t base_epoch)
{
    struct nvm_disk_control *c = &pool->slot;
    c->sequence++;
    if (c->state != state) /* the program's threads look at it when another one commits */
        c->state = state;
    c->base_epoch = base_epoch;
    c->crc = nvmi_control_crc(c);
    nvmi_persist->copy(pool->control + c->sequence % 2 * NVM_LINE_BYTES, c, sizeof(*c));
    nvmi_barrier(pool);
    __atomic_store_n(&marks_of(pool)->sequence, c->sequence, __ATOMIC_RELEASE);
}

void nvmi_control_commit(struct nvmi_pool *pool)
{
    bool is_first = pool->slot.state != NVM_STATE_VALID;
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
    nvmi_control_write(pool, NVM_STATE_VALID, pool->epoch + 1);
    if (is_first) {
        nvmi_control_write(pool, NVM_STATE_VALID, pool->epoch + 1);
        pool->free_at_once = false;
    }
}

/* Pages that no commit uses are not saved, so after a crash they may hold
 * anything: the medium must know before. */
void nvmi_control_pages_taken(struct nvmi_pool *pool, uint32_t end)
{
    if (!pool->engine->direct || pool->snapshot || pool->slot.state != NVM_STATE_VALID ||
        end <= pool->slot.dirty_pages)
        return;
    uint64_t dirty = end + DIRTY_STEP_PAGES, most = pool->header.page_count;
    pool->slot.dirty_pages = dirty < most ? dirty : most;
    nvmi_control_write(pool, NVM_STATE_VALID, pool->slot.base_epoch);
}
