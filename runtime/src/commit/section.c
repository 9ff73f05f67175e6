/*===- section.c - sections -------------------------------------------------===
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
#include "base/pool.h"
#include "base/taken.h"
#include "commit/clock.h"
#include "commit/commit.h"
#include "commit/detached.h"
#include "commit/put_off.h"
#include "commit/restart_points.h"
#include "commit/streams.h"
#include "heap/arena.h"
#include "heap/state.h"
#include "hook/hook.h"
#include "threads/side_by_side.h"

void (*nvmi_section_work)(void);
static const void *thread_of_start_up; /* told by where it has its depth */

/* May sections? Not where each end of a section commits: it would wait for the others to end while
 * it may have what they wait for. */
static bool may_run_beside(const struct nvmi_pool *pool)
{
    return (pool->epoch_ns || nvmi_may_put_off()) && !pool->start_up && !pool->snapshot &&
           !pool->verify && !nvmi_audit && pool->engine->side_by_side;
}

/* The first one since there was nothing to load. */
static void first_section_begins(void)
{
    pthread_mutex_lock(&nvmi_heap_lock);
    if (nvmi_pool.nothing_loaded)
        nvmi_heap_change()->load_done = 1;
    __atomic_store_n(&nvmi_pool.nothing_loaded, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&nvmi_heap_lock);
}

/* Who ends the process may still need the lock. */
static void begun_after_detach(void)
{
    if (nvmi_is_beside)
        nvmi_beside_leave();
    else
        nvmi_sections_unlock();
    nvmi_depth = 0;
    nvmi_go_on_after_detach("a section begins");
}

static void begun(void)
{
    nvmi_depth = 1;
    if (__builtin_expect(nvmi_is_detached(), 0))
        begun_after_detach();
    if (__atomic_load_n(&nvmi_pool.nothing_loaded, __ATOMIC_RELAXED) && !nvmi_pool.snapshot)
        first_section_begins();
    if (!nvmi_is_beside) {
        __atomic_store_n(&nvmi_section_runs, true, __ATOMIC_RELAXED);
        nvmi_hold_output();
    }
    if (thread_of_start_up != &nvmi_depth && nvmi_has_epochs())
        nvmi_clock_start();
}

void nvmi_start_up_section(void)
{
    nvmi_sections_lock();
    __atomic_store_n(&nvmi_section_runs, true, __ATOMIC_RELAXED);
    nvmi_depth = 1;
    thread_of_start_up = &nvmi_depth;
}

/* False: not now. */
static bool begin_beside(bool waits)
{
    if (!nvmi_beside_enter(waits))
        return false;
    begun();
    return true;
}

void nvm_begin(void)
{
    if (!nvmi_pool.open)
        return;
    nvmi_use();
    if (nvmi_depth > 0) {
        nvmi_depth++;
        return;
    }
    /* Who has stdout held back runs alone, and so does all where no lock has made a section yet. */
    if ((nvmi_beside_has_gate() || nvmi_restart_members()) && may_run_beside(&nvmi_pool) &&
        !nvmi_holds_output_back()) {
        begin_beside(true);
        return;
    }
    nvmi_sections_lock();
    begun();
}

void nvmi_section_begin_with_lock(void)
{
    if (!nvmi_pool.open || nvmi_depth > 0 || !may_run_beside(&nvmi_pool))
        nvm_begin();
    else
        begin_beside(true);
}

bool nvmi_section_try(void)
{
    if (!nvmi_pool.open)
        return true;
    if (nvmi_depth > 0)
        return false;
    if (may_run_beside(&nvmi_pool))
        return begin_beside(false);
    if (!nvmi_sections_trylock())
        return false;
    begun();
    return true;
}

void nvmi_section_commit(void)
{
    if (!nvmi_pool.open || nvmi_depth != 1 || nvmi_pool.start_up || nvmi_is_beside)
        return;
    void (*work)(void) = nvmi_section_work;
    if (work)
        work();
    nvmi_commit_if_due();
}

static void close_alone(void)
{
    nvmi_release_output();
    nvmi_sections_unlock();
    nvmi_depth = 0;
}

/* What it and others did becomes durable together, in a section that runs alone. Others may wait
 * for a lock: who holds one does not wait for them. */
static void close_beside(bool waits)
{
    bool is_due = nvmi_section_work || (nvmi_restart_members() == 0 && nvmi_commit_is_due());
    bool may_wait = nvmi_may_put_off() && nvmi_put_off_beside(nvmi_beside) && waits;
    nvmi_beside_leave();
    nvmi_depth = 0;
    if (!is_due || (may_wait && !nvmi_section_work))
        return;
    if (waits)
        nvmi_sections_lock();
    else if (!nvmi_sections_trylock())
        return;
    nvmi_depth = 1;
    if (nvmi_is_put_off())
        nvmi_commit();
    nvmi_section_commit();
    close_alone();
}

static void close_section(bool waits)
{
    if (nvmi_depth > 1)
        nvmi_depth--;
    else if (nvmi_is_beside)
        close_beside(waits);
    else
        close_alone();
}

void nvmi_section_close(void)
{
    if (nvmi_pool.open)
        close_section(true);
}

void nvm_end(void)
{
    if (!nvmi_pool.open)
        return;
    if (nvmi_depth == 0)
        nvmi_bug("nvm_end() without nvm_begin()");
    if (nvmi_depth == 1 && nvmi_pool.start_up)
        nvmi_bug("nvm_end() would end the start-up section; nvm_ready() does that");
    nvmi_section_commit();
    nvmi_section_close();
}

unsigned nvmi_section_leave(void)
{
    unsigned depth = nvmi_pool.open && !nvmi_pool.start_up ? (unsigned)nvmi_depth : 0;
    if (depth > 0) {
        nvmi_depth = 1;
        nvmi_section_commit();
        close_section(false);
    }
    return depth;
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

void nvmi_sections_in_child(bool was_inside)
{
    nvmi_beside_in_child(was_inside && !nvmi_is_beside);
    nvmi_heap_locks_in_child();
    nvmi_owner_lock_in_child(&nvmi_engine_lock);
    pthread_mutex_init(&nvmi_orphan_lock, NULL);
    nvmi_restart_in_child();
    nvmi_clock_in_child();
}
