/*===- heap.h - pages, slabs and runs ---------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * 64 KiB pages. A page is free, a slab (objects of one size class and one type),
 * or part of a run that holds one large block. The page directory and the slabs'
 * bitmaps stand apart from the pages and are ordinary logged data, so that an
 * allocation is atomic with its section; what is kept here besides is volatile
 * and rebuilt from the directory at open, the bitmaps being read as they are
 * needed.
 *
 * The bitmaps change only at commits, a word at a time and each line announced once,
 * however many of its blocks came and went. Until then a volatile twin of each word
 * says what is to change. A block that was allocated since the last commit is fresh:
 * freeing it takes effect at once. Any other free waits for the commit.
 *
 * Threads. Each allocates from slabs of its arena, under the lock of that arena; a
 * block is freed under the lock of the arena that its slab belongs to. The heap lock
 * guards the directory, large blocks and the tables. A commit locks all of them.
 *
 * Invariants, under the lock of the slab's arena
 *   bit set in a bitmap    = block allocated as of the last commit
 *   bit set in word.used   = of an attached slab: block allocated (or its free waits for
 *                            the commit), or there is none
 *   word.fresh & ~used     = 0
 *   fresh | freed != 0     implies word.changed: it stands in an arena's list, once
 *   info.free              = clear bits of an attached slab's used
 *   info.listed            = the slab stands in its bin's list
 *   attached, free > 0     implies listed
 */
#ifndef NVMOVE_SRC_HEAP_H
#define NVMOVE_SRC_HEAP_H

#include "base/pool.h"

#define NVMI_CLASSES 40u
#define NVMI_SLAB_MAX_BYTES 32768u
#define NVMI_MAX_TYPES 65535u
#define NVMI_NO_PAGE UINT32_MAX

struct nvmi_page_info {
    uint32_t next, previous; /* in the bin's list */
    uint16_t free, hint;     /* clear bits; word of the bitmap to look at first */
    uint8_t attached;        /* its words are there; atomic */
    uint8_t listed;
    uint8_t seen;       /* has been listed or attached since the pool was opened */
    uint8_t fresh;      /* of a run: the block is */
    uint8_t taken;      /* was free at the last commit and was taken since */
    uint8_t arena;      /* of a slab; atomic */
    uint8_t size_class; /* of an attached slab */
    uint8_t log_unit;   /* of a slab, if line logs are to be used in it: line_logs.h; atomic */
};

/* Beside each word of a slab's bitmap. */
#define NVMI_PAGE_WORDS (NVM_BITMAP_BYTES / 8)
struct nvmi_word {
    uint64_t used;  /* atomic */
    uint64_t fresh; /* bits to be set at the commit */
    uint64_t freed; /* bits to be cleared unless they are fresh */
    uint32_t changed, freed_count;
};

/* Slabs of one type and size class with free blocks. */
struct nvmi_bin {
    struct nvmi_word *word; /* blocks are taken from this one; NULL: choose one */
    unsigned char *blocks;  /* that it stands for */
    uint32_t page, number;  /* where it stands */
    uint32_t head, tail;    /* page number + 1; 0: empty */
};
struct nvmi_changed {
    uint32_t *word; /* page * NVMI_PAGE_WORDS + number */
    size_t count;
};
struct nvmi_fresh {
    uint32_t *page; /* with info.fresh */
    size_t count;
};
struct nvmi_deferred {
    uint64_t *offset; /* in the arena of the file, of blocks freed since the last commit */
    size_t count, capacity;
};

/* Slabs that one thread, or a few, allocate from. Any thread may free. */
#define NVMI_ARENAS 16u
struct nvmi_arena {
    pthread_mutex_t lock;
    bool held;             /* really locked: a process with one thread need not */
    unsigned opened;       /* heap.opened when a thread chose it */
    struct nvmi_bin *bins; /* [type][class] */
    struct nvmi_changed changed;
    size_t deferred; /* frees that wait for the commit */
} __attribute__((aligned(64)));
extern struct nvmi_arena nvmi_arenas[NVMI_ARENAS];

struct nvmi_heap {
    struct nvm_disk_page *directory;
    unsigned char *bitmaps;
    struct nvmi_word *words; /* of all bitmaps; see nvmi_word_at() */
    unsigned char *pages;
    unsigned opened, threads; /* how often; that have allocated since */
    struct nvmi_page_info *info;
    /* Under the heap lock from here on. */
    uint32_t page_count; /* that there may ever be; nvmi_pool.backed_pages can be used */
    uint32_t rover, used_pages;
    uint32_t found_pages, looked; /* there were at open; whose slabs have been listed */
    bool header_changed;          /* since its checksum was made */
    uint32_t dirty_pages;         /* pages below may hold bytes that no commit covers */
    uint32_t section_end;         /* sections take pages below; beyond lie held_back free ones */
    uint32_t held_back;
    struct nvmi_fresh fresh; /* large blocks */
    uint32_t *taken_pages;   /* pages with info.taken */
    size_t taken_count;
    struct nvmi_deferred deferred; /* large blocks */
};
extern struct nvmi_heap nvmi_heap;

#define NVMI_SMALL_BYTES 1024u
extern unsigned char nvmi_small_class[NVMI_SMALL_BYTES / 16 + 1];
unsigned nvmi_size_class_of_any(size_t size_bytes);
static inline unsigned nvmi_size_class(size_t size_bytes) /* 0 .. NVMI_SLAB_MAX_BYTES */
{
    return size_bytes <= NVMI_SMALL_BYTES ? nvmi_small_class[(size_bytes + 15) / 16]
                                          : nvmi_size_class_of_any(size_bytes);
}
size_t nvmi_class_bytes(unsigned size_class);

/* 0, or EINVAL [pool-damaged]. */
int nvmi_heap_header_check(void);
/* Reads the directory. 0, or EINVAL [pool-damaged], or ENOMEM. */
int nvmi_heap_open(void);
void nvmi_heap_close(void);

/* Everything of the heap: what a commit takes. In between, the functions below do not
 * lock. */
void nvmi_heap_lock_all(void);
void nvmi_heap_unlock_all(void);
void nvmi_heap_locks_in_child(void);

/* Which bytes of a new block are to be zero. */
enum nvmi_zero { NVMI_ZERO_NONE, NVMI_ZERO_SLACK /* behind the size asked for */, NVMI_ZERO_ALL };
/* NULL: full. */
void *nvmi_heap_alloc(unsigned type, size_t size_bytes, enum nvmi_zero zero);
/* The alignment is a power of two, at most NVM_PAGE_BYTES. */
void *nvmi_heap_alloc_aligned(unsigned type, size_t alignment, size_t size_bytes,
                              enum nvmi_zero zero);
void nvmi_heap_free(void *p);
size_t nvmi_heap_deferred(void); /* frees that wait for the commit */
/* Makes the block at p hold size_bytes where it stands; false: it cannot. */
bool nvmi_heap_resize(void *p, size_t size_bytes);
/* At commit, everything locked: what was allocated and freed goes into the bitmaps, and
 * the heap's header gets its checksum; afterwards nothing is fresh. */
void nvmi_heap_apply(void);
void nvmi_heap_committed(void);

/* Will what this thread stores now be taken back whole if no commit follows? Outside
 * sections engine tx takes nothing back: there pages are taken, but not given back. */
bool nvmi_is_covered(void);
/* torn.c: what a loss of power may have left of such pages. */
bool nvmi_may_be_torn(const struct nvmi_pool *pool);
bool nvmi_page_is_torn(const struct nvm_disk_page *entry); /* half of it is there */
void nvmi_torn_mend(struct nvmi_pool *pool);               /* in the start-up section */

/* The block that holds p (which may point inside). */
struct nvmi_block {
    unsigned char *start;
    size_t size_bytes;
    unsigned type;
    bool allocated;
};
/* False: p points to no page that holds blocks. Without a lock only for a p whose
 * block is allocated. */
bool nvmi_heap_find(const void *p, struct nvmi_block *out);
uint64_t nvmi_heap_used_bytes(void);

/* alloc.c: what this thread allocates now is to come from the heap. */
bool nvmi_placing(void);
void nvmi_places_left(void); /* by a jump */
/* Calls `visit` with each range of the arena that is in use, in ascending order: the
 * tables as far as they reach, then every page that is not free. */
void nvmi_heap_each_used(void (*visit)(void *context, uint64_t offset, uint64_t size_bytes),
                         void *context);

/* Does the line lie in a page that was free at the last commit? Then no commit
 * depends on what the home copy holds there. */
bool nvmi_line_is_new(uint32_t line);
/* The first page of all that is virgin in the home copy, too. */
uint32_t nvmi_virgin_page(void);

/* Locks of parts; nothing if this thread has locked all. */
void nvmi_pages_lock(void); /* the heap lock */
void nvmi_pages_unlock(void);
bool nvmi_arena_try(struct nvmi_arena *arena);

/* slab.c: under the lock of the arena that the slab belongs to. */
void nvmi_slab_classes(void);
uint32_t nvmi_slab_capacity(unsigned size_class);
/* Points the bin at a word with a free block; `may_grow`: takes a new page if need be. */
bool nvmi_slab_choose(struct nvmi_arena *arena, unsigned type, unsigned size_class, bool may_grow);
void nvmi_slab_full(struct nvmi_bin *bin); /* its word's page is, now */
/* Does not wait for the commit to set the bits of this word; it is to be chosen anew. */
void nvmi_bin_publish(struct nvmi_bin *bin);
/* Frees the block that begins there, `at_once` or with the commit; false: there is none. */
bool nvmi_slab_free(struct nvmi_arena *arena, uint32_t page, uint32_t offset_in_page, bool at_once);
/* At commit, everything locked. */
void nvmi_slabs_apply(struct nvmi_arena *arena, bool at_once);
void nvmi_slab_block(uint32_t page, uint32_t offset_in_page, struct nvmi_block *out);
/* As of the last commit, without blocks freed since. */
bool nvmi_slab_is_committed(uint32_t page, uint32_t index);

/* directory.c, under the heap lock: runs of pages. First page, or NVMI_NO_PAGE. Pages from
 * *virgin_from on hold zero bytes. */
uint32_t nvmi_pages_take(uint32_t count, uint32_t *virgin_from);
void nvmi_pages_release(uint32_t first, uint32_t count);
bool nvmi_pages_extend(uint32_t first, uint32_t count, uint32_t more, uint32_t *virgin_from);
void nvmi_page_set(uint32_t page, struct nvm_disk_page value);
uint32_t nvmi_page_crc(const struct nvm_disk_page *page, uint32_t number);
/* Is its checksum that? Neighbours are often alike: `last`, which begins as zeros, keeps what
 * the one that was looked at before has taken to compute. */
struct nvmi_looked_at {
    struct nvm_disk_page page;
    uint32_t crc;
};
bool nvmi_page_fits(const struct nvm_disk_page *page, uint32_t number, struct nvmi_looked_at *last);

/* headroom.c: pages that only the start-up section may take. Under the heap lock. */
void nvmi_headroom_begin(void);      /* start-up begins */
void nvmi_headroom_restored(void);   /* nvm_restore() was called */
void nvmi_headroom_ready(void);      /* start-up is about to commit, and ends */
void nvmi_headroom_freed(void);      /* pages have become free */
bool nvmi_headroom_look_again(void); /* true: section_end has moved up */
void nvmi_headroom_grown(void);      /* there are more pages */

/* large.c, under the heap lock: blocks of whole pages. */
void *nvmi_large_alloc(unsigned type, size_t size_bytes, bool zero);
size_t nvmi_large_bytes(const struct nvm_disk_page *entry); /* of the block that begins there */
size_t nvmi_large_up(size_t size_bytes); /* as much as can be used of a block that was asked for */
bool nvmi_large_resize(uint32_t page, size_t size_bytes);
void nvmi_large_release(uint32_t page);

static inline unsigned char *nvmi_page_address(uint32_t page)
{
    return nvmi_heap.pages + (uint64_t)page * NVM_PAGE_BYTES;
}

struct nvmi_class {
    uint32_t bytes, capacity;
    uint32_t inverse; /* rounded up: exact for offsets within a page */
    uint32_t words;
};
extern struct nvmi_class nvmi_class[NVMI_CLASSES];

/* Most slabs use the first words only: those of neighbouring pages must not all meet in
 * the same few sets of the processor's cache. */
static inline struct nvmi_word *nvmi_word_at(uint32_t page, uint32_t number)
{
    return &nvmi_heap.words[(size_t)page * NVMI_PAGE_WORDS + (number ^ page % 32 * 2)];
}

static inline void nvmi_word_will_change(struct nvmi_arena *arena, uint32_t page, uint32_t number,
                                         struct nvmi_word *word)
{
    /* Written in any case: whether it counts is hard to predict. */
    arena->changed.word[arena->changed.count] = page * NVMI_PAGE_WORDS + number;
    arena->changed.count += !word->changed;
    word->changed = 1;
}

static inline struct nvmi_bin *nvmi_bin_at(struct nvmi_arena *arena, unsigned type,
                                           unsigned size_class)
{
    return &arena->bins[(size_t)type * NVMI_CLASSES + size_class];
}

/* Under the arena's lock: a block of the word that the bin points at. NULL: there is none. */
static inline void *nvmi_bin_take(struct nvmi_arena *arena, struct nvmi_bin *bin,
                                  unsigned size_class)
{
    struct nvmi_word *word = bin->word;
    if (__builtin_expect(!word || !~word->used, 0))
        return NULL;
    uint64_t bit = ~word->used & (word->used + 1);
    __atomic_store_n(&word->used, word->used | bit, __ATOMIC_RELAXED);
    word->fresh |= bit;
    nvmi_word_will_change(arena, bin->page, bin->number, word);
    void *p = bin->blocks + (size_t)__builtin_ctzll(bit) * nvmi_class[size_class].bytes;
    if (__builtin_expect(--nvmi_heap.info[bin->page].free == 0, 0))
        nvmi_slab_full(bin);
    return p;
}

static inline uint32_t nvmi_index_of(uint32_t offset_in_page, const struct nvmi_class *class)
{
    return (uint32_t)((uint64_t)offset_in_page * class->inverse >> 32);
}

/* As nvmi_slab_free(), of a block as of the last commit, with the next one. False: that is
 * not so simple. */
static inline bool nvmi_slab_free_later(struct nvmi_arena *arena, uint32_t page,
                                        uint32_t offset_in_page)
{
    const struct nvmi_page_info *info = &nvmi_heap.info[page];
    const struct nvmi_class *class = &nvmi_class[info->size_class];
    uint32_t index = nvmi_index_of(offset_in_page, class), number = index / 64;
    struct nvmi_word *word = nvmi_word_at(page, number);
    if (!info->attached || offset_in_page != index * class->bytes || index >= class->capacity ||
        !((word->used & ~word->fresh & ~word->freed) >> index % 64 & 1))
        return false;
    word->freed |= (uint64_t)1 << index % 64;
    word->freed_count++;
    arena->deferred++;
    nvmi_word_will_change(arena, page, number, word);
    return true;
}

#endif /* NVMOVE_SRC_HEAP_H */
