/*===- pool.h - the open pool, as the runtime sees it in memory -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 *   open.c      finds, checks, locks, maps; close        create.c   makes the file
 *   header.c    reads the header without touching it     recovery   engines, log.c
 *   hook.c      announced lines        heap.c large.c     pages, slabs, runs
 *   section.c   sections and commits   table.c roots.c twins.c types.c   named things
 *   fork.c      children               restore.c          the load
 *
 * Locks, in the order in which they are taken: restart points, section (held by the
 * thread that runs the outermost section), arenas (heap.h) by number, heap, engine,
 * orphan. None is held while the program's code runs, except the section lock.
 */
#ifndef NVMOVE_SRC_POOL_H
#define NVMOVE_SRC_POOL_H

#include "base/error.h"
#include "base/event.h"
#include "base/log.h"
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

/* As many lines are saved at once at most. */
#define NVMI_SAVE_LINES 64u

struct nvm_engine;

struct nvmi_pool {
    bool open;
    bool snapshot;       /* this process is a child with a frozen view */
    bool restored;       /* the pool held a commit when it was opened */
    bool bare;           /* nvmi_open_bare() */
    bool start_up;       /* the start-up section has not ended */
    bool nothing_loaded; /* there was nothing to load, and no section has begun since */
    bool growth_failed;  /* said once */
    bool free_at_once;   /* no commit needs what the working copy holds: a free is final */
    bool power;          /* NVM_DURABILITY=power */
    bool dax;            /* MAP_SYNC works: a fence is enough against loss of power */
    bool saves;          /* the engine wants to know lines before they change */
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
    uint64_t epoch_began_ns;
    void *pmemobj;   /* PMEMobjpool, or NULL */
    void *lock;      /* one mapped page that keeps the owner's lock alive */
    void *pmem_lock; /* likewise, libpmemobj's */

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
/* Counted by one thread at a time, read by any. */
#define NVMI_COUNT(counter, more)                                                                  \
    __atomic_store_n(&nvmi_pool.stats.counter, nvmi_pool.stats.counter + (more), __ATOMIC_RELAXED)

extern pthread_mutex_t nvmi_section_lock, nvmi_heap_lock, nvmi_engine_lock, nvmi_orphan_lock;

/* Depth of this thread's sections; the start-up section counts. */
extern _Thread_local unsigned nvmi_depth;

static inline struct nvm_disk_heap *nvmi_heap_header(void)
{
    return (struct nvm_disk_heap *)(void *)nvmi_pool.heap;
}

/* Announced, to be written now: the commit makes its checksum anew. Under the heap lock. */
struct nvm_disk_heap *nvmi_heap_change(void);

static inline bool nvmi_in_heap(const void *p)
{
    return (uintptr_t)p - (uintptr_t)nvmi_pool.heap < nvmi_pool.header.arena_size_bytes &&
           nvmi_pool.heap;
}

/* Reserves zeroed memory that is taken only as it is used; NULL when refused. */
void *nvmi_reserve(size_t size_bytes);
void nvmi_release(void *p, size_t size_bytes);

/* open.c: for tools, which know nothing of the program. As nvm_open() of a pool that
 * holds a commit, but nothing is compared with registrations, none are entered, and
 * roots stay as they are. With `power` commits survive power loss. EINVAL: no commit
 * yet. */
int nvmi_open_bare(const char *path, bool power);

/* hook.c */
int nvmi_hook_open(void); /* 0 or an errno */
void nvmi_hook_close(void);
void nvmi_hook_off(void); /* stores are no longer announced */
/* Under the engine lock if the engine saves lines. Moves the orphans to the changes and makes every
 * line announceable again. */
void nvmi_hook_collect(void);
/* Under the engine lock: the line of this byte is flushed with the next commit;
 * stores to it are still to be announced. */
void nvmi_hook_flush_later(uint64_t offset);
/* At most NVMI_SAVE_LINES lines that only a commit changes are about to change; under the
 * section lock. The list is used up. */
void nvmi_hook_lines(uint32_t *number, size_t count);
/* These bytes are about to be overwritten and need not be saved: they are of no
 * use to the last commit. In a section. */
void nvmi_hook_overwrite(const void *p, size_t size_bytes);
/* Under the heap lock: a range of the working copy is zero. True if recorded;
 * false: announce it like any other store. */
bool nvmi_hook_zero(uint64_t offset, uint64_t size_bytes);
bool nvmi_hook_pending(void); /* is there anything to commit? */
void nvmi_hook_done(void);    /* after a commit: empties the changes */

/* section.c */
void nvmi_commit(void); /* under the section lock */
void nvmi_commit_if_due(void);
bool nvmi_commit_is_due(void);
void nvmi_sections_in_child(bool was_inside);

/* Before something leaves the process; nested sections commit only for a promise. */
void nvmi_output(bool is_promise);
void nvmi_wait_for_medium(void);

/* streams.c: around an outermost section, under the section lock; the latter behind the commit. */
void nvmi_hold_output(void);
void nvmi_release_output(void);
void nvmi_flush_output(void); /* what was held back comes before another output */

/* direct.c: pages below `end` are in use from now on. */
void nvmi_direct_pages_taken(struct nvmi_pool *pool, uint32_t end);

void nvmi_checkpoint_now(void); /* whatever threads take part; outside sections */

/* restart_points.c: threads that take part. */
unsigned nvmi_restart_members(void);
bool nvmi_restart_takes_part(void); /* this thread does, and is not paused: no commit without it */
/* May all that the threads have done be committed? Until nvmi_restart_release() they
 * stay where they are. `at_point`: the calling thread counts as being at one. */
bool nvmi_restart_hold(bool at_point);
void nvmi_restart_release(void);
void nvmi_restart_in_child(void);

/* cells.c */
#define NVMI_CELL_BYTES 32u
#define NVMI_CELL_TYPE "nvm.cell"

/* fork.c */
int nvmi_fork_open(void);
void nvmi_fork_close(void);
/* This process goes on with a frozen view, as a child does. */
void nvmi_fork_detach(void);
bool nvmi_fork_own(void);        /* this process is the pool's from now on; false: another is */
bool nvmi_fork_owned(void);      /* by this process */
bool nvmi_snapshots_alive(void); /* children that still look at the home copy */
/* A child that calls mark() with a frozen view, and ends; it must not call malloc().
 * The program does not notice: no fork handlers, no SIGCHLD, nothing for wait().
 * It goes with its parent. Its pid, or -1; reap it with __WALL. */
pid_t nvmi_fork_marker(void (*mark)(void));

/* verify.c */
int nvmi_verify_open(void);
void nvmi_verify_close(void);
void nvmi_verify_commit(void); /* between collect and the engine's commit */

/* stats.c: if the environment asks for it */
void nvmi_stats_open(void);
void nvmi_stats_keep(
    void); /* in the pool, where a killed process leaves them; under the heap lock */
void nvmi_stats_print(void);

#endif /* NVMOVE_SRC_POOL_H */
