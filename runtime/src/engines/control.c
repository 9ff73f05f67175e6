/*===- control.c - what all engines write alike -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "control.h"
#include "log.h"
#include "persist.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

void nvmi_sync(struct nvmi_pool *pool)
{
    int error = nvmi_persist->sync();
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
        nvmi_sync(pool);
}

void nvmi_nothing(struct nvmi_pool *pool)
{
    (void)pool;
}

int nvmi_control_examine(struct nvmi_pool *pool)
{
    pool->epoch = pool->control_read.base_epoch - 1;
    return 0;
}

int nvmi_no_view(struct nvmi_pool *pool, uint64_t limit_bytes)
{
    (void)pool;
    (void)limit_bytes;
    return 0;
}

uint64_t nvmi_no_area(uint64_t pool_bytes)
{
    (void)pool_bytes;
    return NVM_PAGE_BYTES;
}

void nvmi_control_write(struct nvmi_pool *pool, uint64_t state, uint64_t base_epoch)
{
    struct nvm_disk_control *c = &pool->slot;
    c->sequence++;
    c->state = state;
    c->base_epoch = base_epoch;
    c->crc = nvmi_control_crc(c);
    nvmi_persist->copy(pool->control + c->sequence % 2 * NVM_LINE_BYTES, c, sizeof(*c));
    nvmi_barrier(pool);
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

void nvmi_write_lines(struct nvmi_pool *pool, unsigned char *to, const struct nvmi_changes *changes,
                      size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++) {
        uint64_t offset = (uint64_t)changes->lines.number[i] * NVM_LINE_BYTES;
        const unsigned char *image =
            changes->images ? changes->images + i * NVM_LINE_BYTES : pool->heap + offset;
        nvmi_persist->copy(to + offset, image, NVM_LINE_BYTES);
        if (i % NVMI_CHUNK_LINES == 0)
            nvmi_event();
    }
}

void nvmi_commit_first(struct nvmi_pool *pool, const struct nvmi_changes *changes)
{
    nvmi_control_write(pool, NVM_STATE_WRITING, pool->epoch + 1);
    nvmi_write_lines(pool, pool->home, changes, 0, changes->lines.count);
    nvmi_barrier(pool);
    nvmi_control_commit(pool);
}

int nvmi_wipe(struct nvmi_pool *pool)
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
    nvmi_barrier(pool);
    nvmi_control_write(pool, NVM_STATE_IMPORTING, pool->slot.base_epoch);
    return 0;
}
