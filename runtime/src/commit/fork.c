/*===- fork.c - children ----------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Before nvm_restore() a fork is taken for a daemon's: parent and child go on
 * alike, and the first of them to call nvm_restore() owns the pool.
 *
 * After that a child has a frozen view. Its private mapping holds what was
 * written before the fork, but its untouched pages show the file; so the owner
 * must not write to the home copy while the child lives. A lock says so: before
 * the fork the owner opens the pool file once more, takes a read lock on one
 * byte beyond its end, maps a page and closes the descriptor. The lock belongs
 * to the open file, which lives as long as the mapping. The owner unmaps the
 * page after the fork, the child never does: it is gone when the child and all
 * its children have exited or called exec, however they end, whatever
 * descriptors they closed. A later owner, after a crash of this one, sees it too.
 *
 * Under a direct engine parent and child would share what the program writes: the
 * child copies all that the heap uses before its fork() returns, forked/frozen.h.
 */
#define _GNU_SOURCE
#include "commit/fork.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/taken.h"
#include "commit/section.h"
#include "commit/thread.h"
#include "forked/frozen.h"
#include "heap/arena.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "hook/hook.h"
#include "medium/locks.h"
#include "medium/snapshots.h"
#include "named/code.h"
#include "remote/replica.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *snapshot_lock;
static bool locked_section;

static void keep_from_children(void *p, size_t size_bytes)
{
    if (p)
        madvise(p, size_bytes, MADV_DONTFORK);
}

bool nvmi_fork_own(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (nvmi_is_mine())
        return true;
    if (!nvmi_take())
        return false;
    /* A child that outlives this process must hold none of its locks. */
    keep_from_children(pool->pmemobj, pool->header.pool_size_bytes);
    keep_from_children(pool->lock, NVMI_MACHINE_PAGE_BYTES);
    keep_from_children(pool->pmem_lock, NVMI_MACHINE_PAGE_BYTES);
    keep_from_children(pool->home, pool->header.arena_size_bytes);
    keep_from_children(pool->log, pool->header.log_size_bytes);
    keep_from_children(pool->control_page, pool->control_page_bytes);
    return true;
}

/* Writes to each machine page, so that none shows the file any more. */
static void detach(void *unused, uint64_t offset, uint64_t size_bytes)
{
    (void)unused;
    for (uint64_t at = 0; at < size_bytes; at += NVMI_MACHINE_PAGE_BYTES)
        if (!nvmi_is_code(offset + at)) /* private already, and not to be written */
            __atomic_fetch_or(nvmi_pool.heap + offset + at, 0, __ATOMIC_RELAXED);
}

static void before_fork(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    nvmi_taken_before_fork();
    /* The child would take its copy of what another thread's section has half done. */
    bool copies = pool->open && pool->engine->direct;
    locked_section = copies && nvmi_depth == 0;
    if (locked_section)
        nvmi_sections_lock();
    else if (pool->open)
        nvmi_beside_alone(); /* or the program forks with a lock that the others wait for */
    nvmi_heap_lock_all();
    /* No other thread is between its announcement and what it keeps. */
    nvmi_owner_lock(&nvmi_engine_lock);
    nvmi_announcements_stop();
    pthread_mutex_lock(&nvmi_orphan_lock);
    if (!pool->open || pool->snapshot || !pool->engine->durable || !nvmi_is_mine())
        return;
    if (pool->engine->direct) {
        nvmi_frozen_begin();
        return;
    }
    snapshot_lock = nvmi_snapshot_lock();
    /* Without a lock (no descriptor left) the child gets its own copy of all. So
     * it does before the first commit, which goes straight home. */
    if (!snapshot_lock || pool->free_at_once || !pool->engine->keeps_snapshot)
        nvmi_heap_each_used(detach, NULL);
}

static void unlock_all(void)
{
    pthread_mutex_unlock(&nvmi_orphan_lock);
    nvmi_announcements_go_on();
    nvmi_owner_unlock(&nvmi_engine_lock);
    nvmi_heap_unlock_all();
    if (locked_section)
        nvmi_sections_unlock();
    locked_section = false;
}

static void in_parent(void)
{
    nvmi_frozen_in_parent();
    nvmi_lock_release(snapshot_lock);
    snapshot_lock = NULL;
    nvmi_taken_after_fork();
    unlock_all();
}

static void copy_used(void *to, uint64_t offset, uint64_t size_bytes)
{
    nvmi_frozen_copy(to, offset, size_bytes);
}

/* The directory is among what is visited first: which pages are used is read from the copy. */
static void copy_heap(struct nvmi_pool *pool)
{
    uint64_t size_bytes = pool->header.arena_size_bytes;
    struct nvm_disk_page *directory = nvmi_heap.directory;
    unsigned char *to = nvmi_reserve(size_bytes);
    if (!to)
        nvmi_die(NVMI_EXIT_FULL, "no-memory", "%s: no address space for the copy of a forked child",
                 pool->path);
    madvise(to, size_bytes, MADV_HUGEPAGE); /* fewer faults; a hint */
    nvmi_heap.directory = (struct nvm_disk_page *)(void *)(to + pool->header.directory_offset);
    nvmi_heap_each_used(copy_used, to);
    nvmi_heap.directory = directory;
    if (mremap(to, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pool->heap) == MAP_FAILED)
        nvmi_die(NVMI_EXIT_FULL, "no-memory", "%s: the copy of a forked child cannot be mapped: %s",
                 pool->path, strerror(errno));
    nvmi_codes_protect();
}

static void in_child(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    nvmi_sections_in_child(nvmi_depth > 0);
    locked_section = false;
    nvmi_thread_in_child();
    nvmi_replica_in_child();
    nvmi_taken_after_fork();
    if (!pool->open || pool->snapshot || nvmi_is_parted)
        return;
    if (pool->engine->direct) {
        copy_heap(pool);
        nvmi_frozen_in_child();
    }
    snapshot_lock = NULL; /* stays mapped for the life of this process */
    pool->snapshot = true;
    pool->detached = false;
    pool->lock = pool->pmem_lock = pool->pmemobj = NULL;
    pool->home = pool->log = pool->control = NULL;
    pool->fd = -1;
    nvmi_hook_off();
    nvmi_events_stop();
    nvmi_section_work = NULL; /* the parent goes on with it */
    nvmi_heap_watch = NULL;
}

void nvmi_fork_detach(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    nvmi_frozen_wait();
    if (pool->engine->direct)
        copy_heap(pool);
    pool->snapshot = true;
    nvmi_hook_off();
    nvmi_events_stop();
}

/* Nothing that this process holds may outlive its parent: sockets, locks. */
static void be_a_marker(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
#ifdef SYS_close_range
    syscall(SYS_close_range, 0u, ~0u, 0u); /* an old kernel: they go with the parent */
#endif
}

pid_t nvmi_fork_marker(void (*mark)(void))
{
    sigset_t all, before;
    pid_t self = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers are not for the child */
    before_fork();
    pid_t child = (pid_t)syscall(SYS_clone, 0ul, NULL, NULL, NULL, 0ul);
    if (child == 0) {
        in_child();
        be_a_marker(self);
        mark();
        _exit(0);
    }
    in_parent();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return child;
}

int nvmi_fork_open(void)
{
    static bool registered;
    nvmi_snapshots_open();
    int error = nvmi_taken_open();
    if (error)
        return error;
    if (!registered && pthread_atfork(before_fork, in_parent, in_child) != 0)
        return nvmi_fail(ENOMEM, "no-memory", "no memory for the fork handlers");
    registered = true;
    return 0;
}

void nvmi_fork_close(void)
{
    nvmi_frozen_wait(); /* whoever opens the pool next changes it */
    nvmi_taken_close();
}
