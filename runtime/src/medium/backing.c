/*===- backing.c - blocks of the file system behind the pool ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "medium/backing.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/memory.h"
#include "medium/huge.h"
#include "medium/medium.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A log has this much more than its share, so that a small pool has a log, too. */
#define LOG_FLOOR_BYTES (1ull << 20)
#define AHEAD_PAGES 8u /* some 0.2 ms */

uint64_t nvmi_data_bytes(const struct nvmi_pool *pool, uint64_t file_offset, uint64_t size_bytes)
{
    off_t start = (off_t)file_offset, end = start + (off_t)size_bytes, data_end = start;
    while (data_end < end) {
        off_t data = lseek(pool->fd, data_end, SEEK_DATA);
        if (data < 0 && errno != ENXIO) /* the file system does not know */
            return size_bytes;
        if (data < 0 || data >= end)
            break;
        data_end = lseek(pool->fd, data, SEEK_HOLE);
    }
    return (uint64_t)((data_end < end ? data_end : end) - start);
}

/* Where the last of these pages ends that has a block, in a file system in memory. It looks
 * for the next data page by page, also where blocks were asked for but never written; that
 * a page is in memory, or that it is a hole, it knows at once. */
static uint64_t blocks_end(const struct nvmi_pool *pool, uint64_t offset, uint64_t size_bytes)
{
    unsigned char in_memory[4096];
    uint64_t at = offset / NVMI_MACHINE_PAGE_BYTES * NVMI_MACHINE_PAGE_BYTES, end = offset;
    while (at < offset + size_bytes) {
        uint64_t n =
            (offset + size_bytes - at + NVMI_MACHINE_PAGE_BYTES - 1) / NVMI_MACHINE_PAGE_BYTES;
        n = n < sizeof(in_memory) ? n : sizeof(in_memory);
        if (mincore(pool->log + at, n * NVMI_MACHINE_PAGE_BYTES, in_memory) != 0)
            return offset + size_bytes;
        for (uint64_t i = 0; i < n; i++, at += NVMI_MACHINE_PAGE_BYTES) {
            off_t page = (off_t)(pool->header.log_offset + at);
            if (in_memory[i] & 1 || lseek(pool->fd, page, SEEK_HOLE) != page)
                end = at + NVMI_MACHINE_PAGE_BYTES;
        }
    }
    return end < offset + size_bytes ? end : offset + size_bytes;
}

uint64_t nvmi_area_data_bytes(const struct nvmi_pool *pool, uint64_t offset, uint64_t size_bytes)
{
    uint64_t most = pool->header.log_size_bytes - offset;
    if (size_bytes > most)
        size_bytes = most;
    return nvmi_medium_is_volatile(pool->fd)
               ? blocks_end(pool, offset, size_bytes) - offset
               : nvmi_data_bytes(pool, pool->header.log_offset + offset, size_bytes);
}

uint32_t nvmi_backing_up(const struct nvmi_pool *pool, uint64_t pages)
{
    uint64_t up = (pages + NVMI_BACKING_UNIT - 1) / NVMI_BACKING_UNIT * NVMI_BACKING_UNIT;
    return (uint32_t)(up < pool->header.page_count ? up : pool->header.page_count);
}

unsigned nvmi_arena_ranges(const struct nvmi_pool *pool, uint64_t from, uint64_t to,
                           struct nvmi_range range[NVMI_MAX_RANGES])
{
    const struct nvm_disk_header *h = &pool->header;
    uint64_t directory = h->directory_offset + from * sizeof(struct nvm_disk_page);
    uint64_t bitmaps = h->bitmap_offset + from * NVM_BITMAP_BYTES;
    uint64_t start = from ? directory : 0; /* the heap header stands before it */
    unsigned count = 0;
    range[count++] = (struct nvmi_range){
        start, nvmi_line_up(h->directory_offset + to * sizeof(struct nvm_disk_page)) - start};
    range[count++] = (struct nvmi_range){bitmaps, (to - from) * NVM_BITMAP_BYTES};
    if (!from)
        range[count++] = (struct nvmi_range){
            h->table_offset, nvmi_line_up(h->twin_offset + h->twin_size_bytes) - h->table_offset};
    range[count++] =
        (struct nvmi_range){h->page_offset + from * NVM_PAGE_BYTES, (to - from) * NVM_PAGE_BYTES};
    return count;
}

/* The program may have closed our descriptor, and opened something else. */
static int own_descriptor(const struct nvmi_pool *pool, bool *close_it)
{
    struct stat file;
    *close_it = false;
    if (fstat(pool->fd, &file) == 0 && file.st_dev == pool->device && file.st_ino == pool->inode)
        return pool->fd;
    int fd = open(pool->path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &file) == 0 && file.st_dev == pool->device && file.st_ino == pool->inode) {
        *close_it = true;
        return fd;
    }
    close(fd);
    errno = ENOENT;
    return -1;
}

static bool only_count; /* of the blocks that would be asked for */
static uint64_t counted_bytes;

static int ask(const struct nvmi_pool *pool, uint64_t file_offset, uint64_t size_bytes)
{
    if (only_count) {
        counted_bytes += size_bytes;
        return 0;
    }
    bool close_it;
    int error, fd = own_descriptor(pool, &close_it);
    if (fd < 0)
        return errno;
    nvmi_event();
    if (file_offset >= pool->header.arena_offset + pool->header.page_offset)
        nvmi_have_huge(pool, fd, file_offset, size_bytes);
    do
        error = posix_fallocate(fd, (off_t)file_offset, (off_t)size_bytes);
    while (error == EINTR);
    if (close_it)
        close(fd);
    return error;
}

static int back_arena(const struct nvmi_pool *pool, struct nvmi_range r)
{
    return ask(pool, pool->header.arena_offset + r.offset, r.size_bytes);
}

/* What stands before the area, or, where libpmemobj has all of the pool, all. */
static int back_rest(const struct nvmi_pool *pool)
{
    const struct nvm_disk_header *h = &pool->header;
    return ask(pool, 0, pool->format->grows ? h->log_offset : h->pool_size_bytes);
}

/* Nobody else sees what this process stores. The pages of the file must not be
 * touched either: a file system in memory would give them blocks. */
static int back_by_memory(const struct nvmi_pool *pool, struct nvmi_range r)
{
    const uint64_t machine_page = 4096;
    uint64_t size_bytes = (r.size_bytes + machine_page - 1) / machine_page * machine_page;
    void *p = mmap(pool->heap + r.offset, size_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (p == MAP_FAILED)
        return errno;
    if (!pool->snapshot)
        nvmi_have_huge_memory(p, size_bytes);
    return 0;
}

int nvmi_back_pages(struct nvmi_pool *pool, uint64_t pages)
{
    struct nvmi_range range[NVMI_MAX_RANGES];
    uint32_t from = pool->backed_pages, to = nvmi_backing_up(pool, pages);
    bool in_memory = pool->snapshot || (pool->engine && !pool->engine->durable);
    const struct nvm_engine *format = pool->format;
    if (to <= from)
        return 0;
    if (!format->grows)
        to = (uint32_t)pool->header.page_count;
    int error = !in_memory && from == 0 ? back_rest(pool) : 0;
    if (!error && !in_memory && format->back)
        error = format->back(pool, from, to);
    unsigned count = nvmi_arena_ranges(pool, from, to, range);
    for (unsigned i = 0; !error && i < count && format->grows; i++)
        error = in_memory ? back_by_memory(pool, range[i]) : back_arena(pool, range[i]);
    if (!error)
        __atomic_store_n(&pool->backed_pages, to, __ATOMIC_RELAXED);
    return error;
}

void nvmi_back_ahead(struct nvmi_pool *pool)
{
    static uint32_t asked; /* the pages before this one have been asked for */
    uint32_t from = pool->backed_pages, end = nvmi_backing_up(pool, (uint64_t)from + 1);
    if (pool->snapshot || !pool->engine->durable || !pool->format->grows)
        return;
    if (asked < from || asked > end)
        asked = from;
    if (asked == from && !nvmi_medium_is_volatile(pool->fd))
        asked = end; /* the file system is asked once for a part */
    if (asked == end)
        return;
    uint32_t count = end - asked < AHEAD_PAGES ? end - asked : AHEAD_PAGES;
    back_arena(pool,
               (struct nvmi_range){pool->header.page_offset + (uint64_t)asked * NVM_PAGE_BYTES,
                                   (uint64_t)count * NVM_PAGE_BYTES});
    asked += count;
}

int nvmi_back_area(struct nvmi_pool *pool, uint64_t offset, uint64_t size_bytes)
{
    const struct nvm_disk_header *h = &pool->header;
    if (offset >= h->log_size_bytes)
        return 0;
    if (size_bytes > h->log_size_bytes - offset)
        size_bytes = h->log_size_bytes - offset;
    return ask(pool, h->log_offset + offset, size_bytes);
}

/* Two threads may ask at once, one of them to have pages: the lesser value is right, too. */
static uint64_t log_has(const struct nvmi_pool *pool)
{
    return __atomic_load_n(&pool->log_backed_bytes, __ATOMIC_RELAXED);
}

static int give_log(struct nvmi_pool *pool, uint64_t have, uint64_t wanted)
{
    int error = nvmi_back_area(pool, have, wanted - have);
    if (!error)
        __atomic_store_n(&pool->log_backed_bytes, wanted, __ATOMIC_RELAXED);
    return error;
}

bool nvmi_back_log(struct nvmi_pool *pool, uint64_t size_bytes)
{
    uint64_t most = pool->header.log_size_bytes, have = log_has(pool);
    if (size_bytes <= have)
        return true;
    if (size_bytes > most)
        return false;
    uint64_t wanted = size_bytes + LOG_FLOOR_BYTES < most ? size_bytes + LOG_FLOOR_BYTES : most;
    return give_log(pool, have, wanted) == 0;
}

const char *nvmi_log_full_reason(const struct nvmi_pool *pool)
{
    return pool->log_backed_bytes < pool->header.log_size_bytes ? ", and the disk is full" : "";
}

int nvmi_back_log_share(struct nvmi_pool *pool, uint64_t from, uint64_t to)
{
    uint64_t most = pool->header.log_size_bytes, have = log_has(pool);
    uint64_t share = (uint64_t)((double)most * (double)to / (double)pool->header.page_count);
    uint64_t wanted = to == pool->header.page_count || share + LOG_FLOOR_BYTES > most
                          ? most
                          : share + LOG_FLOOR_BYTES;
    (void)from;
    return wanted <= have ? 0 : give_log(pool, have, wanted);
}

/* In a file system in memory each page costs something to ask for; and the count
 * of blocks is exact there. */
static bool has_all_blocks(struct nvmi_pool *pool, uint32_t pages)
{
    struct stat file;
    if (!nvmi_medium_is_volatile(pool->fd) || fstat(pool->fd, &file) != 0)
        return false;
    only_count = true;
    counted_bytes = 0;
    nvmi_back_pages(pool, pages);
    only_count = false;
    return (uint64_t)file.st_blocks * 512 >= counted_bytes;
}

int nvmi_back_open(struct nvmi_pool *pool)
{
    uint64_t used = pool->restored ? nvmi_heap_header()->virgin_page : 0;
    uint32_t pages = nvmi_backing_up(pool, used ? used : 1);
    pool->backed_pages = 0;
    if (!pool->engine->durable) { /* as far as the file goes */
        pool->backed_pages = pages;
        return 0;
    }
    if (has_all_blocks(pool, pages))
        return 0;
    pool->backed_pages = 0;
    pool->log_backed_bytes = 0;
    int error = nvmi_back_pages(pool, pages);
    if (!error)
        return 0;
    return nvmi_fail(error, error == ENOSPC || error == EDQUOT ? "pool-full" : "pool-io",
                     "%s: disk blocks for its contents cannot be allocated: %s", pool->path,
                     strerror(error));
}
