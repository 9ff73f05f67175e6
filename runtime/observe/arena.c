/*===- arena.c - all blocks of the program ---===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Pages of 64 KiB hold blocks of one size each; larger blocks have pages of their
 * own. What is known of a block stands in a table beside, by its first 16 bytes, so
 * that a program that writes where it must not does not change it.
 */
#define _GNU_SOURCE
#include "observe.h"
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE_BYTES (1ull << 16)
#define PAGES (NVMI_ARENA_BYTES / PAGE_BYTES)
#define MOST_SMALL (PAGE_BYTES / 2)
#define CLASSES 81u

struct page {
    uint32_t first;       /* of a larger block's pages */
    uint32_t pages;       /* at the first one: how many */
    uint32_t class_bytes; /* 0: a larger block, or none */
    bool is_free;         /* at the first one */
};
struct free_block {
    struct free_block *next;
};

pthread_mutex_t nvmi_observe_lock = PTHREAD_MUTEX_INITIALIZER;
uintptr_t nvmi_arena;
static struct page *pages;
static uint32_t page_count;
static struct nvmi_block *blocks; /* by their first 16 bytes */
static struct free_block *lists[CLASSES];

void nvmi_arena_open(void)
{
    if (nvmi_arena)
        return;
    pages = nvmi_obtain(PAGES * sizeof(*pages));
    blocks = nvmi_obtain(NVMI_ARENA_BYTES / 16 * sizeof(*blocks));
    uintptr_t p = (uintptr_t)nvmi_obtain(NVMI_ARENA_BYTES + PAGE_BYTES);
    nvmi_arena = (p + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static struct nvmi_block *block_of(uintptr_t start)
{
    return &blocks[(start - nvmi_arena) / 16];
}

/* Steps of 16 bytes up to 512, then eight for each power of two. */
static unsigned class_of(size_t size_bytes, uint32_t *class_bytes)
{
    if (size_bytes <= 512) {
        unsigned n = size_bytes ? (unsigned)((size_bytes + 15) / 16) : 1;
        *class_bytes = n * 16;
        return n;
    }
    unsigned shift = 63u - (unsigned)__builtin_clzll(size_bytes - 1);
    unsigned step = (unsigned)((size_bytes - 1) >> (shift - 3)) & 7;
    *class_bytes = (9 + step) << (shift - 3);
    return 33 + (shift - 9) * 8 + step;
}

/* The first one of `count` pages; 0 is none: the arena is never that empty, since its
 * first page is left out. */
static uint32_t take_pages(uint32_t count)
{
    for (uint32_t at = 1; at < page_count; at += pages[at].pages) {
        if (!pages[at].is_free)
            continue;
        for (uint32_t next = at + pages[at].pages; next < page_count && pages[next].is_free;
             next = at + pages[at].pages)
            pages[at].pages += pages[next].pages;
        if (pages[at].pages < count)
            continue;
        if (pages[at].pages > count) {
            pages[at + count].pages = pages[at].pages - count;
            pages[at + count].is_free = true;
            pages[at + count].class_bytes = 0;
        }
        pages[at].pages = count;
        pages[at].is_free = false;
        return at;
    }
    if (!page_count)
        page_count = 1;
    if (count > PAGES - page_count)
        return 0;
    uint32_t at = page_count;
    page_count += count;
    pages[at].pages = count;
    return at;
}

static uintptr_t address_of(uint32_t page)
{
    return nvmi_arena + page * PAGE_BYTES;
}

static bool fill_list(unsigned class, uint32_t class_bytes)
{
    uint32_t at = take_pages(1);
    if (!at)
        return false;
    pages[at].first = at;
    pages[at].class_bytes = class_bytes;
    for (uint32_t i = (uint32_t)(PAGE_BYTES / class_bytes); i-- > 0;) {
        struct free_block *block = (struct free_block *)(address_of(at) + i * class_bytes);
        block->next = lists[class];
        lists[class] = block;
    }
    return true;
}

static void *take_large(size_t size_bytes, size_t align)
{
    size_t room = align > PAGE_BYTES ? align : 0;
    if (size_bytes > NVMI_ARENA_BYTES / 2 || room > NVMI_ARENA_BYTES / 4)
        return NULL;
    uint32_t count = (uint32_t)((size_bytes + room + PAGE_BYTES - 1) / PAGE_BYTES);
    uint32_t at = take_pages(count ? count : 1);
    if (!at)
        return NULL;
    for (uint32_t i = 0; i < pages[at].pages; i++) {
        pages[at + i].first = at;
        pages[at + i].class_bytes = 0;
    }
    /* Of one that is aligned to more the beginning is not used. */
    uintptr_t start = address_of(at);
    return (void *)(room ? (start + align - 1) / align * align : start);
}

void *nvmi_arena_take(size_t size_bytes, size_t align)
{
    nvmi_arena_open();
    if (size_bytes > MOST_SMALL || align > 16)
        return take_large(size_bytes, align);
    uint32_t class_bytes;
    unsigned class = class_of(size_bytes, &class_bytes);
    if (!lists[class] && !fill_list(class, class_bytes))
        return NULL;
    struct free_block *block = lists[class];
    lists[class] = block->next;
    /* Addresses that were left there would lead to other blocks. */
    return memset(block, 0, class_bytes);
}

void nvmi_arena_give(uintptr_t start, struct nvmi_block *block)
{
    struct page *page = &pages[pages[(start - nvmi_arena) / PAGE_BYTES].first];
    block->state = 0;
    if (page->class_bytes) {
        uint32_t class_bytes;
        unsigned class = class_of(page->class_bytes, &class_bytes);
        struct free_block *freed = (struct free_block *)start;
        freed->next = lists[class];
        lists[class] = freed;
        return;
    }
    page->is_free = true;
    madvise((void *)address_of((uint32_t)(page - pages)), page->pages * PAGE_BYTES, MADV_DONTNEED);
}

struct nvmi_block *nvmi_block_at(uintptr_t address, uintptr_t *start)
{
    if (address - nvmi_arena >= page_count * PAGE_BYTES)
        return NULL;
    uint32_t at = pages[(address - nvmi_arena) / PAGE_BYTES].first;
    const struct page *page = &pages[at];
    uintptr_t begin = address_of(at);
    if (page->is_free)
        return NULL;
    if (page->class_bytes)
        begin += (address - begin) / page->class_bytes * page->class_bytes;
    else /* one that is aligned to more begins later */
        while (!block_of(begin)->state && begin + PAGE_BYTES <= address)
            begin += PAGE_BYTES;
    struct nvmi_block *block = block_of(begin);
    /* The address behind the last byte belongs to the block, too: for (; p < end; p++) */
    if (!(block->state & NVMI_LIVE) || address - begin > block->size_bytes)
        return NULL;
    *start = begin;
    return block;
}

void nvmi_each_block(void (*visit)(uintptr_t start, struct nvmi_block *block))
{
    for (uint32_t at = 1; at < page_count; at += pages[at].pages) {
        uint64_t step = pages[at].class_bytes ? pages[at].class_bytes : PAGE_BYTES;
        uintptr_t end = address_of(at) + pages[at].pages * PAGE_BYTES;
        if (!pages[at].is_free)
            for (uintptr_t p = address_of(at); p + step <= end; p += step)
                if (block_of(p)->state & NVMI_LIVE)
                    visit(p, block_of(p));
    }
}

/*===-- malloc() and its like, for the program and for its libraries --------===*/

static struct nvmi_block *begin_block(void *p, size_t size_bytes, uint32_t site)
{
    struct nvmi_block *block = block_of((uintptr_t)p);
    unsigned state = nvmi_phase == NVMI_IN_LOAD ? NVMI_OF_LOAD
                     : nvmi_phase == NVMI_AFTER ? NVMI_OF_LATER
                                                : 0;
    *block = (struct nvmi_block){size_bytes, site, (uint16_t)(NVMI_LIVE | state), 0};
    nvmi_bits_clear((uintptr_t)p, size_bytes);
    if (nvmi_phase == NVMI_IN_LOAD)
        nvmi_sites[site].made++;
    return block;
}

static void *make(size_t size_bytes, size_t align, const void *caller)
{
    pthread_mutex_lock(&nvmi_observe_lock);
    void *p = nvmi_arena_take(size_bytes, align);
    if (p)
        begin_block(p, size_bytes, nvmi_site_of(caller));
    pthread_mutex_unlock(&nvmi_observe_lock);
    if (!p)
        errno = ENOMEM;
    return p;
}

static void release(uintptr_t start, struct nvmi_block *block)
{
    nvmi_block_ends(start, block);
    nvmi_arena_give(start, block);
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size_bytes)
{
    return make(size_bytes, 16, CALLER);
}

void *calloc(size_t n, size_t size_bytes)
{
    size_t all;
    if (__builtin_mul_overflow(n, size_bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = make(all, 16, CALLER);
    return p ? memset(p, 0, all) : NULL;
}

void free(void *p)
{
    uintptr_t start;
    if (!p)
        return;
    pthread_mutex_lock(&nvmi_observe_lock);
    struct nvmi_block *block = nvmi_block_at((uintptr_t)p, &start);
    if (block && start == (uintptr_t)p)
        release(start, block);
    pthread_mutex_unlock(&nvmi_observe_lock);
}

static void *resize(void *old, size_t size_bytes, const void *caller)
{
    uintptr_t start;
    void *p = NULL;
    pthread_mutex_lock(&nvmi_observe_lock);
    struct nvmi_block *block = nvmi_block_at((uintptr_t)old, &start);
    if (block && (p = nvmi_arena_take(size_bytes, 16))) {
        size_t common = size_bytes < block->size_bytes ? size_bytes : block->size_bytes;
        uint16_t kept = block->state & (NVMI_KEPT | NVMI_LATER | NVMI_LEADS);
        memcpy(p, old, common);
        struct nvmi_block *made = begin_block(p, size_bytes, nvmi_site_of(caller));
        nvmi_bits_move((uintptr_t)p, start, common);
        made->state |= kept;
        release(start, block);
    }
    pthread_mutex_unlock(&nvmi_observe_lock);
    if (!p)
        errno = ENOMEM;
    return p;
}

void *realloc(void *old, size_t size_bytes)
{
    if (!old)
        return make(size_bytes, 16, CALLER);
    if (size_bytes)
        return resize(old, size_bytes, CALLER);
    free(old);
    return NULL;
}

void *reallocarray(void *old, size_t n, size_t size_bytes)
{
    size_t all;
    if (__builtin_mul_overflow(n, size_bytes, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    return old ? resize(old, all ? all : 1, CALLER) : make(all, 16, CALLER);
}

int posix_memalign(void **p, size_t align, size_t size_bytes)
{
    if (align % sizeof(void *) || (align & (align - 1)) || !align)
        return EINVAL;
    int before = errno;
    void *made = make(size_bytes, align, CALLER);
    errno = before;
    if (!made)
        return ENOMEM;
    *p = made;
    return 0;
}

void *aligned_alloc(size_t align, size_t size_bytes)
{
    return make(size_bytes, align, CALLER);
}

void *memalign(size_t align, size_t size_bytes)
{
    return make(size_bytes, align, CALLER);
}

void *valloc(size_t size_bytes)
{
    return make(size_bytes, 4096, CALLER);
}

/* For the wrappers. */
void *nvm_realloc(void *old, size_t size_bytes);
void *nvm_realloc(void *old, size_t size_bytes)
{
    return old ? resize(old, size_bytes, CALLER) : make(size_bytes, 16, CALLER);
}

size_t malloc_usable_size(void *p)
{
    uintptr_t start;
    pthread_mutex_lock(&nvmi_observe_lock);
    struct nvmi_block *block = p ? nvmi_block_at((uintptr_t)p, &start) : NULL;
    size_t bytes = block && start == (uintptr_t)p ? block->size_bytes : 0;
    pthread_mutex_unlock(&nvmi_observe_lock);
    return bytes;
}
