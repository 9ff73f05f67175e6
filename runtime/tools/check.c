/*===- check.c - nvm-pool check: is every part of a pool sound? -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "heap/classes.h"
#include "heap/directory.h"
#include "heap/state.h"
#include "pool_tool.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Every page: the directory has been checked; now the bitmaps and the runs. */
static int check_pages(uint64_t *objects)
{
    for (uint32_t page = 0; page < nvmi_pool.backed_pages; page++) {
        const struct nvm_disk_page *e = &nvmi_heap.directory[page];
        const uint64_t *bits =
            (const uint64_t *)(void *)(nvmi_heap.bitmaps + (size_t)page * NVM_BITMAP_BYTES);
        uint32_t room = e->state == NVM_PAGE_SLAB
                            ? (uint32_t)(NVM_PAGE_BYTES / nvmi_class_bytes(e->size_class))
                            : 0;
        for (uint32_t i = 0; i < NVM_BITMAP_BYTES * 8; i++) {
            bool set = bits[i / 64] >> i % 64 & 1;
            if (set && i >= room)
                return nvmi_fail(EINVAL, "pool-damaged", "%s: the bitmap of page %u is damaged",
                                 nvmi_pool.path, page);
            *objects += set;
        }
        *objects += e->state == NVM_PAGE_LARGE;
        for (uint32_t i = 1; e->state == NVM_PAGE_LARGE && i < e->run; i++)
            if (e[i].state != NVM_PAGE_TAIL || e[i].run != i)
                return nvmi_fail(EINVAL, "pool-damaged", "%s: the run of page %u is damaged",
                                 nvmi_pool.path, page);
        if (e->state == NVM_PAGE_TAIL &&
            (e[-(ptrdiff_t)e->run].state != NVM_PAGE_LARGE || e[-(ptrdiff_t)e->run].run <= e->run))
            return nvmi_fail(EINVAL, "pool-damaged", "%s: page %u belongs to no run",
                             nvmi_pool.path, page);
    }
    return 0;
}

/* Pages that no commit has used hold zeros. Only what has data is read, and from the file:
 * an engine that reads a log has nothing for these pages in it. */
static int check_virgin(const struct nvmi_pool *pool)
{
    static unsigned char page[NVM_PAGE_BYTES], zero[NVM_PAGE_BYTES];
    const struct nvm_disk_header *h = &pool->header;
    uint64_t start = (pool->control_read.copy ? h->log_offset : h->arena_offset) + h->page_offset;
    uint64_t end = start + h->page_count * NVM_PAGE_BYTES;
    off_t at = (off_t)(start + (uint64_t)nvmi_virgin_page() * NVM_PAGE_BYTES);
    while ((uint64_t)at < end && (at = lseek(pool->fd, at, SEEK_DATA)) >= 0 && (uint64_t)at < end) {
        uint64_t number = ((uint64_t)at - start) / NVM_PAGE_BYTES;
        at = (off_t)(start + number * NVM_PAGE_BYTES);
        if (pread(pool->fd, page, sizeof(page), at) != (ssize_t)sizeof(page))
            return nvmi_fail(EIO, "pool-io", "%s cannot be read", pool->path);
        if (memcmp(page, zero, sizeof(page)) != 0)
            return nvmi_fail(EINVAL, "pool-damaged",
                             "%s: page %llu, which no commit uses, is not zero", pool->path,
                             (unsigned long long)number);
        at += NVM_PAGE_BYTES;
    }
    return 0;
}

int pool_check(int argc, char **argv)
{
    uint64_t objects = 0;
    if (argc != 1)
        return POOL_TOOL_WRONG_CALL;
    if (pool_look(argv[0]) != 0)
        return pool_complain();
    if (pool_in_use()) {
        nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", nvmi_pool.path);
        return pool_complain();
    }
    if (!nvmi_pool.restored) {
        printf("sound: no commit yet\n");
        return 0;
    }
    if (pool_is_unsettled() || nvmi_pool.format->view(&nvmi_pool, UINT64_MAX) != 0)
        return pool_complain();
    if (check_pages(&objects) != 0 || check_virgin(&nvmi_pool) != 0)
        return pool_complain();
    printf("sound: commit %" PRIu64 ", %" PRIu64 " objects\n", nvmi_pool.epoch, objects);
    return 0;
}
