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
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "commit/clock.h"
#include "commit/commit.h"
#include "engines/engines.h"
#include "nvmove/restart.h"
#include "threads/side_by_side.h"
#include <errno.h>

#define EPOCH_MS 64 /* as ResPCT has it */

static bool has_points; /* nvm_restart_points() was called */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
static unsigned present; /* members at a restart point, or paused */
static unsigned long checkpoints;
static int wanted; /* atomic */
static bool held;  /* by nvmi_restart_hold() */
static _Thread_local bool is_member, is_paused;
static pthread_key_t at_thread_end;
static pthread_once_t has_key = PTHREAD_ONCE_INIT;

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

static const char *cannot_go_back(const struct nvm_engine *engine)
{
    return NVMI_CANNOT(engine, goes_back, "go back to the last restart point");
}

static void check_engine(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    if (pool->open && !pool->engine->goes_back)
        nvmi_die(NVMI_EXIT_START, "restart-points", "%s: %s", pool->path,
                 cannot_go_back(pool->engine));
}

void nvm_restart_points(void)
{
    has_points = true;
}

int nvmi_restart_epoch_ms(void)
{
    return has_points ? EPOCH_MS : 0;
}

int nvmi_restart_check(const struct nvmi_pool *pool)
{
    return !has_points || pool->engine->goes_back
               ? 0
               : nvmi_fail(EINVAL, "restart-points", "%s: %s", pool->path,
                           cannot_go_back(pool->engine));
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

static void leave_at_end(void *unused)
{
    (void)unused;
    if (is_paused)
        nvm_thread_resume();
    if (is_member)
        nvm_thread_leave();
}

static void make_key(void)
{
    if (pthread_key_create(&at_thread_end, leave_at_end) != 0)
        nvmi_die(NVMI_EXIT_FULL, "no-memory", "no key for threads that take part");
}

/* Where all wait for long nobody else comes to a restart point. */
static void tick(void)
{
    pthread_mutex_lock(&lock);
    if (nvmi_members && commits() && nvmi_commit_is_due()) {
        set_wanted(1);
        take_if_all_are_here();
    }
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
    pthread_once(&has_key, make_key);
    if (has_points && locks) {
        __atomic_store_n(&nvmi_clock_work, tick, __ATOMIC_RELEASE);
        nvmi_clock_start();
    }
    pthread_setspecific(at_thread_end, &at_thread_end);
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
    bool is_due = __atomic_load_n(&wanted, __ATOMIC_RELAXED) || nvmi_commit_is_due();
    if (nvmi_depth || !is_due)
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

int nvm_thread_begin(void)
{
    if (is_member || nvmi_depth)
        return 0;
    nvm_thread_enter();
    return 1;
}

void nvm_thread_end(int *thread)
{
    if (*thread)
        nvm_thread_leave();
}

bool nvmi_restart_is_paused(void)
{
    return is_paused;
}

bool nvmi_restart_hold(bool at_point)
{
    if (!nvmi_restart_members())
        return true;
    /* In a section another thread may wait for it with the lock. */
    held = nvmi_depth ? pthread_mutex_trylock(&lock) == 0 : pthread_mutex_lock(&lock) == 0;
    bool all = held && present + (at_point && nvmi_takes_part) >= nvmi_members;
    if (!all)
        nvmi_note("pool %s: a thread that takes part is not at a restart point: the pool keeps the "
                  "state of the last restart point",
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
