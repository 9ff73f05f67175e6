/*===- heap.c - blocks ------------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "heap.h"
#include "backing.h"
#include "collect.h"
#include "crc32c.h"
#include "engines/engine.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

struct nvmi_heap nvmi_heap;

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define IS_SINGLE_THREADED __libc_single_threaded
#else
#define IS_SINGLE_THREADED 0
#endif

struct nvmi_arena nvmi_arenas[NVMI_ARENAS] = {
    [0 ... NVMI_ARENAS - 1] = {.lock = PTHREAD_MUTEX_INITIALIZER}};
static unsigned arena_count;  /* in use; grows under the heap lock */
static unsigned locked_count; /* by who has locked all */
static _Thread_local struct nvmi_arena *own_arena;
static _Thread_local bool has_all; /* this thread has locked everything */

/*===-- Locks ---------------------------------------------------------------===*/

/* A process without other threads need not lock: half of what an allocation costs. */
static inline void arena_lock(struct nvmi_arena *arena)
{
    if (has_all || IS_SINGLE_THREADED)
        return;
    pthread_mutex_lock(&arena->lock);
    arena->held = true;
}

bool nvmi_arena_try(struct nvmi_arena *arena)
{
    if (has_all || IS_SINGLE_THREADED)
        return true;
    if (pthread_mutex_trylock(&arena->lock) != 0)
        return false;
    arena->held = true;
    return true;
}

void nvmi_arena_unlock(struct nvmi_arena *arena)
{
    if (has_all || !arena->held)
        return;
    arena->held = false;
    pthread_mutex_unlock(&arena->lock);
}

void nvmi_pages_lock(void)
{
    if (!has_all)
        pthread_mutex_lock(&nvmi_heap_lock);
}

void nvmi_pages_unlock(void)
{
    if (!has_all)
        pthread_mutex_unlock(&nvmi_heap_lock);
}

/* A thread that has just got an arena of its own is not overlooked. */
void nvmi_heap_lock_all(void)
{
    unsigned locked = 0;
    for (;;) {
        unsigned count = __atomic_load_n(&arena_count, __ATOMIC_ACQUIRE);
        for (; locked < count; locked++)
            arena_lock(&nvmi_arenas[locked]);
        pthread_mutex_lock(&nvmi_heap_lock);
        if (locked == arena_count)
            break;
        pthread_mutex_unlock(&nvmi_heap_lock);
    }
    locked_count = locked;
    has_all = true;
}

void nvmi_heap_unlock_all(void)
{
    has_all = false;
    unsigned count = locked_count;
    pthread_mutex_unlock(&nvmi_heap_lock);
    for (unsigned i = count; i-- > 0;)
        nvmi_arena_unlock(&nvmi_arenas[i]);
}

void nvmi_heap_locks_in_child(void)
{
    pthread_mutex_init(&nvmi_heap_lock, NULL);
    for (unsigned i = 0; i < NVMI_ARENAS; i++) {
        pthread_mutex_init(&nvmi_arenas[i].lock, NULL);
        nvmi_arenas[i].held = false;
    }
    has_all = false;
}

/*===-- Arenas --------------------------------------------------------------===*/

static bool arena_open(struct nvmi_arena *arena)
{
    arena->bins = nvmi_reserve((NVMI_MAX_TYPES + 1) * NVMI_CLASSES * sizeof(*arena->bins));
    arena->fresh.page = nvmi_reserve(nvmi_heap.page_count * sizeof(*arena->fresh.page));
    return arena->bins && arena->fresh.page;
}

static void arena_close(struct nvmi_arena *arena)
{
    nvmi_release(arena->bins, (NVMI_MAX_TYPES + 1) * NVMI_CLASSES * sizeof(*arena->bins));
    nvmi_release(arena->fresh.page, nvmi_heap.page_count * sizeof(*arena->fresh.page));
    nvmi_release(arena->deferred.offset, arena->deferred.capacity * sizeof(uint64_t));
    arena->bins = NULL;
    arena->fresh = (struct nvmi_fresh){0};
    arena->deferred = (struct nvmi_deferred){0};
}

/* The first thread gets the first, so that one thread alone knows only one. */
static struct nvmi_arena *choose_arena(void)
{
    static unsigned next;
    nvmi_pages_lock();
    unsigned i = arena_count < NVMI_ARENAS ? arena_count : next++ % NVMI_ARENAS;
    if (nvmi_heap.threads++ == 0)
        i = 0;
    if (!nvmi_arenas[i].bins && !arena_open(&nvmi_arenas[i]))
        i = 0;
    if (nvmi_arenas[i].opened != nvmi_heap.opened)
        nvmi_arenas[i].opened = nvmi_heap.opened;
    if (i == arena_count)
        __atomic_store_n(&arena_count, i + 1, __ATOMIC_RELEASE);
    nvmi_pages_unlock();
    return &nvmi_arenas[i];
}

static inline struct nvmi_arena *arena_of_thread(void)
{
    if (__builtin_expect(!own_arena || own_arena->opened != nvmi_heap.opened, 0))
        own_arena = choose_arena();
    return own_arena;
}

/* The page's arena, locked: a page with a block in it changes hands only under the
 * lock of the one that has it. */
static struct nvmi_arena *lock_arena_of(uint32_t page)
{
    for (;;) {
        uint8_t index = __atomic_load_n(&nvmi_heap.info[page].arena, __ATOMIC_ACQUIRE);
        struct nvmi_arena *arena = &nvmi_arenas[index];
        arena_lock(arena);
        if (__atomic_load_n(&nvmi_heap.info[page].arena, __ATOMIC_RELAXED) == index)
            return arena;
        nvmi_arena_unlock(arena);
    }
}

/*===-- Allocating ----------------------------------------------------------===*/

static void *large_alloc(unsigned type, size_t size_bytes, bool zero)
{
    nvmi_pages_lock();
    void *p = nvmi_large_alloc(type, size_bytes, zero);
    nvmi_pages_unlock();
    return p;
}

/* There is no page left, but other threads' slabs may have room. */
static void *alloc_elsewhere(unsigned type, unsigned size_class)
{
    void *p = NULL;
    unsigned count = __atomic_load_n(&arena_count, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < count && !p; i++) {
        arena_lock(&nvmi_arenas[i]);
        p = nvmi_slab_alloc(&nvmi_arenas[i], type, size_class, false);
        nvmi_arena_unlock(&nvmi_arenas[i]);
    }
    return p;
}

void *nvmi_heap_alloc(unsigned type, size_t size_bytes, bool zero)
{
    return nvmi_heap_alloc_aligned(type, 1, size_bytes, zero);
}

void *nvmi_heap_alloc_aligned(unsigned type, size_t alignment, size_t size_bytes, bool zero)
{
    nvmi_event();
    if (size_bytes > NVMI_SLAB_MAX_BYTES || alignment > NVMI_SLAB_MAX_BYTES)
        return large_alloc(type, size_bytes, zero);
    unsigned size_class = nvmi_size_class(size_bytes);
    while (alignment > 16 && nvmi_class_bytes(size_class) % alignment)
        size_class++; /* each power of two is a class */
    struct nvmi_arena *arena = arena_of_thread();
    arena_lock(arena);
    void *p = nvmi_slab_alloc(arena, type, size_class, true);
    nvmi_arena_unlock(arena);
    if (__builtin_expect(!p, 0))
        p = alloc_elsewhere(type, size_class);
    if (p && zero) {
        size_t bytes = nvmi_class_bytes(size_class);
        memset(nvm_store(p, bytes), 0, bytes);
    }
    return p;
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
    for (unsigned i = 0; i < arena_count; i++)
        sum += nvmi_arenas[i].deferred.count;
    return sum;
}

static _Noreturn void no_block(const void *p)
{
    nvmi_bug("%p is no allocated block of the heap (freed twice?)", p);
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
    if (frees_at_once() || nvmi_heap.info[page].fresh)
        nvmi_large_release(page);
    else
        push(&nvmi_heap.deferred, p);
    nvmi_pages_unlock();
}

static void free_block(const void *p)
{
    uint32_t page, at, index;
    if (!page_of(p, &page, &at))
        no_block(p);
    unsigned state = nvmi_heap.directory[page].state;
    if (nvmi_collecting)
        nvmi_collect_freed(p);
    if (state == NVM_PAGE_LARGE && at == 0) {
        free_large(page, p);
        return;
    }
    if (state != NVM_PAGE_SLAB)
        no_block(p);
    struct nvmi_arena *arena = lock_arena_of(page);
    if (!nvmi_slab_holds(page, at, &index))
        no_block(p);
    if (frees_at_once() || nvmi_slab_is_fresh(page, index))
        nvmi_slab_release(page, index);
    else
        push(&arena->deferred, p);
    nvmi_arena_unlock(arena);
}

void nvmi_heap_free(void *p)
{
    nvmi_event();
    bool alone = nvmi_collecting && !has_all; /* what was found is one for all threads */
    if (alone)
        nvmi_heap_lock_all();
    free_block(p);
    if (alone)
        nvmi_heap_unlock_all();
}

/*===-- Commits -------------------------------------------------------------===*/

static uint32_t header_crc(const struct nvm_disk_heap *header)
{
    return nvmi_crc32c(0, header, offsetof(struct nvm_disk_heap, crc));
}

struct nvm_disk_heap *nvmi_heap_change(void)
{
    nvmi_heap.header_changed = true;
    return NVM_OBJ(nvmi_heap_header());
}

static void seal_header(void)
{
    if (nvmi_heap.header_changed)
        nvmi_heap_change()->crc = header_crc(nvmi_heap_header());
    nvmi_heap.header_changed = false;
}

static void apply(struct nvmi_deferred *d)
{
    for (size_t i = 0; i < d->count; i++) {
        uint32_t page, at, index;
        void *p = nvmi_pool.heap + d->offset[i];
        page_of(p, &page, &at);
        if (nvmi_heap.directory[page].state == NVM_PAGE_LARGE && at == 0)
            nvmi_large_release(page);
        else if (nvmi_heap.directory[page].state == NVM_PAGE_SLAB &&
                 nvmi_slab_holds(page, at, &index))
            nvmi_slab_release(page, index);
        else
            nvmi_bug("%p was freed twice", p);
    }
    d->count = 0;
}

void nvmi_heap_apply_frees(void)
{
    for (unsigned i = 0; i < arena_count; i++)
        apply(&nvmi_arenas[i].deferred);
    apply(&nvmi_heap.deferred);
    seal_header();
}

static void forget_fresh(struct nvmi_fresh *fresh)
{
    for (size_t i = 0; i < fresh->count; i++) {
        nvmi_heap.info[fresh->page[i]].fresh = 0;
        nvmi_slab_committed(fresh->page[i]);
    }
    fresh->count = 0;
}

void nvmi_heap_committed(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    for (unsigned i = 0; i < arena_count; i++)
        forget_fresh(&nvmi_arenas[i].fresh);
    forget_fresh(&h->fresh);
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
        out->size_bytes = (size_t)entry->run * NVM_PAGE_BYTES - (size_t)entry->slack * 16;
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

static int check_entry(uint32_t page)
{
    const struct nvm_disk_page *e = &nvmi_heap.directory[page];
    bool fine = e->crc == nvmi_page_crc(e, page) && e->state <= NVM_PAGE_TAIL &&
                e->size_class < NVMI_CLASSES;
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
    h->fresh_bitmaps = nvmi_reserve((size_t)h->page_count * NVM_BITMAP_BYTES);
    h->info = nvmi_reserve(h->page_count * sizeof(*h->info));
    h->fresh.page = nvmi_reserve(h->page_count * sizeof(*h->fresh.page));
    h->taken_pages = nvmi_reserve(h->page_count * sizeof(*h->taken_pages));
    arena_count = 1;
    if (h->fresh_bitmaps && h->info && h->fresh.page && h->taken_pages &&
        arena_open(&nvmi_arenas[0]))
        return 0;
    return nvmi_fail(ENOMEM, "no-memory", "no address space for the heap's tables");
}

int nvmi_heap_header_check(void)
{
    const struct nvm_disk_heap *header = nvmi_heap_header();
    const struct nvm_engine *format = nvmi_pool.format;
    /* Where stores may be half done, so may the header be. */
    bool checked = !format->each && !format->save_by_thread;
    if (header->virgin_page <= nvmi_pool.header.page_count &&
        (!checked || header->crc == header_crc(header)))
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
    nvmi_slab_classes();
    if (!nvmi_pool.backed_pages)
        nvmi_pool.backed_pages = nvmi_backing_up(&nvmi_pool, virgin);
    int error = reserve_all();
    for (uint32_t page = 0; !error && page < nvmi_pool.backed_pages; page++) {
        error = check_entry(page);
        h->used_pages += h->directory[page].state != NVM_PAGE_FREE;
        if (h->directory[page].state == NVM_PAGE_SLAB && !error)
            nvmi_slab_found(page);
    }
    return error;
}

void nvmi_heap_close(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    for (unsigned i = 0; i < arena_count; i++)
        arena_close(&nvmi_arenas[i]);
    arena_count = 0;
    nvmi_release(h->fresh_bitmaps, (size_t)h->page_count * NVM_BITMAP_BYTES);
    nvmi_release(h->info, h->page_count * sizeof(*h->info));
    nvmi_release(h->fresh.page, h->page_count * sizeof(*h->fresh.page));
    nvmi_release(h->taken_pages, h->page_count * sizeof(*h->taken_pages));
    nvmi_release(h->deferred.offset, h->deferred.capacity * sizeof(uint64_t));
    *h = (struct nvmi_heap){.opened = h->opened + 1};
}
