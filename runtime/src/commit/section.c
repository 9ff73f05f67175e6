/*===- section.c - sections -------------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "commit/section.h"
#include "base/error.h"
#include "base/pool.h"
#include "commit/commit.h"
#include "commit/restart_points.h"
#include "commit/streams.h"
#include "heap/arena.h"
#include "heap/state.h"

void (*nvmi_section_work)(void);

/* The first one since there was nothing to load. */
static void first_section_begins(void)
{
    pthread_mutex_lock(&nvmi_heap_lock);
    nvmi_heap_change()->load_done = 1;
    nvmi_pool.nothing_loaded = false;
    pthread_mutex_unlock(&nvmi_heap_lock);
}

static void begun(void)
{
    nvmi_depth = 1;
    if (nvmi_pool.nothing_loaded && !nvmi_pool.snapshot)
        first_section_begins();
    nvmi_hold_output();
}

void nvm_begin(void)
{
    if (!nvmi_pool.open)
        return;
    if (nvmi_depth > 0) {
        nvmi_depth++;
        return;
    }
    pthread_mutex_lock(&nvmi_section_lock);
    begun();
}

bool nvmi_section_try(void)
{
    if (!nvmi_pool.open)
        return true;
    if (nvmi_depth > 0 || pthread_mutex_trylock(&nvmi_section_lock) != 0)
        return false;
    begun();
    return true;
}

void nvmi_section_commit(void)
{
    if (!nvmi_pool.open || nvmi_depth != 1 || nvmi_pool.start_up)
        return;
    void (*work)(void) = nvmi_section_work;
    if (work)
        work();
    nvmi_commit_if_due();
}

void nvmi_section_close(void)
{
    if (!nvmi_pool.open)
        return;
    if (nvmi_depth == 1) {
        nvmi_release_output();
        pthread_mutex_unlock(&nvmi_section_lock);
    }
    nvmi_depth--;
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
        nvm_end();
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
    pthread_mutex_init(&nvmi_section_lock, NULL);
    nvmi_heap_locks_in_child();
    nvmi_owner_lock_in_child(&nvmi_engine_lock);
    pthread_mutex_init(&nvmi_orphan_lock, NULL);
    nvmi_restart_in_child();
    if (was_inside)
        pthread_mutex_lock(&nvmi_section_lock);
}
