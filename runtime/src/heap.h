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
 * Threads. Each allocates from slabs of its arena, under the lock of that arena; a
 * block is freed under the lock of the arena that its slab belongs to. The heap lock
 * guards the directory, large blocks and the tables. A commit locks all of them.
 *
 * Invariants, under the lock of the slab's arena
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
    uint8_t arena; /* of a slab; atomic */
};

struct nvmi_bin {
    uint32_t head; /* page number + 1; 0: empty */
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
    struct nvmi_fresh fresh;
    struct nvmi_deferred deferred;
} __attribute__((aligned(64)));
extern struct nvmi_arena nvmi_arenas[NVMI_ARENAS];

struct nvmi_heap {
    struct nvm_disk_page *directory;
    unsigned char *bitmaps, *fresh_bitmaps;
    unsigned char *pages;
    unsigned opened, threads; /* how often; that have allocated since */
    struct nvmi_page_info *info;
    /* Under the heap lock from here on. */
    uint32_t page_count; /* that there may ever be; nvmi_pool.backed_pages can be used */
    uint32_t rover, used_pages;
    bool header_changed;  /* since its checksum was made */
    uint32_t dirty_pages; /* pages below may hold bytes that no commit covers */
    uint32_t section_end; /* sections take pages below; beyond lie held_back free ones */
    uint32_t held_back;
    struct nvmi_fresh fresh; /* large blocks */
    uint32_t *taken_pages;   /* pages with info.taken */
    size_t taken_count;
    struct nvmi_deferred deferred; /* large blocks */
};
extern struct nvmi_heap nvmi_heap;

unsigned nvmi_size_class(size_t size_bytes); /* 1 .. NVMI_SLAB_MAX_BYTES */
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

/* NULL: full. `zero`: give back zero bytes. */
void *nvmi_heap_alloc(unsigned type, size_t size_bytes, bool zero);
/* The alignment is a power of two, at most NVM_PAGE_BYTES. */
void *nvmi_heap_alloc_aligned(unsigned type, size_t alignment, size_t size_bytes, bool zero);
void nvmi_heap_free(void *p);
size_t nvmi_heap_deferred(void); /* frees that wait for the commit */
/* Makes the block at p hold size_bytes where it stands; false: it cannot. */
bool nvmi_heap_resize(void *p, size_t size_bytes);
/* At commit, everything locked: frees take effect, and the heap's header gets its checksum;
 * afterwards nothing is fresh. */
void nvmi_heap_apply_frees(void);
void nvmi_heap_committed(void);

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
void nvmi_arena_unlock(struct nvmi_arena *arena);

/* slab.c: under the lock of the arena that the slab belongs to. */
void nvmi_slab_classes(void);
uint32_t nvmi_slab_capacity(unsigned size_class);
/* `may_grow`: takes a new page if need be. */
void *nvmi_slab_alloc(struct nvmi_arena *arena, unsigned type, unsigned size_class, bool may_grow);
void nvmi_slab_release(uint32_t page, uint32_t index);
void nvmi_slab_found(uint32_t page); /* at open */
void nvmi_slab_committed(uint32_t page);
/* Does an allocated block begin there? Its number. */
bool nvmi_slab_holds(uint32_t page, uint32_t offset_in_page, uint32_t *index);
bool nvmi_slab_is_set(uint32_t page, uint32_t index);
bool nvmi_slab_is_fresh(uint32_t page, uint32_t index);
void nvmi_slab_block(uint32_t page, uint32_t offset_in_page, struct nvmi_block *out);

/* directory.c, under the heap lock: runs of pages. First page, or NVMI_NO_PAGE. Pages from
 * *virgin_from on hold zero bytes. */
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

/* large.c, under the heap lock: blocks of whole pages. */
void *nvmi_large_alloc(unsigned type, size_t size_bytes, bool zero);
bool nvmi_large_resize(uint32_t page, size_t size_bytes);
void nvmi_large_release(uint32_t page);

static inline unsigned char *nvmi_page_address(uint32_t page)
{
    return nvmi_heap.pages + (uint64_t)page * NVM_PAGE_BYTES;
}

static inline void nvmi_fresh_add(struct nvmi_fresh *fresh, uint32_t page)
{
    nvmi_heap.info[page].fresh = 1;
    fresh->page[fresh->count++] = page;
}

#endif /* NVMOVE_SRC_HEAP_H */
