/*===- restart_points.c - checkpoints at which all threads meet -------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The one that comes last takes the checkpoint, under the lock, so nobody leaves
 * a restart point meanwhile. A thread that still waits when the next one is due
 * counts as being there, as it is.
 */
#include "nvmove/restart.h"
#include "pool.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t taken = PTHREAD_COND_INITIALIZER;
static unsigned members, present; /* present: at a restart point, or paused */
static unsigned long checkpoints;
static int wanted; /* atomic */

unsigned nvmi_restart_members(void)
{
    return __atomic_load_n(&members, __ATOMIC_RELAXED);
}

static void take_if_all_are_here(void)
{
    if (!wanted || present < members)
        return;
    nvm_checkpoint();
    checkpoints++;
    __atomic_store_n(&wanted, 0, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&taken);
}

void nvm_thread_enter(void)
{
    pthread_mutex_lock(&lock);
    __atomic_store_n(&members, members + 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

void nvm_thread_leave(void)
{
    pthread_mutex_lock(&lock);
    if (members == 0)
        nvmi_bug("nvm_thread_leave() without nvm_thread_enter()");
    __atomic_store_n(&members, members - 1, __ATOMIC_RELAXED);
    take_if_all_are_here();
    pthread_mutex_unlock(&lock);
}

void nvm_restart_point(void)
{
    if (!__atomic_load_n(&wanted, __ATOMIC_RELAXED) && !nvmi_commit_is_due())
        return;
    pthread_mutex_lock(&lock);
    /* It may just have been taken. */
    if (wanted || nvmi_commit_is_due()) {
        unsigned long before = checkpoints;
        __atomic_store_n(&wanted, 1, __ATOMIC_RELAXED);
        present++;
        take_if_all_are_here();
        while (checkpoints == before)
            pthread_cond_wait(&taken, &lock);
        present--;
    }
    pthread_mutex_unlock(&lock);
}

void nvm_thread_pause(void)
{
    pthread_mutex_lock(&lock);
    present++;
    take_if_all_are_here();
    pthread_mutex_unlock(&lock);
}

void nvm_thread_resume(void)
{
    pthread_mutex_lock(&lock);
    present--;
    pthread_mutex_unlock(&lock);
}
