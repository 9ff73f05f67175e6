/*===- control.c - what all engines write alike -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "control.h"
#include "base/log.h"
#include "medium/persist.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

/* Where blocks cannot be given back, zeros are written to what has any. */
static int zero_data(struct nvmi_pool *pool)
{
    off_t start = (off_t)pool->header.arena_offset, at = start;
    off_t end = start + (off_t)pool->header.arena_size_bytes;
    while ((at = lseek(pool->fd, at, SEEK_DATA)) >= 0 && at < end) {
        off_t hole = lseek(pool->fd, at, SEEK_HOLE);
        if (hole < 0)
            return errno;
        if (hole > end)
            hole = end;
        uint64_t from = (uint64_t)(at - start) / NVM_LINE_BYTES * NVM_LINE_BYTES;
        nvmi_persist->zero(pool->home + from, nvmi_line_up((uint64_t)(hole - start)) - from);
        at = hole;
    }
    return at < 0 && errno != ENXIO ? errno : 0;
}

int nvmi_wipe(struct nvmi_pool *pool)
{
    const struct nvm_disk_header *h = &pool->header;
    uint32_t pages = pool->backed_pages;
    int error = 0;
    if (fallocate(pool->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)h->arena_offset,
                  (off_t)h->arena_size_bytes) == 0) {
        pool->backed_pages = 0;
        error = nvmi_back_pages(pool, pages);
        if (!error && pool->power && fdatasync(pool->fd) != 0) /* a fence knows nothing of it */
            error = errno;
    } else
        error = errno == EOPNOTSUPP ? zero_data(pool) : errno;
    if (error)
        return nvmi_fail(error, "pool-io", "%s: cannot be made afresh: %s", pool->path,
                         strerror(error));
    nvmi_barrier(pool);
    nvmi_control_write(pool, NVM_STATE_IMPORTING, pool->slot.base_epoch);
    return 0;
}
