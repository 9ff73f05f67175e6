/*===- commit.c - commits ---------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "commit/commit.h"
#include "base/engine.h"
#include "base/event.h"
#include "base/pool.h"
#include "commit/put_off.h"
#include "commit/stats.h"
#include "commit/thread.h"
#include "commit/verify.h"
#include "forked/frozen.h"
#include "heap/arena.h"
#include "heap/heap.h"
#include "hook/hook.h"
#include "hook/lists.h"
#include "named/roots.h"
#include "named/types.h"
#include "remote/replica.h"
#include "threads/side_by_side.h"
#include <time.h>

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Under the heap lock; if the engine saves lines, under its own, too. */
static void commit_changes(struct nvmi_pool *pool)
{
    nvmi_hook_collect();
    if (pool->verify)
        nvmi_verify_commit();
    /* To verify, one comes here also when nothing was announced. */
    if (pool->engine->hooked && !pool->changes.lines.count && !pool->changes.zero_count)
        return;
    if (pool->threaded)
        nvmi_thread_commit(pool, &pool->changes);
    else
        nvmi_replica_commit(pool, &pool->changes);
    NVMI_COUNT(sections, 1);
    nvmi_hook_done();
}

void nvmi_commit(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (nvmi_is_apart())
        return;
    if (nvmi_audit)
        nvmi_audit->ended();
    nvmi_nothing_put_off();
    nvmi_heap_lock_all();
    nvmi_roots_collect();
    nvmi_types_collect();
    nvmi_heap_apply();
    if (nvmi_hook_pending() || !pool->engine->hooked)
        nvmi_roots_collect_tallies();
    /* What is saved after the marks went belongs to the next epoch, in which pages that were taken
     * in this one are to be saved. */
    if (pool->saves)
        nvmi_owner_lock(&nvmi_engine_lock);
    if (nvmi_hook_pending() || !pool->engine->hooked || pool->verify) {
        nvmi_event();
        nvmi_frozen_poll();
        commit_changes(pool);
        nvmi_event();
    }
    nvmi_heap_committed();
    if (pool->saves)
        nvmi_owner_unlock(&nvmi_engine_lock);
    if (nvmi_replica_is_behind()) {
        if (pool->threaded)
            nvmi_thread_wait();
        nvmi_replica_committed(pool);
    }
    if (pool->epoch_ns)
        __atomic_store_n(&pool->epoch_began_ns, now_ns(), __ATOMIC_RELAXED);
    nvmi_stats_keep();
    nvmi_heap_unlock_all();
}

uint64_t nvmi_epoch_left_ns(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    uint64_t passed = now_ns() - __atomic_load_n(&pool->epoch_began_ns, __ATOMIC_RELAXED);
    return passed < pool->epoch_ns ? pool->epoch_ns - passed : 0;
}

bool nvmi_commit_is_due(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->open || pool->snapshot || pool->start_up)
        return false;
    if (!pool->epoch_ns || (pool->engine->presses && pool->engine->presses(pool)))
        return true;
    return pool->epoch_ns != UINT64_MAX && nvmi_epoch_left_ns() == 0;
}

void nvmi_commit_if_due(void)
{
    /* With restart points a section's end says nothing about other threads. */
    if (nvmi_restart_members() == 0 && nvmi_commit_is_due() && !nvmi_put_off())
        nvmi_commit();
    else if (nvmi_audit && nvmi_pool.open && !nvmi_pool.snapshot)
        nvmi_audit->ended();
}

void nvmi_checkpoint_now(void)
{
    if (!nvmi_pool.open || nvmi_pool.snapshot || nvmi_pool.start_up)
        return;
    nvmi_sections_lock();
    nvmi_commit();
    nvmi_sections_unlock();
    nvmi_wait_for_medium();
}

void nvmi_wait_for_medium(void)
{
    if (!nvmi_pool.open || nvmi_pool.snapshot)
        return;
    if (nvmi_pool.threaded)
        nvmi_thread_wait();
    nvmi_pool.engine->wait(&nvmi_pool);
    nvmi_replica_wait(&nvmi_pool);
}
