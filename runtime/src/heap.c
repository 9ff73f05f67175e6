/*===- heap.c - slabs -------------------------------------------------------===
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

unsigned nvmi_size_class(size_t size_bytes)
{
    if (size_bytes <= 128)
        return size_bytes ? (unsigned)((size_bytes - 1) / 16) : 0;
    unsigned log = 63 - (unsigned)__builtin_clzl(size_bytes - 1);
    unsigned quarter = (unsigned)((size_bytes - 1) >> (log - 2)) & 3;
    return 8 + (log - 7) * 4 + quarter;
}

size_t nvmi_class_bytes(unsigned size_class)
{
    if (size_class < 8)
        return (size_class + 1) * 16;
    unsigned log = (size_class - 8) / 4 + 7, quarter = (size_class - 8) % 4;
    return ((size_t)1 << log) + ((size_t)(quarter + 1) << (log - 2));
}

/* Divisions are what an allocation would spend most of its time on. */
static struct {
    uint32_t bytes, capacity;
    uint32_t inverse; /* rounded up: exact for offsets within a page */
} classes[NVMI_CLASSES];

static void make_classes(void)
{
    for (unsigned i = 0; i < NVMI_CLASSES; i++) {
        classes[i].bytes = (uint32_t)nvmi_class_bytes(i);
        classes[i].capacity = NVM_PAGE_BYTES / classes[i].bytes;
        classes[i].inverse =
            (uint32_t)((((uint64_t)1 << 32) + classes[i].bytes - 1) / classes[i].bytes);
    }
}

static uint32_t capacity(unsigned size_class)
{
    return classes[size_class].capacity;
}

static uint32_t index_of(uint32_t offset_in_page, unsigned size_class)
{
    return (uint32_t)((uint64_t)offset_in_page * classes[size_class].inverse >> 32);
}

static uint64_t *bitmap(uint32_t page)
{
    return (uint64_t *)(void *)(nvmi_heap.bitmaps + (size_t)page * NVM_BITMAP_BYTES);
}

static uint64_t *fresh_bitmap(uint32_t page)
{
    return (uint64_t *)(void *)(nvmi_heap.fresh_bitmaps + (size_t)page * NVM_BITMAP_BYTES);
}

static struct nvmi_bin *bin_of(uint32_t page)
{
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    return &nvmi_heap.bins[(size_t)entry->type * NVMI_CLASSES + entry->size_class];
}

static void list_add(struct nvmi_bin *bin, uint32_t page)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    info->next = bin->head;
    info->previous = 0;
    if (bin->head)
        nvmi_heap.info[bin->head - 1].previous = page + 1;
    bin->head = page + 1;
    info->listed = 1;
}

static void list_remove(struct nvmi_bin *bin, uint32_t page)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    if (info->previous)
        nvmi_heap.info[info->previous - 1].next = info->next;
    else
        bin->head = info->next;
    if (info->next)
        nvmi_heap.info[info->next - 1].previous = info->previous;
    info->listed = 0;
}

/* Counts the free blocks of a slab that this process has not looked at yet. */
static void attach(uint32_t page)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    uint32_t all = capacity(nvmi_heap.directory[page].size_class), used = 0;
    const uint64_t *bits = bitmap(page);
    for (uint32_t word = 0; word * 64 < all; word++)
        used += (uint32_t)__builtin_popcountll(bits[word]);
    if (used > all)
        nvmi_die(NVMI_EXIT_START, "pool-damaged", "%s: the bitmap of page %u is damaged",
                 nvmi_pool.path, page);
    info->free = (uint16_t)(all - used);
    info->hint = 0;
    info->attached = 1;
}

static uint32_t new_slab(struct nvmi_bin *bin, unsigned type, unsigned size_class)
{
    uint32_t virgin_from, page = nvmi_pages_take(1, &virgin_from);
    if (page == NVMI_NO_PAGE)
        return page;
    nvmi_page_set(page, (struct nvm_disk_page){.state = NVM_PAGE_SLAB,
                                               .size_class = (uint8_t)size_class,
                                               .type = (uint16_t)type});
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    info->free = (uint16_t)capacity(size_class);
    info->hint = 0;
    info->attached = 1; /* info->fresh stays: the page may have been used in this section */
    list_add(bin, page);
    return page;
}

static uint32_t slab_with_room(unsigned type, unsigned size_class)
{
    struct nvmi_bin *bin = &nvmi_heap.bins[(size_t)type * NVMI_CLASSES + size_class];
    while (bin->head) {
        uint32_t page = bin->head - 1;
        if (!nvmi_heap.info[page].attached)
            attach(page);
        if (nvmi_heap.info[page].free)
            return page;
        list_remove(bin, page);
    }
    return new_slab(bin, type, size_class);
}

static void *slab_alloc(unsigned type, unsigned size_class)
{
    uint32_t page = slab_with_room(type, size_class);
    if (page == NVMI_NO_PAGE)
        return NULL;
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    uint64_t *bits = bitmap(page);
    uint32_t all = capacity(size_class), word = info->hint, words = (all + 63) / 64;
    for (;; word = word + 1 < words ? word + 1 : 0) {
        uint64_t usable = word == all / 64 ? ((uint64_t)1 << all % 64) - 1 : ~(uint64_t)0;
        uint64_t clear = ~bits[word] & usable;
        if (!clear)
            continue; /* info->free says that some word has room */
        uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(clear);
        NVM(bits[word]) |= (uint64_t)1 << index % 64;
        fresh_bitmap(page)[word] |= (uint64_t)1 << index % 64;
        nvmi_mark_fresh(page);
        info->hint = (uint16_t)word;
        if (--info->free == 0)
            list_remove(bin_of(page), page);
        return nvmi_page_address(page) + (size_t)index * classes[size_class].bytes;
    }
}

/* One empty slab stays with its bin, so that a block that comes and goes does
 * not cost a page each time. */
static void slab_release(uint32_t page, uint32_t index)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    struct nvmi_bin *bin = bin_of(page);
    uint64_t *word = &bitmap(page)[index / 64];
    if (!info->attached)
        attach(page);
    NVM(*word) &= ~((uint64_t)1 << index % 64);
    fresh_bitmap(page)[index / 64] &= ~((uint64_t)1 << index % 64);
    info->free++;
    if (index / 64 < info->hint)
        info->hint = (uint16_t)(index / 64);
    if (!info->listed)
        list_add(bin, page);
    if (info->free == capacity(nvmi_heap.directory[page].size_class) &&
        (info->next || info->previous)) {
        list_remove(bin, page);
        info->attached = 0;
        nvmi_pages_release(page, 1);
    }
}

void *nvmi_heap_alloc(unsigned type, size_t size_bytes, bool zero)
{
    nvmi_event();
    if (size_bytes > NVMI_SLAB_MAX_BYTES)
        return nvmi_large_alloc(type, size_bytes, zero);
    unsigned size_class = nvmi_size_class(size_bytes);
    void *p = slab_alloc(type, size_class);
    if (p && zero)
        memset(nvm_store(p, classes[size_class].bytes), 0, classes[size_class].bytes);
    return p;
}

/* The page of p and, in a slab, the number of the block; false: p starts no block. */
static bool locate(const void *p, uint32_t *page, uint32_t *index)
{
    uint64_t offset = (uint64_t)((const unsigned char *)p - nvmi_heap.pages);
    if ((const unsigned char *)p < nvmi_heap.pages ||
        offset >= (uint64_t)nvmi_pool.backed_pages * NVM_PAGE_BYTES)
        return false;
    *page = (uint32_t)(offset / NVM_PAGE_BYTES);
    *index = 0;
    offset %= NVM_PAGE_BYTES;
    const struct nvm_disk_page *entry = &nvmi_heap.directory[*page];
    if (entry->state == NVM_PAGE_LARGE)
        return offset == 0;
    if (entry->state != NVM_PAGE_SLAB)
        return false;
    *index = index_of((uint32_t)offset, entry->size_class);
    return offset == (uint64_t)*index * classes[entry->size_class].bytes &&
           *index < capacity(entry->size_class) && (bitmap(*page)[*index / 64] >> *index % 64 & 1);
}

static void release(uint32_t page, uint32_t index)
{
    if (nvmi_heap.directory[page].state == NVM_PAGE_LARGE)
        nvmi_large_release(page);
    else
        slab_release(page, index);
}

void nvmi_heap_free(void *p)
{
    uint32_t page, index;
    nvmi_event();
    if (!locate(p, &page, &index))
        nvmi_bug("free of %p, which is no allocated block of the heap (freed twice?)", p);
    if (nvmi_collecting)
        nvmi_collect_freed(p);
    bool fresh = nvmi_pool.free_at_once || nvmi_pool.snapshot;
    if (!fresh && nvmi_heap.info[page].fresh)
        fresh = nvmi_heap.directory[page].state == NVM_PAGE_LARGE ||
                (fresh_bitmap(page)[index / 64] >> index % 64 & 1);
    if (fresh) {
        release(page, index);
        return;
    }
    if (nvmi_heap.deferred_count == nvmi_heap.deferred_capacity)
        nvmi_bug("more frees than blocks (%p freed twice?)", p);
    nvmi_heap.deferred[nvmi_heap.deferred_count++] =
        (uint64_t)((unsigned char *)p - nvmi_pool.heap);
}

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

void nvmi_heap_apply_frees(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    for (size_t i = 0; i < h->deferred_count; i++) {
        uint32_t page, index;
        void *p = nvmi_pool.heap + h->deferred[i];
        if (!locate(p, &page, &index))
            nvmi_bug("%p was freed twice", p);
        release(page, index);
    }
    h->deferred_count = 0;
    seal_header();
}

void nvmi_heap_committed(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    for (size_t i = 0; i < h->fresh_count; i++) {
        uint32_t page = h->fresh_pages[i];
        h->info[page].fresh = 0;
        if (h->directory[page].state == NVM_PAGE_SLAB) /* others have no bit set */
            memset(fresh_bitmap(page), 0, (capacity(h->directory[page].size_class) + 63) / 64 * 8);
    }
    h->fresh_count = 0;
    for (size_t i = 0; i < h->taken_count; i++)
        h->info[h->taken_pages[i]].taken = 0;
    h->taken_count = 0;
}

bool nvmi_heap_resize(void *p, size_t size_bytes)
{
    uint32_t page, index;
    if (!locate(p, &page, &index))
        nvmi_bug("realloc of %p, which is no allocated block of the heap", p);
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    if (entry->state == NVM_PAGE_LARGE)
        return nvmi_large_resize(page, size_bytes);
    size_t room = classes[entry->size_class].bytes;
    return size_bytes <= room && (size_bytes > room / 2 || room <= 32);
}

bool nvmi_heap_find(const void *p, struct nvmi_block *out)
{
    uint64_t offset = (uint64_t)((const unsigned char *)p - nvmi_heap.pages);
    if ((const unsigned char *)p < nvmi_heap.pages ||
        offset >= (uint64_t)nvmi_pool.backed_pages * NVM_PAGE_BYTES)
        return false;
    uint32_t page = (uint32_t)(offset / NVM_PAGE_BYTES);
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
    out->size_bytes = classes[entry->size_class].bytes;
    uint32_t index = index_of((uint32_t)(offset % NVM_PAGE_BYTES), entry->size_class);
    out->start = nvmi_page_address(page) + index * out->size_bytes;
    out->allocated =
        index < capacity(entry->size_class) && (bitmap(page)[index / 64] >> index % 64 & 1);
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
    h->deferred_capacity = (size_t)h->page_count * (NVM_PAGE_BYTES / 16);
    h->fresh_bitmaps = nvmi_reserve((size_t)h->page_count * NVM_BITMAP_BYTES);
    h->info = nvmi_reserve(h->page_count * sizeof(*h->info));
    h->bins = nvmi_reserve((NVMI_MAX_TYPES + 1) * NVMI_CLASSES * sizeof(*h->bins));
    h->fresh_pages = nvmi_reserve(h->page_count * sizeof(*h->fresh_pages));
    h->taken_pages = nvmi_reserve(h->page_count * sizeof(*h->taken_pages));
    h->deferred = nvmi_reserve(h->deferred_capacity * sizeof(*h->deferred));
    if (h->fresh_bitmaps && h->info && h->bins && h->fresh_pages && h->taken_pages && h->deferred)
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
    make_classes();
    if (!nvmi_pool.backed_pages)
        nvmi_pool.backed_pages = nvmi_backing_up(&nvmi_pool, virgin);
    int error = reserve_all();
    for (uint32_t page = 0; !error && page < nvmi_pool.backed_pages; page++) {
        error = check_entry(page);
        h->used_pages += h->directory[page].state != NVM_PAGE_FREE;
        if (h->directory[page].state == NVM_PAGE_SLAB && !error)
            list_add(bin_of(page), page);
    }
    return error;
}

void nvmi_heap_close(void)
{
    struct nvmi_heap *h = &nvmi_heap;
    nvmi_release(h->fresh_bitmaps, (size_t)h->page_count * NVM_BITMAP_BYTES);
    nvmi_release(h->info, h->page_count * sizeof(*h->info));
    nvmi_release(h->bins, (NVMI_MAX_TYPES + 1) * NVMI_CLASSES * sizeof(*h->bins));
    nvmi_release(h->fresh_pages, h->page_count * sizeof(*h->fresh_pages));
    nvmi_release(h->taken_pages, h->page_count * sizeof(*h->taken_pages));
    nvmi_release(h->deferred, h->deferred_capacity * sizeof(*h->deferred));
    memset(h, 0, sizeof(*h));
}
