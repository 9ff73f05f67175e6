/*===- helper.c - a second thread for a replica -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * For programs that do not wait: takes what the replica confirms, and, when it is away,
 * tries to reach it again and sends pages while the program goes on.
 */
#define _GNU_SOURCE
#include "remote/helper.h"
#include "base/error.h"
#include "heap/arena.h"
#include "remote/attach.h"
#include "remote/pages.h"
#include "remote/ring.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define STEP_MS 5
#define RETRY_ROUNDS 40 /* each of STEP_MS */
#define FEW_PARTS 256u
#define MOST_PASSES 8

static pthread_t thread;
static bool running, stopping;
static pthread_cond_t stop_now = PTHREAD_COND_INITIALIZER;

/* Under the lock, which it gives up meanwhile. */
static void rest(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += STEP_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&stop_now, &nvmi_replica_lock, &until);
}

/* Commits only mark pages meanwhile: the connection is this thread's. */
static void copy(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    uint64_t left = UINT64_MAX;
    int error = 0;
    pthread_mutex_unlock(&nvmi_replica_lock);
    for (int pass = 0; !error && pass < MOST_PASSES && left > FEW_PARTS; pass++)
        error = nvmi_pages_copy(pool, &left);
    pthread_mutex_lock(&nvmi_replica_lock);
    if (error)
        nvmi_replica_lost(pool);
    else
        r->state = NVMI_REPLICA_READY;
}

/* When no commit comes to do it. */
static void finish(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    bool locked;
    pthread_mutex_unlock(&nvmi_replica_lock);
    bool quiet = nvmi_attach_is_quiet(pool, &locked);
    if (quiet)
        nvmi_heap_lock_all();
    pthread_mutex_lock(&nvmi_replica_lock);
    if (quiet && r->state == NVMI_REPLICA_READY) {
        if (nvmi_pages_finish(pool) == 0)
            nvmi_replica_is_up(pool);
        else
            nvmi_replica_lost(pool);
    }
    if (quiet) {
        pthread_mutex_unlock(&nvmi_replica_lock);
        nvmi_heap_unlock_all();
        if (locked)
            nvmi_sections_unlock();
        pthread_mutex_lock(&nvmi_replica_lock);
    }
}

static void take_confirmations(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    static uint64_t confirmed, since_round, round;
    int error = nvmi_link_step(&r->link, 0);
    nvmi_ring_confirm();
    round++;
    if (r->confirmed != confirmed || r->confirmed >= r->last_epoch)
        since_round = round;
    confirmed = r->confirmed;
    if (!error && (round - since_round) * STEP_MS > (uint64_t)r->timeout_ms)
        error = nvmi_fail(ETIMEDOUT, "replica-away", "the replica does not answer: %s",
                          strerror(ETIMEDOUT));
    if (error)
        nvmi_replica_lost(pool);
}

/* A replica that does not answer must not keep commits from going on. */
static void reach(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    struct nvmi_link link = r->link;
    pthread_mutex_unlock(&nvmi_replica_lock);
    int error = nvmi_attach_reach(pool, &link);
    pthread_mutex_lock(&nvmi_replica_lock);
    if (error)
        return;
    if (r->state != NVMI_REPLICA_AWAY) { /* a commit has reached it meanwhile */
        nvmi_link_close(&link);
        return;
    }
    r->link = link;
    if (nvmi_attach_begin(pool, false) != 0)
        nvmi_link_close(&r->link);
}

static void *work(void *argument)
{
    struct nvmi_pool *pool = argument;
    struct nvmi_replica *r = &nvmi_replica;
    unsigned rounds = 0;
    pthread_mutex_lock(&nvmi_replica_lock);
    while (!stopping) {
        if (r->state == NVMI_REPLICA_UP)
            take_confirmations(pool);
        else if (r->state == NVMI_REPLICA_COPYING)
            copy(pool);
        else if (r->state == NVMI_REPLICA_READY)
            finish(pool);
        else if (r->goes_on && rounds++ % RETRY_ROUNDS == 0)
            reach(pool);
        if (!stopping)
            rest();
    }
    pthread_mutex_unlock(&nvmi_replica_lock);
    return NULL;
}

/* The program's signals are not for this thread. */
void nvmi_helper_start(void)
{
    sigset_t all, before;
    if (running)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    stopping = false;
    int error = pthread_create(&thread, NULL, work, &nvmi_pool);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        nvmi_die(NVMI_EXIT_FULL, "thread", "no thread for the replica: %s", strerror(error));
    running = true;
}

void nvmi_helper_stop(void)
{
    if (!running)
        return;
    pthread_mutex_lock(&nvmi_replica_lock);
    stopping = true;
    pthread_cond_signal(&stop_now);
    pthread_mutex_unlock(&nvmi_replica_lock);
    pthread_join(thread, NULL);
    running = false;
}

void nvmi_helper_in_child(void)
{
    running = false;
    pthread_cond_init(&stop_now, NULL);
}
