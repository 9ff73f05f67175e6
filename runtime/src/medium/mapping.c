/*===- mapping.c - the pool file in the address space -----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "medium/mapping.h"
#include "base/error.h"
#include "base/memory.h"
#include "medium/medium.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MAP_SHARED_VALIDATE
#define MAP_SHARED_VALIDATE 0x03
#endif
#ifndef MAP_SYNC
#define MAP_SYNC 0x080000
#endif

static int refused(const struct nvmi_pool *pool, int error)
{
    return nvmi_fail(ENOMEM, "no-memory", "%s cannot be mapped: %s", pool->path, strerror(error));
}

/* Takes the addresses, to be mapped over piece by piece. */
static unsigned char *take_addresses(void *wanted, size_t size_bytes)
{
    int fixed = wanted ? MAP_FIXED_NOREPLACE : 0;
    void *p = mmap(wanted, size_bytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    if (wanted && p != wanted) { /* an old kernel takes the flag for a hint */
        munmap(p, size_bytes);
        errno = EEXIST;
        return NULL;
    }
    return p;
}

/* Who writes to a disk wants it to get page by page what changed: docs/decisions/0085. 0 or
 * ENOMEM. */
static int mapped(const struct nvmi_pool *pool, void *p, uint64_t size_bytes, bool only_look)
{
    if (p == MAP_FAILED)
        return refused(pool, errno);
    if (!only_look && !nvmi_medium_is_volatile(pool->fd))
        madvise(p, size_bytes, MADV_RANDOM); /* a hint */
    return 0;
}

static int map_arena(const struct nvmi_pool *pool, void *to, int access, int flags, bool only_look)
{
    const struct nvm_disk_header *h = &pool->header;
    void *p =
        mmap(to, h->arena_size_bytes, access, flags | MAP_FIXED, pool->fd, (off_t)h->arena_offset);
    return mapped(pool, p, h->arena_size_bytes, only_look);
}

/* With MAP_SYNC the file system's own metadata of a page are durable before the
 * page can be written to. */
static int shared(const struct nvmi_pool *pool)
{
    return pool->power && pool->dax ? MAP_SHARED_VALIDATE | MAP_SYNC : MAP_SHARED;
}

int nvmi_map(struct nvmi_pool *pool, uint64_t control_offset, bool only_look)
{
    const struct nvm_disk_header *h = &pool->header;
    void *wanted = only_look ? NULL : (void *)(uintptr_t)h->heap_address;
    int access = only_look ? PROT_READ : PROT_READ | PROT_WRITE;
    pool->heap = take_addresses(wanted, h->arena_size_bytes);
    if (!pool->heap)
        return nvmi_fail(ENOMEM, "address-taken",
                         "%s must be mapped at %p, which this process already uses: %s; "
                         "NVM_RELOCATE=1 or nvm-pool relocate moves it",
                         pool->path, wanted, strerror(errno));
    pool->home = take_addresses(NULL, h->arena_size_bytes);
    if (!pool->home)
        return refused(pool, errno);
    int error =
        map_arena(pool, pool->heap, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, only_look);
    if (!error)
        error = map_arena(pool, pool->home, access, shared(pool), only_look);
    if (error)
        return error;
    void *log = mmap(NULL, h->log_size_bytes, access, shared(pool), pool->fd, (off_t)h->log_offset);
    if ((error = mapped(pool, log, h->log_size_bytes, only_look)))
        return error;
    pool->log = log;
    uint64_t start = control_offset / NVMI_MACHINE_PAGE_BYTES * NVMI_MACHINE_PAGE_BYTES;
    pool->control_page_bytes = 2 * NVMI_MACHINE_PAGE_BYTES;
    void *page = mmap(NULL, pool->control_page_bytes, access, shared(pool), pool->fd, (off_t)start);
    if (page == MAP_FAILED)
        return refused(pool, errno);
    pool->control_page = page;
    pool->control = (unsigned char *)page + (control_offset - start);
    return 0;
}

int nvmi_map_direct(struct nvmi_pool *pool)
{
    return map_arena(pool, pool->heap, PROT_READ | PROT_WRITE, shared(pool), false);
}

int nvmi_map_area_as_heap(struct nvmi_pool *pool)
{
    const struct nvm_disk_header *h = &pool->header;
    void *p = mmap(pool->heap, h->arena_size_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, pool->fd, (off_t)h->log_offset);
    return mapped(pool, p, h->arena_size_bytes, false);
}

void nvmi_unmap(struct nvmi_pool *pool)
{
    const struct nvm_disk_header *h = &pool->header;
    if (pool->heap)
        munmap(pool->heap, h->arena_size_bytes);
    if (pool->home)
        munmap(pool->home, h->arena_size_bytes);
    if (pool->log)
        munmap(pool->log, h->log_size_bytes);
    if (pool->control_page)
        munmap(pool->control_page, pool->control_page_bytes);
    pool->heap = pool->home = pool->log = pool->control = pool->control_page = NULL;
}
