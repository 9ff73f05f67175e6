/*===- heap.c - blocks ------------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap/heap.h"
#include "base/crc32c.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/taken.h"
#include "heap/arena.h"
#include "heap/classes.h"
#include "heap/directory.h"
#include "heap/large.h"
#include "heap/slab.h"
#include "hook/hook.h"
#include "hook/logged_words.h"
#include "medium/backing.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

/*===-- Allocating ----------------------------------------------------------===*/

static void zero_from(unsigned char *p, size_t from, size_t size_bytes)
{
    if (from < size_bytes)
        memset(nvm_store(p + from, size_bytes - from), 0, size_bytes - from);
}

static void *large_alloc(unsigned type, size_t size_bytes, enum nvmi_zero zero)
{
    nvmi_pages_lock();
    void *p = nvmi_large_alloc(type, size_bytes, zero == NVMI_ZERO_ALL);
    nvmi_pages_unlock();
    if (p && zero == NVMI_ZERO_SLACK)
        zero_from(p, size_bytes, nvmi_large_up(size_bytes));
    return p;
}

/* The bin points at no free block. */
static void *take_slowly(struct nvmi_arena *arena, unsigned type, unsigned size_class,
                         bool may_grow)
{
    const struct nvm_engine *engine = nvmi_pool.engine;
    struct nvmi_bin *bin = nvmi_bin_at(arena, type, size_class);
    void *p = NULL;
    nvmi_arena_lock(arena);
    if (nvmi_slab_choose(arena, type, size_class, may_grow))
        p = nvmi_bin_take(arena, bin, size_class);
    /* What is stored in the block may outlive a crash before the next commit. */
    if (p && !engine->goes_back)
        nvmi_bin_publish(bin);
    nvmi_arena_unlock(arena);
    return p;
}

/* There may be no page left, but other threads' slabs may have room. */
static __attribute__((noinline)) void *alloc_slowly(struct nvmi_arena *arena, unsigned type,
                                                    unsigned size_class)
{
    void *p = take_slowly(arena, type, size_class, true);
    unsigned count = __atomic_load_n(&nvmi_arena_count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < count && !p; i++)
        p = take_slowly(&nvmi_arenas[i], type, size_class, false);
    return p;
}

static inline void *slab_alloc(unsigned type, unsigned size_class, size_t size_bytes,
                               enum nvmi_zero zero)
{
    struct nvmi_arena *arena = nvmi_arena_of_thread();
    nvmi_arena_lock(arena);
    void *p = nvmi_bin_take(arena, nvmi_bin_at(arena, type, size_class), size_class);
    nvmi_arena_unlock(arena);
    if (__builtin_expect(p == NULL, 0))
        p = alloc_slowly(arena, type, size_class);
    if (zero != NVMI_ZERO_NONE && p)
        zero_from(p, zero == NVMI_ZERO_ALL ? 0 : size_bytes, nvmi_class[size_class].bytes);
    return p;
}

void *nvmi_heap_alloc(unsigned type, size_t size_bytes, enum nvmi_zero zero)
{
    if (size_bytes > NVMI_SLAB_MAX_BYTES)
        return nvmi_heap_alloc_aligned(type, 1, size_bytes, zero);
    nvmi_use();
    if (nvmi_event_full())
        return NULL;
    return slab_alloc(type, nvmi_size_class(size_bytes), size_bytes, zero);
}

void *nvmi_heap_alloc_aligned(unsigned type, size_t alignment, size_t size_bytes,
                              enum nvmi_zero zero)
{
    nvmi_use();
    if (nvmi_event_full())
        return NULL;
    if (size_bytes > NVMI_SLAB_MAX_BYTES || alignment > NVMI_SLAB_MAX_BYTES)
        return large_alloc(type, size_bytes, zero);
    unsigned size_class = nvmi_size_class(size_bytes);
    while (alignment > 16 && nvmi_class_bytes(size_class) % alignment)
        size_class++; /* each power of two is a class */
    return slab_alloc(type, size_class, size_bytes, zero);
}

/*===-- Freeing -------------------------------------------------------------===*/

static void push(struct nvmi_deferred *d, const void *p)
{
    if (d->count == d->capacity) {
        size_t capacity = d->capacity ? 2 * d->capacity : 8192;
        void *offset = nvmi_reserve(capacity * sizeof(uint64_t));
        if (!offset)
            nvmi_die(NVMI_EXIT_FULL, "no-memory", "no memory for the list of freed blocks");
        if (d->count)
            memcpy(offset, d->offset, d->count * sizeof(uint64_t));
        nvmi_release(d->offset, d->capacity * sizeof(uint64_t));
        d->offset = offset;
        d->capacity = capacity;
    }
    d->offset[d->count++] = (uint64_t)((const unsigned char *)p - nvmi_pool.heap);
}

size_t nvmi_heap_deferred(void)
{
    size_t sum = nvmi_heap.deferred.count;
    for (unsigned i = 0; i < nvmi_arena_count; i++)
        sum += nvmi_arenas[i].deferred;
    return sum;
}

static _Noreturn void no_block(const void *p)
{
    nvmi_bug("%p is not an allocated block of the heap (freed twice?)", p);
}

/* The page that p lies in, if it lies in one. */
static bool page_of(const void *p, uint32_t *page, uint32_t *offset_in_page)
{
    uint64_t offset = (uint64_t)((const unsigned char *)p - nvmi_heap.pages);
    *page = (uint32_t)(offset / NVM_PAGE_BYTES);
    *offset_in_page = offset % NVM_PAGE_BYTES;
    return (const unsigned char *)p >= nvmi_heap.pages &&
           offset < (uint64_t)__atomic_load_n(&nvmi_pool.backed_pages, __ATOMIC_RELAXED) *
                        NVM_PAGE_BYTES;
}

static bool frees_at_once(void)
{
    return nvmi_pool.free_at_once || nvmi_pool.snapshot;
}

static void free_large(uint32_t page, const void *p)
{
    nvmi_pages_lock();
    if (frees_at_once() || (nvmi_heap.info[page].fresh && nvmi_is_covered()))
        nvmi_large_release(page);
    else
        push(&nvmi_heap.deferred, p);
    nvmi_pages_unlock();
}

static void free_in_slab(uint32_t page, uint32_t at, const void *p)
{
    struct nvmi_arena *arena = nvmi_arena_lock_of(page);
    if (!nvmi_slab_free(arena, page, at, frees_at_once()))
        no_block(p);
    nvmi_arena_unlock(arena);
}

static __attribute__((noinline)) void free_slowly(const void *p)
{
    uint32_t page, at;
    if (!page_of(p, &page, &at))
        no_block(p);
    unsigned state = nvmi_heap.directory[page].state;
    bool alone = nvmi_heap_watch && !nvmi_has_all; /* who watches does so for all threads */
    if (alone)
        nvmi_heap_lock_all();
    void (*watch)(const void *) = nvmi_heap_watch;
    if (watch)
        watch(p);
    if (state == NVM_PAGE_SLAB)
        free_in_slab(page, at, p);
    else if (state == NVM_PAGE_LARGE && at == 0)
        free_large(page, p);
    else
        no_block(p);
    if (alone)
        nvmi_heap_unlock_all();
}

void nvmi_heap_free(void *p)
{
    uint32_t page, at;
    nvmi_use();
    nvmi_event();
    if (nvmi_heap_watch || frees_at_once() || !page_of(p, &page, &at)) {
        free_slowly(p);
        return;
    }
    struct nvmi_arena *arena = nvmi_arena_lock_of(page);
    bool freed = nvmi_slab_free_later(arena, page, at);
    nvmi_arena_unlock(arena);
    if (!freed)
        free_slowly(p);
}

/*===-- Commits -------------------------------------------------------------===*/

static uint32_t header_crc(const struct nvm_disk_heap *header)
{
    return nvmi_crc32c(0, header, offsetof(struct nvm_disk_heap, crc));
}

static void seal_header(void)
{
    if (nvmi_heap.header_changed)
        nvmi_heap_change()->crc = header_crc(nvmi_heap_header());
    nvmi_heap.header_changed = false;
}

/* Large blocks. */
static void apply_deferred(struct nvmi_deferred *d)
{
    for (size_t i = 0; i < d->count; i++) {
        uint32_t page, at;
        void *p = nvmi_pool.heap + d->offset[i];
        page_of(p, &page, &at);
        if (nvmi_heap.directory[page].state != NVM_PAGE_LARGE)
            nvmi_bug("%p was freed twice", p);
        nvmi_large_release(page);
    }
    d->count = 0;
}

void nvmi_heap_apply(void)
{
    for (unsigned i = 0; i < nvmi_arena_count; i++)
        nvmi_slabs_apply(&nvmi_arenas[i], frees_at_once());
    apply_deferred(&nvmi_heap.deferred);
    seal_header();
}

void nvmi_heap_committed(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    for (size_t i = 0; i < h->fresh.count; i++)
        h->info[h->fresh.page[i]].fresh = 0;
    h->fresh.count = 0;
    for (size_t i = 0; i < h->taken_count; i++)
        h->info[h->taken_pages[i]].taken = 0;
    h->taken_count = 0;
}

/*===-- Looking -------------------------------------------------------------===*/

bool nvmi_heap_resize(void *p, size_t size_bytes)
{
    struct nvmi_block block;
    uint32_t page, at;
    if (!nvmi_heap_find(p, &block) || block.start != p || !block.allocated)
        no_block(p);
    page_of(p, &page, &at);
    if (nvmi_heap.directory[page].state == NVM_PAGE_LARGE) {
        nvmi_pages_lock();
        bool resized = nvmi_large_resize(page, size_bytes);
        nvmi_pages_unlock();
        return resized;
    }
    return size_bytes <= block.size_bytes &&
           (size_bytes > block.size_bytes / 2 || block.size_bytes <= 32);
}

bool nvmi_heap_find(const void *p, struct nvmi_block *out)
{
    uint32_t page, at;
    if (!page_of(p, &page, &at))
        return false;
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    if (entry->state == NVM_PAGE_TAIL) {
        page -= entry->run;
        entry = &nvmi_heap.directory[page];
    }
    out->type = entry->type;
    if (entry->state == NVM_PAGE_LARGE) {
        out->start = nvmi_page_address(page);
        out->size_bytes = nvmi_large_bytes(entry);
        out->allocated = true;
        return true;
    }
    if (entry->state != NVM_PAGE_SLAB)
        return false;
    nvmi_slab_block(page, at, out);
    return true;
}

uint64_t nvmi_heap_used_bytes(void)
{
    return (uint64_t)nvmi_heap.used_pages * NVM_PAGE_BYTES;
}

void nvmi_heap_each_used(void (*visit)(void *context, uint64_t offset, uint64_t size_bytes),
                         void *context)
{
    struct nvmi_range range[NVMI_MAX_RANGES];
    unsigned count = nvmi_arena_ranges(&nvmi_pool, 0, nvmi_pool.backed_pages, range);
    for (unsigned i = 0; i + 1 < count; i++) /* the last are the pages */
        visit(context, range[i].offset, range[i].size_bytes);
    for (uint32_t page = 0; page < nvmi_pool.backed_pages; page++)
        if (nvmi_heap.directory[page].state != NVM_PAGE_FREE)
            visit(context, nvmi_pool.header.page_offset + (uint64_t)page * NVM_PAGE_BYTES,
                  NVM_PAGE_BYTES);
}

/* `torn`: half an entry is to be expected. */
static int check_entry(uint32_t page, bool torn, struct nvmi_looked_at *last)
{
    const struct nvm_disk_page *e = &nvmi_heap.directory[page];
    if (torn && nvmi_page_is_torn(e))
        return 0;
    bool fine =
        nvmi_page_fits(e, page, last) && e->state <= NVM_PAGE_TAIL && e->size_class < NVMI_CLASSES;
    if (e->state == NVM_PAGE_LARGE)
        fine = fine && e->run && e->run <= nvmi_pool.backed_pages - page &&
               (uint64_t)e->slack * 16 < (uint64_t)e->run * NVM_PAGE_BYTES;
    if (e->state == NVM_PAGE_TAIL)
        fine = fine && e->run <= page;
    return fine ? 0
                : nvmi_fail(EINVAL, "pool-damaged", "%s: entry %u of the page directory is damaged",
                            nvmi_pool.path, page);
}

static int reserve_all(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    h->words = nvmi_reserve((size_t)h->page_count * NVMI_PAGE_WORDS * sizeof(*h->words));
    h->info = nvmi_reserve(h->page_count * sizeof(*h->info));
    h->fresh.page = nvmi_reserve(h->page_count * sizeof(*h->fresh.page));
    h->taken_pages = nvmi_reserve(h->page_count * sizeof(*h->taken_pages));
    if (h->words && h->info && h->fresh.page && h->taken_pages &&
        nvmi_log_pages_open(h->page_count) && nvmi_arenas_open())
        return 0;
    return nvmi_fail(ENOMEM, "no-memory", "no address space for the heap's tables");
}

int nvmi_heap_header_check(void)
{
    const struct nvm_disk_heap *header = nvmi_heap_header();
    const struct nvm_engine *format = nvmi_pool.format;
    /* Where a crash does not take stores back, the header may be half written. */
    if (header->virgin_page <= nvmi_pool.header.page_count &&
        (!format->goes_back || header->crc == header_crc(header)))
        return 0;
    return nvmi_fail(EINVAL, "pool-damaged", "%s: the heap's header is damaged", nvmi_pool.path);
}

int nvmi_heap_open(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    const struct nvm_disk_header *d = &nvmi_pool.header;
    uint64_t virgin = nvmi_heap_header()->virgin_page;
    h->directory = (struct nvm_disk_page *)(void *)(nvmi_pool.heap + d->directory_offset);
    h->bitmaps = nvmi_pool.heap + d->bitmap_offset;
    h->pages = nvmi_pool.heap + d->page_offset;
    h->page_count = (uint32_t)d->page_count;
    h->dirty_pages = (uint32_t)nvmi_pool.control_read.dirty_pages;
    nvmi_classes_open();
    if (!nvmi_pool.backed_pages)
        nvmi_pool.backed_pages = nvmi_backing_up(&nvmi_pool, virgin);
    bool torn = nvmi_may_be_torn(&nvmi_pool);
    struct nvmi_looked_at last = {0};
    int error = reserve_all();
    for (uint32_t page = 0; !error && page < nvmi_pool.backed_pages; page++) {
        error = check_entry(page, torn, &last);
        h->used_pages += h->directory[page].state != NVM_PAGE_FREE;
    }
    h->found_pages = nvmi_pool.backed_pages;
    return error;
}

void nvmi_heap_close(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    nvmi_arenas_close();
    nvmi_log_pages_close();
    nvmi_release(h->words, (size_t)h->page_count * NVMI_PAGE_WORDS * sizeof(*h->words));
    nvmi_release(h->info, h->page_count * sizeof(*h->info));
    nvmi_release(h->fresh.page, h->page_count * sizeof(*h->fresh.page));
    nvmi_release(h->taken_pages, h->page_count * sizeof(*h->taken_pages));
    nvmi_release(h->deferred.offset, h->deferred.capacity * sizeof(uint64_t));
    *h = (struct nvmi_heap){.opened = h->opened + 1};
}
