/*===- restart_points.c - checkpoints at which all threads meet -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The one that comes last takes the checkpoint, under the lock, so nobody leaves
 * a restart point meanwhile. A thread that still waits when the next one is due
 * counts as being there, as it is. While any thread takes part every commit goes
 * through here. The lock comes before the section lock.
 */
#include "commit/restart_points.h"
#include "base/beside.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "commit/commit.h"
#include "nvmove/restart.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
static unsigned present; /* members at a restart point, or paused */
static unsigned long checkpoints;
static int wanted; /* atomic */
static bool held;  /* by nvmi_restart_hold() */
static _Thread_local bool is_member, is_paused;

static void set_own(bool member, bool paused)
{
    is_member = member;
    is_paused = paused;
    nvmi_takes_part = member && !paused;
    if (nvmi_takes_part)
        nvmi_beside_begin();
    else
        nvmi_beside_end();
}

static void set_members(unsigned count)
{
    __atomic_store_n(&nvmi_members, count, __ATOMIC_RELEASE);
}

static void set_wanted(int value)
{
    __atomic_store_n(&wanted, value, __ATOMIC_RELAXED);
}

static bool commits(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    return pool->open && !pool->snapshot && !pool->start_up;
}

/* Who waits for others inside a section lets nobody commit. */
static void not_inside(const char *function)
{
    if (nvmi_depth && commits())
        nvmi_bug("%s() inside a section", function);
}

/* Such engines roll back a section of one thread, or nothing. */
static void check_engine(void)
{
    const struct nvm_engine *engine = nvmi_pool.open ? nvmi_pool.engine : NULL;
    if (engine && (engine->each || engine->save_by_thread))
        nvmi_die(NVMI_EXIT_START, "restart-points",
                 "%s: engine %s cannot go back to the last restart point; redo, undo, versions, "
                 "incll, dual and checkpoint can",
                 nvmi_pool.path, engine->name);
}

static void take_if_all_are_here(void)
{
    if (!wanted || present < nvmi_members)
        return;
    nvmi_checkpoint_now();
    checkpoints++;
    set_wanted(0);
    pthread_cond_broadcast(&taken);
}

/* Under the lock: until a checkpoint has been taken. */
static void meet(void)
{
    unsigned long before = checkpoints;
    bool counts = nvmi_takes_part;
    set_wanted(1);
    present += counts;
    take_if_all_are_here();
    while (checkpoints == before)
        pthread_cond_wait(&taken, &lock);
    present -= counts;
}

void nvm_checkpoint(void)
{
    if (!commits())
        return;
    not_inside("nvm_checkpoint");
    pthread_mutex_lock(&lock);
    if (nvmi_members)
        meet();
    else
        nvmi_checkpoint_now();
    pthread_mutex_unlock(&lock);
}

/* Sections that end while no thread takes part commit: none is to be in between. */
void nvm_thread_enter(void)
{
    bool locks = commits();
    not_inside("nvm_thread_enter");
    check_engine();
    if (is_member)
        nvmi_bug("nvm_thread_enter() twice");
    pthread_mutex_lock(&lock);
    if (locks)
        nvmi_sections_lock();
    set_members(nvmi_members + 1);
    set_own(true, is_paused);
    if (locks)
        nvmi_sections_unlock();
    pthread_mutex_unlock(&lock);
}

void nvm_thread_leave(void)
{
    not_inside("nvm_thread_leave");
    if (!is_member)
        nvmi_bug("nvm_thread_leave() without nvm_thread_enter()");
    if (is_paused)
        nvmi_bug("nvm_thread_leave() without nvm_thread_resume()");
    pthread_mutex_lock(&lock);
    set_members(nvmi_members - 1);
    set_own(false, is_paused);
    take_if_all_are_here();
    pthread_mutex_unlock(&lock);
}

void nvm_restart_point(void)
{
    not_inside("nvm_restart_point");
    if (!__atomic_load_n(&wanted, __ATOMIC_RELAXED) && !nvmi_commit_is_due())
        return;
    check_engine();
    pthread_mutex_lock(&lock);
    /* It may just have been taken. */
    if (wanted || nvmi_commit_is_due())
        meet();
    pthread_mutex_unlock(&lock);
}

void nvm_thread_pause(void)
{
    not_inside("nvm_thread_pause");
    if (is_paused)
        nvmi_bug("nvm_thread_pause() twice");
    pthread_mutex_lock(&lock);
    set_own(is_member, true);
    present += is_member;
    take_if_all_are_here();
    pthread_mutex_unlock(&lock);
}

void nvm_thread_resume(void)
{
    if (!is_paused)
        nvmi_bug("nvm_thread_resume() without nvm_thread_pause()");
    pthread_mutex_lock(&lock);
    set_own(is_member, false);
    present -= is_member;
    pthread_mutex_unlock(&lock);
}

bool nvmi_restart_hold(bool at_point)
{
    if (!nvmi_restart_members())
        return true;
    /* In a section another thread may wait for it with the lock. */
    held = nvmi_depth ? pthread_mutex_trylock(&lock) == 0 : pthread_mutex_lock(&lock) == 0;
    bool all = held && present + (at_point && nvmi_takes_part) >= nvmi_members;
    if (!all)
        nvmi_note("pool %s: a thread that takes part is at no restart point: the pool stays as "
                  "of the last one",
                  nvmi_pool.path);
    return all;
}

void nvmi_restart_release(void)
{
    if (held)
        pthread_mutex_unlock(&lock);
    held = false;
}

void nvmi_restart_in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&taken, NULL);
    set_members(is_member);
    present = is_member && is_paused;
    set_wanted(0);
    held = false;
}
