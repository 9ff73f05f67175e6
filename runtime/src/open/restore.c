/*===- restore.c - the load, and the end of the start-up section ------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "open/restore.h"
#include "base/error.h"
#include "base/pool.h"
#include "commit/commit.h"
#include "commit/detached.h"
#include "commit/fork.h"
#include "commit/section.h"
#include "heap/headroom.h"
#include "heap/state.h"
#include "named/roots.h"
#include "reachability/collect.h"
#include "threads/side_by_side.h"
#include <errno.h>

int nvm_restore(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->open)
        return 0;
    if (nvmi_is_detached())
        nvmi_go_on_after_detach("the state is loaded");
    if (!pool->start_up || pool->snapshot)
        return pool->restored;
    if (pool->given_back) {
        nvmi_roots_give_due();
        return pool->restored;
    }
    if (!nvmi_fork_own())
        nvmi_die(NVMI_EXIT_START, "pool-busy",
                 "%s was taken over by another process of this program", pool->path);
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_headroom_restored();
    pthread_mutex_unlock(&nvmi_heap_lock);
    nvmi_collect_begin();
    if (pool->restored)
        nvmi_roots_restore();
    pool->given_back = true;
    return pool->restored;
}

int nvm_restore_at_start(void)
{
    return nvm_restore() && nvmi_pool.start_up;
}

void nvmi_start_up_begin(void)
{
    nvmi_pool.given_back = false;
    nvmi_pool.nothing_loaded = false;
    nvmi_pool.start_up = true;
    nvmi_headroom_begin();
    nvmi_start_up_section();
}

void nvm_ready(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (pool->open && pool->start_up && nvmi_is_detached())
        nvmi_go_on_after_detach("the state is loaded");
    if (!pool->open || !pool->start_up || pool->snapshot)
        return;
    if (nvmi_depth == 0)
        nvmi_bug("nvm_ready() by a thread that is not in the start-up section");
    if (pool->restored && !pool->given_back)
        nvmi_bug("nvm_ready() without nvm_restore(): the pool's roots would be lost");
    if (!nvmi_fork_own())
        nvmi_die(NVMI_EXIT_START, "pool-busy",
                 "%s was taken over by another process of this program", pool->path);
    nvmi_roots_give_due();
    nvmi_roots_check_due();
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_headroom_ready();
    pool->start_up = false;
    pthread_mutex_unlock(&nvmi_heap_lock);
    nvmi_commit();
    nvmi_wait_for_medium();
    if (--nvmi_depth == 0)
        nvmi_sections_unlock();
}

static long loaded(long result, uint32_t done)
{
    int error = errno;
    if (nvmi_pool.open && nvmi_pool.start_up && !nvmi_pool.snapshot) {
        pthread_mutex_lock(&nvmi_heap_lock);
        struct nvm_disk_heap *header = nvmi_heap_change();
        header->load_done = done;
        header->load_result = result;
        header->load_errno = error;
        nvmi_pool.nothing_loaded = done == 2;
        pthread_mutex_unlock(&nvmi_heap_lock);
        nvm_ready();
    }
    errno = error;
    return result;
}

long nvm_loaded(long result)
{
    return loaded(result, 1);
}

long nvm_loaded_or(long result, long nothing)
{
    return loaded(result, result == nothing ? 2 : 1);
}

long nvm_load_result(void)
{
    const struct nvm_disk_heap *header = nvmi_heap_header();
    long result = 0;
    int error = 0;
    if (nvmi_pool.open && header->load_done) {
        result = header->load_result;
        error = header->load_errno;
    }
    nvm_ready();
    errno = error;
    return result;
}

long nvm_load_result_or(long nothing, long loaded)
{
    /* What the program made without a file has not been committed: it makes it again. */
    nvmi_pool.nothing_loaded = nvmi_pool.open && nvmi_heap_header()->load_done == 2;
    long result = nvm_load_result();
    return result == nothing && !nvmi_pool.nothing_loaded ? loaded : result;
}
