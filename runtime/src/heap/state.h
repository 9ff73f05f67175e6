/*===- state.h - the heap, as the runtime keeps it in memory ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * 64 KiB pages. A page is free, a slab (objects of one size class and one type),
 * or part of a run that holds one large block. The page directory and the slabs'
 * bitmaps are apart from the pages and are ordinary logged data, so that an
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
 *   fresh | freed != 0     implies word.changed: it is in an arena's list, once
 *   info.free              = clear bits of an attached slab's used
 *   info.listed            = the slab is in its bin's list
 *   attached, free > 0     implies listed
 */
#ifndef NVMOVE_SRC_HEAP_STATE_H
#define NVMOVE_SRC_HEAP_STATE_H

#include "base/layout.h"
#include "base/owner_lock.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
    unsigned char *blocks;  /* that it represents */
    uint32_t page, number;  /* its place */
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
    struct nvmi_owner_lock lock;
    bool held;             /* really locked: a process with one thread need not */
    unsigned opened;       /* heap.opened when a thread chose it */
    struct nvmi_bin *bins; /* [type][class] */
    struct nvmi_changed changed;
    size_t deferred; /* frees that wait for the commit */
} __attribute__((aligned(64)));

struct nvmi_heap {
    struct nvm_disk_page *directory;
    unsigned char *bitmaps;
    struct nvmi_word *words; /* of all bitmaps; see nvmi_word_at() in slab.h */
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
/* nvmove trial reads these of a running program (tool/trial/ProcessMemory.cpp). */
_Static_assert(offsetof(struct nvmi_heap, directory) == 0 &&
                   offsetof(struct nvmi_heap, pages) == 24,
               "as nvmove trial reads them");

/* What is found of an address, which may point inside the block. */
struct nvmi_block {
    unsigned char *start;
    size_t size_bytes;
    unsigned type;
    bool allocated;
};

static inline unsigned char *nvmi_page_address(uint32_t page)
{
    return nvmi_heap.pages + (uint64_t)page * NVM_PAGE_BYTES;
}

/* Announced, to be written now: the commit makes its checksum anew. Under the heap lock. */
struct nvm_disk_heap *nvmi_heap_change(void);

/* Whoever wants to hear, under the heap lock, of each block that the program frees; NULL:
 * nobody does. */
extern void (*nvmi_heap_watch)(const void *block);

#endif /* NVMOVE_SRC_HEAP_STATE_H */
