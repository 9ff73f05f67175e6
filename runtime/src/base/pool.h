/*===- pool.h - the open pool, as the runtime sees it in memory -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Every room knows it; the functions on it are in the rooms.
 *
 * Locks, in the order in which they are taken: restart points, section (held by the
 * thread that runs the outermost section), arenas (heap/arena.h) by number, heap, engine,
 * orphan. None is held while the program's code runs, except the section lock.
 */
#ifndef NVMOVE_SRC_POOL_H
#define NVMOVE_SRC_POOL_H

#include "base/layout.h"
#include "base/owner_lock.h"
#include "nvmove/nvm.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A list in reserved address space: it never moves and takes memory only as it
 * is used. */
struct nvmi_lines {
    uint32_t *number;
    size_t count, capacity;
};

/* What a commit makes durable. */
struct nvmi_changes {
    struct nvmi_lines lines;
    size_t first_orphan;        /* lines from here on were stored outside sections */
    struct nvm_disk_zero *zero; /* before the lines */
    size_t zero_count, zero_capacity;
    unsigned char *images; /* of the lines, one after the other; NULL: in the heap */
};

/* Where the log of a pool ends. */
struct nvmi_log_end {
    uint64_t offset;     /* where the next record goes */
    uint64_t next_epoch; /* and the epoch that it will have */
    bool damaged;        /* a record is unreadable although later ones were written after it */
};

/* As many lines are saved at once at most. */
#define NVMI_SAVE_LINES 64u

struct nvm_engine;

struct nvmi_pool {
    bool open;
    bool snapshot;       /* this process is a child with a frozen view */
    bool detached;       /* nvm_detach() was called: no commit is made. Atomic */
    bool restored;       /* the pool held a commit when it was opened */
    bool by_default;     /* it is new, and no engine was named */
    bool bare;           /* a tool has opened it: open/open.h */
    bool start_up;       /* the start-up section has not ended */
    bool nothing_loaded; /* there was nothing to load, and no section has begun since */
    bool given_back;     /* the program has got its roots back: nvm_restore() was called */
    bool growth_failed;  /* reported once */
    bool free_at_once;   /* no commit needs what the working copy holds: a free is final */
    bool power;          /* NVM_DURABILITY=power */
    bool dax;            /* MAP_SYNC works: a fence is enough against loss of power */
    bool saves;          /* the engine wants to know lines before they change */
    bool unannounced;    /* part of the heap changes without an announcement */
    bool verify;
    char path[4096]; /* absolute */
    int fd;          /* of the pool file; holds no lock */
    dev_t device;
    ino_t inode;
    const struct nvm_engine *engine; /* that commits */
    const struct nvm_engine *format; /* that made the pool; differs if `engine` is none */
    bool threaded;                   /* commits are written by a second thread */
    uint64_t epoch_ns;               /* commits are this far apart; 0: each section's end;
                                        UINT64_MAX: only on request */
    uint64_t epoch_began_ns;         /* atomic */
    void *pmemobj;                   /* PMEMobjpool, or NULL */
    void *lock;                      /* one mapped page that keeps the owner's lock alive */
    void *pmem_lock;                 /* likewise, libpmemobj's */

    struct nvm_disk_header header;
    struct nvm_disk_control control_read; /* when the pool was opened */
    struct nvm_disk_control slot;         /* as last written */
    struct nvmi_log_end log_end;          /* likewise */
    uint64_t epoch;                       /* of the last commit */
    unsigned char *heap;                  /* working copy, where the program's pointers point */
    unsigned char *home;                  /* the file's arena, shared */
    unsigned char *log;                   /* the file's log, shared */
    unsigned char *control;               /* the file's control slots and on, shared */
    void *control_page;                   /* start of that mapping */
    size_t control_page_bytes;
    uint32_t backed_pages;     /* pages before have blocks: backing.h */
    uint64_t log_backed_bytes; /* likewise of the engine's area, where it is a log */
    uint64_t log_data_bytes;   /* likewise: records or entries at open begin before */

    struct nvmi_changes changes;      /* of the thread in a section */
    struct nvmi_lines orphans;        /* under the orphan lock */
    struct nvmi_lines orphans_before; /* of the last commit: logged once more */
    struct nvm_stats stats;
    bool keeps_stats; /* in the pool, for nvm-pool stats */
};

extern struct nvmi_pool nvmi_pool;
/* Has nvm_detach() been called? */
static inline bool nvmi_is_detached(void)
{
    return __atomic_load_n(&nvmi_pool.detached, __ATOMIC_ACQUIRE);
}
/* Nothing that this process stores from now on is committed: it is a child with a frozen view,
 * or has called nvm_detach(). */
static inline bool nvmi_is_apart(void)
{
    return nvmi_pool.snapshot || nvmi_is_detached();
}
/* Are commits taken when some time has passed? */
static inline bool nvmi_has_epochs(void)
{
    return nvmi_pool.epoch_ns && nvmi_pool.epoch_ns != UINT64_MAX;
}
/* Counted by one thread at a time, read by any. */
#define NVMI_COUNT(counter, more)                                                                  \
    __atomic_store_n(&nvmi_pool.stats.counter, nvmi_pool.stats.counter + (more), __ATOMIC_RELAXED)

extern pthread_mutex_t nvmi_section_lock, nvmi_heap_lock, nvmi_orphan_lock;
extern struct nvmi_owner_lock nvmi_engine_lock;

/* Depth of this thread's sections; the start-up section counts. */
extern _Thread_local unsigned nvmi_depth;
/* Of these, those that a lock has begun, which others may wait for. */
extern _Thread_local unsigned nvmi_locks_held;
/* This thread takes part in restart points and is not paused: no commit comes without it. */
extern _Thread_local bool nvmi_takes_part;
extern unsigned nvmi_members; /* threads that do, or are paused; atomic */
static inline unsigned nvmi_restart_members(void)
{
    return __atomic_load_n(&nvmi_members, __ATOMIC_ACQUIRE); /* who left has left its stores */
}

static inline struct nvm_disk_heap *nvmi_heap_header(void)
{
    return (struct nvm_disk_heap *)(void *)nvmi_pool.heap;
}

static inline bool nvmi_in_heap(const void *p)
{
    return (uintptr_t)p - (uintptr_t)nvmi_pool.heap < nvmi_pool.header.arena_size_bytes &&
           nvmi_pool.heap;
}

#endif /* NVMOVE_SRC_POOL_H */