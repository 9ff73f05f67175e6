/*===- slab.c - blocks of one size class and one type in a page ---------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Under the lock of the page's arena.
 */
#include "heap.h"
#include <string.h>

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

void nvmi_slab_classes(void)
{
    for (unsigned i = 0; i < NVMI_CLASSES; i++) {
        classes[i].bytes = (uint32_t)nvmi_class_bytes(i);
        classes[i].capacity = NVM_PAGE_BYTES / classes[i].bytes;
        classes[i].inverse =
            (uint32_t)((((uint64_t)1 << 32) + classes[i].bytes - 1) / classes[i].bytes);
    }
}

uint32_t nvmi_slab_capacity(unsigned size_class)
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

/* Others may look for the bit of a block of theirs meanwhile. */
static void set_word(uint64_t *word, uint64_t value)
{
    nvm_store(word, sizeof(*word));
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static struct nvmi_arena *arena_of(uint32_t page)
{
    return &nvmi_arenas[nvmi_heap.info[page].arena];
}

static struct nvmi_bin *bin_of(uint32_t page)
{
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    return &arena_of(page)->bins[(size_t)entry->type * NVMI_CLASSES + entry->size_class];
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
    uint32_t all = nvmi_slab_capacity(nvmi_heap.directory[page].size_class), used = 0;
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

void nvmi_slab_found(uint32_t page)
{
    list_add(bin_of(page), page);
}

static uint32_t new_slab(struct nvmi_arena *arena, struct nvmi_bin *bin, unsigned type,
                         unsigned size_class)
{
    nvmi_pages_lock();
    uint32_t virgin_from, page = nvmi_pages_take(1, &virgin_from);
    if (page == NVMI_NO_PAGE) {
        nvmi_pages_unlock();
        return page;
    }
    nvmi_page_set(page, (struct nvm_disk_page){.state = NVM_PAGE_SLAB,
                                               .size_class = (uint8_t)size_class,
                                               .type = (uint16_t)type});
    nvmi_pages_unlock();
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    __atomic_store_n(&info->arena, (uint8_t)(arena - nvmi_arenas), __ATOMIC_RELEASE);
    info->free = (uint16_t)nvmi_slab_capacity(size_class);
    info->hint = 0;
    info->attached = 1; /* info->fresh stays: the page may have been used in this section */
    list_add(bin, page);
    return page;
}

/* The first arena has what the pool held when it was opened. It gives others a slab
 * that it does not use itself at the moment. */
static uint32_t adopt(struct nvmi_arena *arena, struct nvmi_bin *bin, unsigned type,
                      unsigned size_class)
{
    struct nvmi_arena *first = &nvmi_arenas[0];
    struct nvmi_bin *from = &first->bins[(size_t)type * NVMI_CLASSES + size_class];
    uint32_t page = NVMI_NO_PAGE;
    if (arena == first || !nvmi_arena_try(first))
        return page;
    if (from->head && nvmi_heap.info[from->head - 1].next) {
        page = nvmi_heap.info[from->head - 1].next - 1;
        list_remove(from, page);
        __atomic_store_n(&nvmi_heap.info[page].arena, (uint8_t)(arena - nvmi_arenas),
                         __ATOMIC_RELEASE);
        list_add(bin, page);
    }
    nvmi_arena_unlock(first);
    return page;
}

/* A listed slab with a free block. */
static uint32_t listed_with_room(struct nvmi_bin *bin)
{
    while (bin->head) {
        uint32_t page = bin->head - 1;
        if (!nvmi_heap.info[page].attached)
            attach(page);
        if (nvmi_heap.info[page].free)
            return page;
        list_remove(bin, page);
    }
    return NVMI_NO_PAGE;
}

static uint32_t slab_with_room(struct nvmi_arena *arena, unsigned type, unsigned size_class,
                               bool may_grow)
{
    struct nvmi_bin *bin = &arena->bins[(size_t)type * NVMI_CLASSES + size_class];
    uint32_t page = listed_with_room(bin);
    if (page != NVMI_NO_PAGE || !may_grow)
        return page;
    while (adopt(arena, bin, type, size_class) != NVMI_NO_PAGE)
        if ((page = listed_with_room(bin)) != NVMI_NO_PAGE)
            return page;
    return new_slab(arena, bin, type, size_class);
}

static void mark_fresh(uint32_t page)
{
    struct nvmi_arena *arena = arena_of(page);
    if (!nvmi_heap.info[page].fresh)
        nvmi_fresh_add(&arena->fresh, page);
}

void *nvmi_slab_alloc(struct nvmi_arena *arena, unsigned type, unsigned size_class, bool may_grow)
{
    uint32_t page = slab_with_room(arena, type, size_class, may_grow);
    if (page == NVMI_NO_PAGE)
        return NULL;
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    uint64_t *bits = bitmap(page);
    uint32_t all = nvmi_slab_capacity(size_class), word = info->hint, words = (all + 63) / 64;
    for (;; word = word + 1 < words ? word + 1 : 0) {
        uint64_t usable = word == all / 64 ? ((uint64_t)1 << all % 64) - 1 : ~(uint64_t)0;
        uint64_t clear = ~bits[word] & usable;
        if (!clear)
            continue; /* info->free says that some word has room */
        uint32_t index = word * 64 + (uint32_t)__builtin_ctzll(clear);
        set_word(&bits[word], bits[word] | (uint64_t)1 << index % 64);
        fresh_bitmap(page)[word] |= (uint64_t)1 << index % 64;
        mark_fresh(page);
        info->hint = (uint16_t)word;
        if (--info->free == 0)
            list_remove(bin_of(page), page);
        return nvmi_page_address(page) + (size_t)index * classes[size_class].bytes;
    }
}

/* One empty slab stays with its bin, so that a block that comes and goes does
 * not cost a page each time. */
void nvmi_slab_release(uint32_t page, uint32_t index)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    struct nvmi_bin *bin = bin_of(page);
    uint64_t *word = &bitmap(page)[index / 64];
    if (!info->attached)
        attach(page);
    set_word(word, *word & ~((uint64_t)1 << index % 64));
    fresh_bitmap(page)[index / 64] &= ~((uint64_t)1 << index % 64);
    info->free++;
    if (index / 64 < info->hint)
        info->hint = (uint16_t)(index / 64);
    if (!info->listed)
        list_add(bin, page);
    if (info->free == nvmi_slab_capacity(nvmi_heap.directory[page].size_class) &&
        (info->next || info->previous)) {
        list_remove(bin, page);
        info->attached = 0;
        nvmi_pages_lock();
        nvmi_pages_release(page, 1);
        nvmi_pages_unlock();
    }
}

bool nvmi_slab_holds(uint32_t page, uint32_t offset_in_page, uint32_t *index)
{
    unsigned size_class = nvmi_heap.directory[page].size_class;
    *index = index_of(offset_in_page, size_class);
    return offset_in_page == *index * classes[size_class].bytes &&
           *index < nvmi_slab_capacity(size_class) && nvmi_slab_is_set(page, *index);
}

bool nvmi_slab_is_set(uint32_t page, uint32_t index)
{
    return __atomic_load_n(&bitmap(page)[index / 64], __ATOMIC_RELAXED) >> index % 64 & 1;
}

bool nvmi_slab_is_fresh(uint32_t page, uint32_t index)
{
    return nvmi_heap.info[page].fresh && (fresh_bitmap(page)[index / 64] >> index % 64 & 1);
}

void nvmi_slab_block(uint32_t page, uint32_t offset_in_page, struct nvmi_block *out)
{
    unsigned size_class = nvmi_heap.directory[page].size_class;
    uint32_t index = index_of(offset_in_page, size_class);
    out->size_bytes = classes[size_class].bytes;
    out->start = nvmi_page_address(page) + index * out->size_bytes;
    out->allocated = index < nvmi_slab_capacity(size_class) && nvmi_slab_is_set(page, index);
}

/* Others have no bit set. */
void nvmi_slab_committed(uint32_t page)
{
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    if (entry->state == NVM_PAGE_SLAB)
        memset(fresh_bitmap(page), 0, (nvmi_slab_capacity(entry->size_class) + 63) / 64 * 8);
}
