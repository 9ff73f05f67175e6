/*===- common.c - what engines write alike ----------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "engines/common.h"
#include "base/error.h"
#include "base/event.h"
#include "medium/backing.h"
#include "medium/control.h"
#include "medium/persist.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void nvmi_nothing(struct nvmi_pool *pool)
{
    (void)pool;
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
        return nvmi_fail(error, "pool-io", "%s: cannot be created again: %s", pool->path,
                         strerror(error));
    nvmi_barrier(pool);
    nvmi_control_write(pool, NVM_STATE_IMPORTING, pool->slot.base_epoch);
    return 0;
}
