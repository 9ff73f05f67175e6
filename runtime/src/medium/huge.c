/*===- huge.c - pages of 2 MiB behind the pool ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "medium/huge.h"
#include "base/memory.h"
#include "medium/medium.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MADV_COLLAPSE /* Linux 6.1 */
#define MADV_COLLAPSE 25
#endif

#define SAMPLE 16u /* of the pages in use, when somebody asks what they lie on */

static uint64_t up(uint64_t x)
{
    return (x + NVMI_HUGE_BYTES - 1) / NVMI_HUGE_BYTES * NVMI_HUGE_BYTES;
}

/* A part of the file at addresses that huge pages can have. `size_bytes`: of some. NULL: there
 * are no addresses. */
static unsigned char *window(int fd, uint64_t file_offset, uint64_t size_bytes, int access)
{
    uint64_t reserved_bytes = size_bytes + NVMI_HUGE_BYTES;
    unsigned char *all =
        mmap(NULL, reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    unsigned char *at = (unsigned char *)up((uintptr_t)all), *end = at + size_bytes;
    if (at > all)
        munmap(all, (size_t)(at - all));
    munmap(end, (size_t)(all + reserved_bytes - end));
    void *p = mmap(at, size_bytes, access, MAP_SHARED | MAP_FIXED, fd, (off_t)file_offset);
    if (p != MAP_FAILED)
        return p;
    munmap(at, size_bytes);
    return NULL;
}

/* Whole huge pages that begin in [from, to) and end in the arena. */
static bool whole_ones(const struct nvm_disk_header *h, uint64_t *from, uint64_t *to)
{
    uint64_t end = h->arena_offset + h->arena_size_bytes;
    *from = up(*from);
    *to = up(*to);
    if (*to > end)
        *to = end / NVMI_HUGE_BYTES * NVMI_HUGE_BYTES;
    return *from < *to && h->arena_offset % NVMI_HUGE_BYTES == 0 &&
           h->heap_address % NVMI_HUGE_BYTES == 0;
}

void nvmi_have_huge(const struct nvmi_pool *pool, int fd, uint64_t file_offset, uint64_t size_bytes)
{
    static bool unsupported;
    uint64_t from = file_offset, to = file_offset + size_bytes;
    if (unsupported || !whole_ones(&pool->header, &from, &to) || !nvmi_medium_is_volatile(fd))
        return;
    int error = errno;
    unsigned char *p = window(fd, from, to - from, PROT_READ | PROT_WRITE);
    if (p) {
        /* Each is made of a page that is there; a full disk is told here, not by a signal. */
        for (uint64_t at = 0; at < to - from && !unsupported; at += NVMI_HUGE_BYTES)
            if (posix_fallocate(fd, (off_t)(from + at), NVMI_MACHINE_PAGE_BYTES) != 0)
                break;
            else if (madvise(p + at, NVMI_MACHINE_PAGE_BYTES, MADV_POPULATE_READ) != 0 ||
                     madvise(p + at, NVMI_HUGE_BYTES, MADV_COLLAPSE) != 0)
                unsupported = errno == EINVAL;
        munmap(p, to - from);
    }
    errno = error;
}

void nvmi_have_huge_memory(void *p, uint64_t size_bytes)
{
    int error = errno;
    madvise(p, size_bytes, MADV_HUGEPAGE); /* a hint */
    errno = error;
}

/* How much of the mapping that begins at `p` lies on huge pages. */
static uint64_t huge_bytes_at(const unsigned char *p)
{
    FILE *maps = fopen("/proc/self/smaps", "re");
    char line[512];
    uint64_t start, end, kib, huge_kib = 0;
    bool here = false;
    while (maps && fgets(line, sizeof(line), maps)) {
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &start, &end) == 2) {
            if (here)
                break;
            here = start <= (uintptr_t)p && (uintptr_t)p < end;
        } else if (here && (sscanf(line, "ShmemPmdMapped: %" SCNu64, &kib) == 1 ||
                            sscanf(line, "FilePmdMapped: %" SCNu64, &kib) == 1))
            huge_kib += kib;
    }
    if (maps)
        fclose(maps);
    return huge_kib << 10;
}

const char *nvmi_page_size_of(const struct nvmi_pool *pool)
{
    const struct nvm_disk_header *h = &pool->header;
    const struct nvm_disk_heap *heap = (const void *)pool->home;
    uint64_t pages = heap->virgin_page < h->page_count ? heap->virgin_page : h->page_count;
    uint64_t from = h->arena_offset + h->page_offset, to = from + pages * NVM_PAGE_BYTES;
    if (!nvmi_medium_is_volatile(pool->fd))
        return NULL;
    from = up(from);
    uint64_t count = to > from ? (up(to) - from) / NVMI_HUGE_BYTES : 0;
    if (count == 0)
        return NULL;
    uint64_t step = (count + SAMPLE - 1) / SAMPLE, looked = 0;
    uint64_t end = from + count * NVMI_HUGE_BYTES;
    if (end > h->arena_offset + h->arena_size_bytes)
        end = h->arena_offset + h->arena_size_bytes;
    unsigned char *p = window(pool->fd, from, end - from, PROT_READ);
    if (!p)
        return NULL;
    for (uint64_t i = 0; i < count; i += step, looked++)
        (void)*(volatile unsigned char *)(p + i * NVMI_HUGE_BYTES);
    uint64_t huge = huge_bytes_at(p) / NVMI_HUGE_BYTES;
    munmap(p, end - from);
    return huge == 0 ? "4 KiB pages" : huge < looked ? "2 MiB pages in part" : "2 MiB pages";
}
