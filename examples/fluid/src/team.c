/*===- team.c - threads that do the same at the same time -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _POSIX_C_SOURCE 200809L
#include "lost.h"
#include "state.h"
#include <pthread.h>

static pthread_t others[MOST_THREADS];
static pthread_barrier_t all;
static unsigned members = 1;
static enum job job; /* behind the barrier */

static void take_part(unsigned me)
{
    if (job == STEP) {
        lost_now(me);
        grid_step(me);
    } else if (job == SAVE) {
        state_write_part(me);
    }
}

static void *run(void *number)
{
    for (;;) {
        pthread_barrier_wait(&all);
        if (job == END)
            return NULL;
        take_part((unsigned)(uintptr_t)number);
        pthread_barrier_wait(&all);
    }
}

bool team_start(unsigned threads)
{
    members = threads;
    if (pthread_barrier_init(&all, NULL, threads) != 0)
        return false;
    for (unsigned t = 1; t < threads; t++)
        if (pthread_create(&others[t], NULL, run, (void *)(uintptr_t)t) != 0)
            return false;
    return true;
}

void team_wait(void)
{
    pthread_barrier_wait(&all);
}

void team_run(enum job wanted)
{
    job = wanted;
    pthread_barrier_wait(&all);
    take_part(0);
    pthread_barrier_wait(&all);
}

void team_end(void)
{
    job = END;
    pthread_barrier_wait(&all);
    for (unsigned t = 1; t < members; t++)
        pthread_join(others[t], NULL);
    pthread_barrier_destroy(&all);
}
