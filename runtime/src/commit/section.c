/*===- section.c - sections, commits, output commits ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "commit/section.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/pool.h"
#include "commit/restart_points.h"
#include "commit/stats.h"
#include "commit/streams.h"
#include "commit/thread.h"
#include "commit/verify.h"
#include "heap/arena.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "hook/hook.h"
#include "named/roots.h"
#include "named/types.h"
#include <time.h>

void (*nvmi_section_work)(void);

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
        pool->engine->commit(pool, &pool->changes);
    NVMI_COUNT(sections, 1);
    nvmi_hook_done();
}

void nvmi_commit(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (pool->snapshot)
        return;
    if (nvmi_audit)
        nvmi_audit->ended();
    nvmi_heap_lock_all();
    nvmi_roots_collect();
    nvmi_types_collect();
    nvmi_heap_apply();
    if (nvmi_hook_pending() || !pool->engine->hooked || pool->verify) {
        nvmi_event();
        /* What is saved after the marks went belongs to the next epoch. */
        if (pool->saves)
            pthread_mutex_lock(&nvmi_engine_lock);
        commit_changes(pool);
        if (pool->saves)
            pthread_mutex_unlock(&nvmi_engine_lock);
        nvmi_event();
    }
    nvmi_heap_committed();
    if (pool->epoch_ns)
        pool->epoch_began_ns = now_ns();
    nvmi_stats_keep();
    nvmi_heap_unlock_all();
}

bool nvmi_commit_is_due(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->open || pool->snapshot || pool->start_up)
        return false;
    if (!pool->epoch_ns || (pool->engine->presses && pool->engine->presses(pool)))
        return true;
    return pool->epoch_ns != UINT64_MAX && now_ns() - pool->epoch_began_ns >= pool->epoch_ns;
}

void nvmi_commit_if_due(void)
{
    /* With restart points a section's end says nothing about other threads. */
    if (nvmi_restart_members() == 0 && nvmi_commit_is_due())
        nvmi_commit();
    else if (nvmi_audit && nvmi_pool.open && !nvmi_pool.snapshot)
        nvmi_audit->ended();
}

/* The first one since there was nothing to load. */
static void first_section_begins(void)
{
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_heap_change()->load_done = 1;
    nvmi_pool.nothing_loaded = false;
    pthread_mutex_unlock(&nvmi_heap_lock);
}

void nvm_begin(void)
{
    if (!nvmi_pool.open)
        return;
    if (nvmi_depth++ == 0) {
        pthread_mutex_lock(&nvmi_section_lock);
        if (nvmi_pool.nothing_loaded && !nvmi_pool.snapshot)
            first_section_begins();
        nvmi_hold_output();
    }
}

void nvm_end(void)
{
    if (!nvmi_pool.open)
        return;
    if (nvmi_depth == 0)
        nvmi_bug("nvm_end() without nvm_begin()");
    if (nvmi_depth == 1) {
        if (nvmi_pool.start_up)
            nvmi_bug("nvm_end() would end the start-up section; nvm_ready() does that");
        void (*work)(void) = nvmi_section_work;
        if (work)
            work();
        nvmi_commit_if_due();
        nvmi_release_output();
        pthread_mutex_unlock(&nvmi_section_lock);
    }
    nvmi_depth--;
}

int nvm_section_begin(void)
{
    nvm_begin();
    return 0;
}

void nvm_section_end(int *section)
{
    (void)section;
    nvm_end();
}

void nvmi_checkpoint_now(void)
{
    if (!nvmi_pool.open || nvmi_pool.snapshot || nvmi_pool.start_up)
        return;
    pthread_mutex_lock(&nvmi_section_lock);
    nvmi_commit();
    pthread_mutex_unlock(&nvmi_section_lock);
    nvmi_wait_for_medium();
}

void nvmi_sections_in_child(bool was_inside)
{
    pthread_mutex_init(&nvmi_section_lock, NULL);
    nvmi_heap_locks_in_child();
    pthread_mutex_init(&nvmi_engine_lock, NULL);
    pthread_mutex_init(&nvmi_orphan_lock, NULL);
    nvmi_restart_in_child();
    if (was_inside)
        pthread_mutex_lock(&nvmi_section_lock);
}

void nvmi_wait_for_medium(void)
{
    if (!nvmi_pool.open || nvmi_pool.snapshot)
        return;
    if (nvmi_pool.threaded)
        nvmi_thread_wait();
    nvmi_pool.engine->wait(&nvmi_pool);
}

/* Has a section stored what no commit has yet? One that is under way may have. */
static bool is_ahead(const struct nvmi_pool *pool)
{
    bool locks = nvmi_depth == 0;
    if (locks && pthread_mutex_trylock(&nvmi_section_lock) != 0)
        return true;
    bool ahead = pool->changes.lines.count > 0;
    if (locks)
        pthread_mutex_unlock(&nvmi_section_lock);
    return ahead;
}

void nvmi_output(bool is_promise)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->open || pool->snapshot)
        return;
    bool may = !pool->start_up && !pool->epoch_ns && nvmi_restart_members() == 0;
    if (may && (nvmi_depth == 1 || (nvmi_depth > 1 && is_promise)))
        nvmi_commit();
    else if (!pool->start_up && (nvmi_depth > 1 || pool->epoch_ns) && is_ahead(pool))
        __atomic_add_fetch(&pool->stats.early_outputs, 1, __ATOMIC_RELAXED);
    nvmi_wait_for_medium();
}

void nvm_output(void)
{
    nvmi_output(false);
}
