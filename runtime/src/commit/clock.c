/*===- clock.c - commits that are due while nobody comes to take them -------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "commit/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "commit/commit.h"
#include "threads/side_by_side.h"
#include <signal.h>
#include <time.h>

#define REST_NS 64000000ull /* where nothing says how far commits are apart */

void (*nvmi_clock_work)(void);
static bool runs;                                         /* atomic */
static pthread_mutex_t ticks = PTHREAD_MUTEX_INITIALIZER; /* the clock looks at the pool */
static bool has_ended;                                    /* under `ticks` */

/* Under `ticks`. Who is in a section takes the commit at its end. */
static void commit_between_sections(void)
{
    if (has_ended || nvmi_restart_members() || !nvmi_commit_is_due() || !nvmi_sections_trylock())
        return;
    nvmi_commit_if_due();
    nvmi_sections_unlock();
    nvmi_wait_for_medium();
}

static uint64_t time_to_rest(void)
{
    if (!nvmi_pool.open || !nvmi_has_epochs())
        return REST_NS;
    uint64_t left = nvmi_epoch_left_ns();
    return left ? left : nvmi_pool.epoch_ns;
}

static void *keep_time(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&ticks);
        uint64_t ns = time_to_rest();
        pthread_mutex_unlock(&ticks);
        nanosleep(&(struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)}, NULL);
        void (*work)(void) = __atomic_load_n(&nvmi_clock_work, __ATOMIC_ACQUIRE);
        if (work)
            work();
        pthread_mutex_lock(&ticks);
        commit_between_sections();
        pthread_mutex_unlock(&ticks);
    }
    return unused;
}

/* It must not run handlers of the program's signals. */
void nvmi_clock_start(void)
{
    pthread_t clock;
    sigset_t all, before;
    if (__atomic_load_n(&runs, __ATOMIC_RELAXED) ||
        __atomic_exchange_n(&runs, true, __ATOMIC_RELAXED))
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&clock, NULL, keep_time, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        nvmi_die(NVMI_EXIT_FULL, "no-memory", "no thread that takes the commits that are due");
    pthread_detach(clock);
}

void nvmi_clock_hold(void)
{
    pthread_mutex_lock(&ticks);
}

void nvmi_clock_release(void)
{
    pthread_mutex_unlock(&ticks);
}

void nvmi_clock_end(void)
{
    nvmi_clock_hold();
    has_ended = true;
    nvmi_clock_release();
}

void nvmi_clock_in_child(void)
{
    pthread_mutex_init(&ticks, NULL);
    runs = false;
}
