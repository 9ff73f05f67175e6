/*===- slab.c - blocks of one size class and one type in a page -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Under the lock of the page's arena. Allocating and freeing change the volatile word
 * only; the bitmap, which is logged, follows at the commit.
 */
#include "heap/slab.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/pool.h"
#include "heap/arena.h"
#include "heap/directory.h"
#include "heap/line_logs.h"
#include "hook/hook.h"

static uint64_t *bitmap(uint32_t page)
{
    return (uint64_t *)(void *)(nvmi_heap.bitmaps + (size_t)page * NVM_BITMAP_BYTES);
}

/* Others may look for the bit of a block of theirs meanwhile. */
static void set_used(struct nvmi_word *word, uint64_t value)
{
    __atomic_store_n(&word->used, value, __ATOMIC_RELAXED);
}

/* Of this word of a slab: bits after its last block. */
static uint64_t beyond(unsigned size_class, uint32_t number)
{
    uint32_t all = nvmi_class[size_class].capacity;
    return number == all / 64 ? ~(uint64_t)0 << all % 64 : 0;
}

static struct nvmi_arena *arena_of(uint32_t page)
{
    return &nvmi_arenas[nvmi_heap.info[page].arena];
}

static struct nvmi_bin *bin_of(uint32_t page)
{
    const struct nvm_disk_page *entry = &nvmi_heap.directory[page];
    return nvmi_bin_at(arena_of(page), entry->type, entry->size_class);
}

/* Between two that stand beside each other, page number + 1; 0: it is at that end. */
static void list_insert(struct nvmi_bin *bin, uint32_t page, uint32_t previous, uint32_t next)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    info->previous = previous;
    info->next = next;
    *(previous ? &nvmi_heap.info[previous - 1].next : &bin->head) = page + 1;
    *(next ? &nvmi_heap.info[next - 1].previous : &bin->tail) = page + 1;
    info->listed = info->seen = 1;
}

/* At the end: until its turn comes more of its blocks will be free, so that one word of
 * the bitmap serves several allocations. */
static void list_add(struct nvmi_bin *bin, uint32_t page)
{
    list_insert(bin, page, bin->tail, 0);
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
    else
        bin->tail = info->previous;
    info->listed = 0;
    if (bin->page == page)
        bin->word = NULL;
}

static void attached(uint32_t page, uint32_t free)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    info->size_class = nvmi_heap.directory[page].size_class;
    info->free = (uint16_t)free;
    info->hint = 0;
    info->seen = 1;
    __atomic_store_n(&info->attached, 1, __ATOMIC_RELEASE);
}

/* Reads the bitmap of a slab that this process has not looked at yet. */
static void attach(uint32_t page)
{
    unsigned size_class = nvmi_heap.directory[page].size_class;
    uint32_t free = nvmi_class[size_class].capacity;
    for (uint32_t i = 0; i < nvmi_class[size_class].words; i++) {
        uint64_t bits = bitmap(page)[i];
        if (bits & beyond(size_class, i))
            nvmi_die(NVMI_EXIT_START, "pool-damaged", "%s: the bitmap of page %u is damaged",
                     nvmi_pool.path, page);
        set_used(nvmi_word_at(page, i), bits | beyond(size_class, i));
        free -= (uint32_t)__builtin_popcountll(bits);
    }
    attached(page, free);
}

#define LOOK_PAGES 256u
/* Steps of an allocation, each to list so many pages or to read one bitmap, before it takes a new
 * page: after a restart nearly all that there are may be full. The next ones go on from there. */
#define MOST_STEPS 64u

/* Under the lock of the first arena, to which they belong: lists more of the slabs that
 * the pool held when it was opened. Not all at once then, since that takes the longer the
 * more there are. A page that is being taken has its state before it has an arena.
 * False: all have been looked at, or no step is left. */
static bool look_further(unsigned *steps)
{
    struct nvmi_heap *h = &nvmi_heap;
    if (h->looked == h->found_pages || !*steps)
        return false;
    --*steps;
    nvmi_pages_lock();
    uint32_t left = h->found_pages - h->looked;
    for (uint32_t n = left < LOOK_PAGES ? left : LOOK_PAGES; n; n--, h->looked++) {
        const struct nvmi_page_info *info = &h->info[h->looked];
        if (h->directory[h->looked].state == NVM_PAGE_SLAB && !info->seen && !info->taken)
            list_add(bin_of(h->looked), h->looked);
    }
    nvmi_pages_unlock();
    return true;
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
    nvmi_line_logs_new_slab(page);
    nvmi_pages_unlock();
    __atomic_store_n(&nvmi_heap.info[page].arena, (uint8_t)(arena - nvmi_arenas), __ATOMIC_RELEASE);
    /* What the page's words say of freed blocks stays: it may have been a slab in this
     * section. */
    for (uint32_t i = 0; i < nvmi_class[size_class].words; i++)
        set_used(nvmi_word_at(page, i), beyond(size_class, i));
    attached(page, nvmi_class[size_class].capacity);
    list_insert(bin, page, 0, bin->head); /* serves until it is full, whatever is behind it */
    return page;
}

/* The first arena has what the pool held when it was opened. It gives others a slab
 * that it does not use itself at the moment. */
static uint32_t adopt(struct nvmi_arena *arena, struct nvmi_bin *bin, unsigned type,
                      unsigned size_class, unsigned *steps)
{
    struct nvmi_arena *first = &nvmi_arenas[0];
    struct nvmi_bin *from = nvmi_bin_at(first, type, size_class);
    uint32_t page = NVMI_NO_PAGE;
    if (arena == first || !nvmi_arena_try(first))
        return page;
    while (from->head == from->tail && look_further(steps)) {
    }
    if (from->head != from->tail) {
        page = nvmi_heap.info[from->head - 1].next - 1;
        list_remove(from, page);
        __atomic_store_n(&nvmi_heap.info[page].arena, (uint8_t)(arena - nvmi_arenas),
                         __ATOMIC_RELEASE);
        list_add(bin, page);
    }
    nvmi_arena_unlock(first);
    return page;
}

/* A slab of the arena's with a free block. */
static uint32_t own_with_room(const struct nvmi_arena *arena, struct nvmi_bin *bin, unsigned *steps)
{
    do
        while (bin->head) {
            uint32_t page = bin->head - 1;
            if (!nvmi_heap.info[page].attached) {
                if (!*steps)
                    return NVMI_NO_PAGE;
                --*steps;
                attach(page);
            }
            if (nvmi_heap.info[page].free)
                return page;
            list_remove(bin, page);
        }
    while (arena == &nvmi_arenas[0] && look_further(steps));
    return NVMI_NO_PAGE;
}

static uint32_t slab_with_room(struct nvmi_arena *arena, unsigned type, unsigned size_class,
                               bool may_grow)
{
    struct nvmi_bin *bin = nvmi_bin_at(arena, type, size_class);
    unsigned steps = may_grow ? MOST_STEPS : UINT32_MAX;
    uint32_t page = own_with_room(arena, bin, &steps);
    if (page != NVMI_NO_PAGE || !may_grow)
        return page;
    while (steps && adopt(arena, bin, type, size_class, &steps) != NVMI_NO_PAGE)
        if ((page = own_with_room(arena, bin, &steps)) != NVMI_NO_PAGE)
            return page;
    return new_slab(arena, bin, type, size_class);
}

bool nvmi_slab_choose(struct nvmi_arena *arena, unsigned type, unsigned size_class, bool may_grow)
{
    struct nvmi_bin *bin = nvmi_bin_at(arena, type, size_class);
    uint32_t page = slab_with_room(arena, type, size_class, may_grow);
    if (page == NVMI_NO_PAGE)
        return false;
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    uint32_t number = info->hint;
    while (!~nvmi_word_at(page, number)->used) /* info->free says that some word has room */
        number = number + 1 < nvmi_class[size_class].words ? number + 1 : 0;
    info->hint = (uint16_t)number;
    bin->word = nvmi_word_at(page, number);
    bin->blocks = nvmi_page_address(page) + (size_t)number * 64 * nvmi_class[size_class].bytes;
    bin->page = page;
    bin->number = number;
    return true;
}

void nvmi_slab_full(struct nvmi_bin *bin)
{
    list_remove(bin, bin->page);
}

void nvmi_bin_publish(struct nvmi_bin *bin)
{
    uint64_t *bits = &bitmap(bin->page)[bin->number];
    nvm_store(bits, sizeof(*bits));
    __atomic_store_n(bits, *bits | nvmi_word_at(bin->page, bin->number)->fresh, __ATOMIC_RELAXED);
    bin->word = NULL;
}

/* One empty slab stays with its bin, so that a block that comes and goes does not cost a
 * page each time. */
static __attribute__((noinline)) void list_or_release(uint32_t page)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    if (!info->listed)
        list_add(bin_of(page), page);
    if (info->free != nvmi_class[info->size_class].capacity || !(info->next || info->previous) ||
        !nvmi_is_covered())
        return;
    list_remove(bin_of(page), page);
    info->attached = 0;
    nvmi_pages_lock();
    nvmi_pages_release(page, 1);
    nvmi_pages_unlock();
}

/* These blocks, so many, can be given out again. */
static inline void give_back(struct nvmi_page_info *info, struct nvmi_word *word, uint64_t bits,
                             uint32_t count)
{
    set_used(word, word->used & ~bits);
    info->free = (uint16_t)(info->free + count);
    if (__builtin_expect(!info->listed || info->free == nvmi_class[info->size_class].capacity, 0) &&
        count)
        list_or_release((uint32_t)(info - nvmi_heap.info));
}

bool nvmi_slab_free(struct nvmi_arena *arena, uint32_t page, uint32_t offset_in_page, bool at_once)
{
    struct nvmi_page_info *info = &nvmi_heap.info[page];
    if (!info->seen) /* look_further() will leave it out */
        list_add(bin_of(page), page);
    if (!info->attached)
        attach(page);
    if (!at_once && nvmi_slab_free_later(arena, page, offset_in_page))
        return true;
    const struct nvmi_class *class = &nvmi_class[info->size_class];
    uint32_t index = nvmi_index_of(offset_in_page, class), number = index / 64;
    uint64_t bit = (uint64_t)1 << index % 64;
    struct nvmi_word *word = nvmi_word_at(page, number);
    if (offset_in_page != index * class->bytes || !(word->used & bit) || index >= class->capacity)
        return false;
    if (!(word->fresh & bit) && (!at_once || word->freed & bit))
        return false;
    __atomic_store_n(&word->fresh, word->fresh & ~bit, __ATOMIC_RELAXED);
    word->freed |= bit;
    nvmi_word_will_change(arena, page, number, word);
    give_back(info, word, bit, 1);
    return true;
}

/* A word of a bitmap, and what it is to become. */
struct change {
    uint64_t *word, bits;
};

/* The page may be no slab any more, or another one: the words know what is to be cleared. */
static struct change take_change(uint32_t changed, bool at_once)
{
    uint32_t page = changed / NVMI_PAGE_WORDS, number = changed % NVMI_PAGE_WORDS;
    struct nvmi_word *word = nvmi_word_at(page, number);
    uint64_t *bits = &bitmap(page)[number], freed = word->freed, fresh = word->fresh;
    struct change change = {bits, (*bits & ~freed) | fresh};
    uint32_t count = word->freed_count; /* often none */
    /* Then all of `freed` were fresh and have been given back; the page may have blocks of
     * another size by now, and less of them than there are bits. */
    uint64_t waited = count ? freed & ~fresh : 0;
    __atomic_store_n(&word->fresh, 0, __ATOMIC_RELAXED);
    word->freed = word->changed = word->freed_count = 0;
    if (!at_once)
        give_back(&nvmi_heap.info[page], word, waited, count);
    return change;
}

/* Many lines are announced at once: an engine that saves them needs one fence. */
void nvmi_slabs_apply(struct nvmi_arena *arena, bool at_once)
{
    const uint32_t *changed = arena->changed.word;
    for (size_t left = arena->changed.count, n; left; left -= n, changed += n) {
        struct change change[NVMI_SAVE_LINES];
        uint32_t line[NVMI_SAVE_LINES];
        size_t count = 0;
        n = left < NVMI_SAVE_LINES ? left : NVMI_SAVE_LINES;
        for (size_t i = 0; i < n; i++) {
            change[count] = take_change(changed[i], at_once);
            line[count] =
                (uint32_t)((uint64_t)((unsigned char *)change[count].word - nvmi_pool.heap) /
                           NVM_LINE_BYTES);
            count += *change[count].word != change[count].bits;
        }
        nvmi_hook_lines(line, count);
        for (size_t i = 0; i < count; i++) {
            __atomic_store_n(change[i].word, change[i].bits, __ATOMIC_RELAXED);
            nvmi_event();
        }
    }
    arena->changed.count = arena->deferred = 0;
}

static bool is_set(uint32_t page, uint32_t index)
{
    uint64_t bits = __atomic_load_n(&nvmi_heap.info[page].attached, __ATOMIC_ACQUIRE)
                        ? __atomic_load_n(&nvmi_word_at(page, index / 64)->used, __ATOMIC_RELAXED)
                        : bitmap(page)[index / 64];
    return bits >> index % 64 & 1;
}

void nvmi_slab_block(uint32_t page, uint32_t offset_in_page, struct nvmi_block *out)
{
    unsigned size_class = nvmi_heap.directory[page].size_class;
    uint32_t index = nvmi_index_of(offset_in_page, &nvmi_class[size_class]);
    out->size_bytes = nvmi_class[size_class].bytes;
    out->start = nvmi_page_address(page) + index * out->size_bytes;
    out->allocated = index < nvmi_class[size_class].capacity && is_set(page, index);
}

/* Another thread may take or free its blocks there meanwhile, and then this says too seldom
 * that the line is new: a bit is in `used` before it is in `fresh`, and leaves it after. */
bool nvmi_slab_line_is_new(uint32_t page, uint32_t offset_in_page)
{
    const struct nvmi_page_info *info = &nvmi_heap.info[page];
    if (!__atomic_load_n(&info->attached, __ATOMIC_ACQUIRE))
        return false;
    const struct nvmi_class *class = &nvmi_class[info->size_class];
    uint32_t index = nvmi_index_of(offset_in_page, class),
             end = nvmi_index_of(offset_in_page + NVM_LINE_BYTES - 1, class) + 1;
    for (; index < end && index < class->capacity; index++) {
        const struct nvmi_word *word = nvmi_word_at(page, index / 64);
        uint64_t fresh = __atomic_load_n(&word->fresh, __ATOMIC_RELAXED);
        if ((__atomic_load_n(&word->used, __ATOMIC_RELAXED) & ~fresh) >> index % 64 & 1)
            return false;
    }
    return true;
}

bool nvmi_slab_is_committed(uint32_t page, uint32_t index)
{
    const struct nvmi_word *word = nvmi_word_at(page, index / 64);
    return (bitmap(page)[index / 64] & ~word->fresh & ~word->freed) >> index % 64 & 1;
}
