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
 * A block that was allocated since the last commit is fresh: freeing it takes
 * effect at once. Any other free waits for the commit.
 *
 * Invariants, under the heap lock
 *   bit set in a bitmap    = block allocated (or its free waits for the commit)
 *   info.free              = clear bits of an attached slab
 *   info.listed            = the slab stands in its bin's list
 *   attached, free > 0     implies listed
 */
#ifndef NVMOVE_SRC_HEAP_H
#define NVMOVE_SRC_HEAP_H

#include "pool.h"

#define NVMI_CLASSES 40u
#define NVMI_SLAB_MAX_BYTES 32768u
#define NVMI_MAX_TYPES 65535u
#define NVMI_NO_PAGE UINT32_MAX

struct nvmi_page_info {
    uint32_t next, previous; /* in the bin's list */
    uint16_t free, hint;     /* clear bits; word of the bitmap to look at first */
    uint8_t attached, listed;
    uint8_t fresh; /* some block in it is fresh; of a run: the block */
    uint8_t taken; /* was free at the last commit and was taken since */
};

struct nvmi_bin {
    uint32_t head; /* page number + 1; 0: empty */
};

struct nvmi_heap {
    struct nvm_disk_page *directory;
    unsigned char *bitmaps, *fresh_bitmaps;
    unsigned char *pages;
    uint32_t page_count; /* that there may ever be; nvmi_pool.backed_pages can be used */
    uint32_t rover, used_pages;
    bool header_changed;  /* since its checksum was made */
    uint32_t dirty_pages; /* pages below may hold bytes that no commit covers */
    uint32_t section_end; /* sections take pages below; beyond lie held_back free ones */
    uint32_t held_back;
    struct nvmi_page_info *info;
    struct nvmi_bin *bins; /* [type][class] */
    uint32_t *fresh_pages; /* pages with info.fresh */
    size_t fresh_count;
    uint32_t *taken_pages; /* pages with info.taken */
    size_t taken_count;
    uint64_t *deferred; /* offsets in the arena of blocks freed since the last commit */
    size_t deferred_count, deferred_capacity;
};
extern struct nvmi_heap nvmi_heap;

unsigned nvmi_size_class(size_t size_bytes); /* 1 .. NVMI_SLAB_MAX_BYTES */
size_t nvmi_class_bytes(unsigned size_class);

/* 0, or EINVAL [pool-damaged]. */
int nvmi_heap_header_check(void);
/* Reads the directory. 0, or EINVAL [pool-damaged], or ENOMEM. */
int nvmi_heap_open(void);
void nvmi_heap_close(void);

/* Under the heap lock. NULL: full. `zero`: give back zero bytes. */
void *nvmi_heap_alloc(unsigned type, size_t size_bytes, bool zero);
void nvmi_heap_free(void *p);
/* Makes the block at p hold size_bytes where it stands; false: it cannot. */
bool nvmi_heap_resize(void *p, size_t size_bytes);
/* At commit: frees take effect, and the heap's header gets its checksum; afterwards
 * nothing is fresh. */
void nvmi_heap_apply_frees(void);
void nvmi_heap_committed(void);

/* The block that holds p (which may point inside). */
struct nvmi_block {
    unsigned char *start;
    size_t size_bytes;
    unsigned type;
    bool allocated;
};
/* False: p points to no page that holds blocks. */
bool nvmi_heap_find(const void *p, struct nvmi_block *out);
uint64_t nvmi_heap_used_bytes(void);
/* Calls `visit` with each range of the arena that is in use, in ascending order: the
 * tables as far as they reach, then every page that is not free. */
void nvmi_heap_each_used(void (*visit)(void *context, uint64_t offset, uint64_t size_bytes),
                         void *context);

/* Does the line lie in a page that was free at the last commit? Then no commit
 * depends on what the home copy holds there. */
bool nvmi_line_is_new(uint32_t line);
/* The first page of all that is virgin in the home copy, too. */
uint32_t nvmi_virgin_page(void);

/* directory.c: runs of pages. First page, or NVMI_NO_PAGE. Pages from *virgin_from
 * on hold zero bytes. */
uint32_t nvmi_pages_take(uint32_t count, uint32_t *virgin_from);
void nvmi_pages_release(uint32_t first, uint32_t count);
bool nvmi_pages_extend(uint32_t first, uint32_t count, uint32_t more, uint32_t *virgin_from);
void nvmi_page_set(uint32_t page, struct nvm_disk_page value);
uint32_t nvmi_page_crc(const struct nvm_disk_page *page, uint32_t number);

/* headroom.c: pages that only the start-up section may take. Under the heap lock. */
void nvmi_headroom_begin(void);      /* start-up begins */
void nvmi_headroom_restored(void);   /* nvm_restore() was called */
void nvmi_headroom_ready(void);      /* start-up is about to commit, and ends */
void nvmi_headroom_freed(void);      /* pages have become free */
bool nvmi_headroom_look_again(void); /* true: section_end has moved up */
void nvmi_headroom_grown(void);      /* there are more pages */

/* large.c: blocks of whole pages. */
void *nvmi_large_alloc(unsigned type, size_t size_bytes, bool zero);
bool nvmi_large_resize(uint32_t page, size_t size_bytes);
void nvmi_large_release(uint32_t page);

static inline unsigned char *nvmi_page_address(uint32_t page)
{
    return nvmi_heap.pages + (uint64_t)page * NVM_PAGE_BYTES;
}

static inline void nvmi_mark_fresh(uint32_t page)
{
    if (!nvmi_heap.info[page].fresh) {
        nvmi_heap.info[page].fresh = 1;
        nvmi_heap.fresh_pages[nvmi_heap.fresh_count++] = page;
    }
}

#endif /* NVMOVE_SRC_HEAP_H */
