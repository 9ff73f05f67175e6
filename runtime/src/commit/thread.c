/*===- thread.c - commits written by a second thread ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * One ring of jobs. A job lies in one piece; where none fits before the end of
 * the ring an empty one fills it up. Positions only grow.
 */
#define _GNU_SOURCE
#include "commit/thread.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/memory.h"
#include "remote/replica.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RING_BYTES (8ull << 20)
#define LONGEST_WAIT_NS 64000000L /* for the threshold */
#define DEFAULT_THRESHOLD 0.6

struct job {
    uint64_t size_bytes;
    uint64_t count; /* 0: only fills up */
    uint64_t unused[6];
};
_Static_assert(sizeof(struct job) == NVM_LINE_BYTES, "one line, then numbers, then images");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static bool running; /* atomic */
static bool stopping;
static unsigned char *ring;
static uint64_t put_at, taken_at; /* bytes since the start */
static unsigned waiters;
static uint64_t threshold_bytes;
static uint64_t last_epoch; /* of all commits that were handed over */

int nvmi_thread_threshold(double *threshold)
{
    const char *text = getenv("NVM_THREAD_THRESHOLD");
    char *end;
    *threshold = text && *text ? strtod(text, &end) : DEFAULT_THRESHOLD;
    if (text && *text && (*end || !(*threshold >= 0 && *threshold <= 1)))
        return nvmi_fail(EINVAL, "threshold", "NVM_THREAD_THRESHOLD=%.50s is not between 0 and 1",
                         text);
    return 0;
}

int nvmi_thread_open(void)
{
    double threshold;
    int error = nvmi_thread_threshold(&threshold);
    if (error)
        return error;
    threshold_bytes = (uint64_t)(threshold * (double)RING_BYTES);
    put_at = taken_at = 0;
    last_epoch = nvmi_pool.epoch;
    ring = nvmi_reserve(RING_BYTES);
    return ring ? 0 : nvmi_fail(ENOMEM, "no-memory", "no address space for the queue of commits");
}

static void run_job(struct job *job)
{
    unsigned char *at = (unsigned char *)(job + 1);
    struct nvmi_changes changes = {
        .lines = {.number = (uint32_t *)(void *)at, .count = job->count, .capacity = job->count},
        .first_orphan = job->count,
        .images = at + nvmi_line_up(job->count * sizeof(uint32_t))};
    if (job->count)
        nvmi_replica_commit(&nvmi_pool, &changes);
}

static int wait_a_while(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LONGEST_WAIT_NS;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    return pthread_cond_timedwait(&filled, &lock, &until);
}

static void wait_for_jobs(void)
{
    bool late = false;
    while (!stopping &&
           (put_at == taken_at || (!waiters && put_at - taken_at <= threshold_bytes && !late)))
        late = wait_a_while() == ETIMEDOUT;
}

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!stopping) {
        wait_for_jobs();
        while (put_at != taken_at) {
            struct job *job = (struct job *)(void *)(ring + taken_at % RING_BYTES);
            pthread_mutex_unlock(&lock);
            run_job(job);
            pthread_mutex_lock(&lock);
            taken_at += job->size_bytes;
            pthread_cond_broadcast(&emptied);
        }
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Late, because a daemon forks before it has anything to commit. The program's
 * signals are not for this thread. */
static void start(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    stopping = false;
    int error = pthread_create(&thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error)
        nvmi_die(NVMI_EXIT_FULL, "thread", "no second thread for commits: %s", strerror(error));
    __atomic_store_n(&running, true, __ATOMIC_RELEASE);
}

/* Under the lock: room for a job in one piece. */
static struct job *make_room(uint64_t size_bytes)
{
    uint64_t rest = RING_BYTES - put_at % RING_BYTES;
    uint64_t wanted = rest < size_bytes ? rest + size_bytes : size_bytes;
    waiters++;
    while (put_at + wanted - taken_at > RING_BYTES) {
        pthread_cond_signal(&filled);
        pthread_cond_wait(&emptied, &lock);
    }
    waiters--;
    if (rest < size_bytes) {
        *(struct job *)(void *)(ring + put_at % RING_BYTES) = (struct job){.size_bytes = rest};
        put_at += rest;
    }
    return (struct job *)(void *)(ring + put_at % RING_BYTES);
}

static void enqueue(const struct nvmi_pool *pool, const struct nvmi_lines *lines,
                    uint64_t size_bytes)
{
    pthread_mutex_lock(&lock);
    struct job *job = make_room(size_bytes);
    pthread_mutex_unlock(&lock);
    *job = (struct job){.size_bytes = size_bytes, .count = lines->count};
    unsigned char *to = (unsigned char *)(job + 1);
    memcpy(to, lines->number, lines->count * sizeof(uint32_t));
    to += nvmi_line_up(lines->count * sizeof(uint32_t));
    for (size_t i = 0; i < lines->count; i++, to += NVM_LINE_BYTES)
        memcpy(to, pool->heap + (uint64_t)lines->number[i] * NVM_LINE_BYTES, NVM_LINE_BYTES);
    pthread_mutex_lock(&lock);
    put_at += size_bytes;
    if (put_at - taken_at > threshold_bytes)
        pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

void nvmi_thread_commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    const struct nvmi_lines *lines = &changes->lines;
    uint64_t size_bytes = sizeof(struct job) + nvmi_line_up(lines->count * sizeof(uint32_t)) +
                          lines->count * NVM_LINE_BYTES;
    /* What is rare is done at once: the first commit, ranges of zero, huge sections. */
    if (pool->slot.state != NVM_STATE_VALID || changes->zero_count || size_bytes > RING_BYTES / 2 ||
        size_bytes > pool->log_backed_bytes / 2) {
        nvmi_thread_wait();
        nvmi_replica_commit(pool, changes);
        last_epoch = pool->epoch;
        return;
    }
    if (!__atomic_load_n(&running, __ATOMIC_ACQUIRE))
        start();
    if (lines->count) {
        enqueue(pool, lines, size_bytes);
        last_epoch++;
    }
}

uint64_t nvmi_thread_epoch(void)
{
    return last_epoch;
}

void nvmi_thread_wait(void)
{
    if (!__atomic_load_n(&running, __ATOMIC_ACQUIRE))
        return;
    pthread_mutex_lock(&lock);
    uint64_t wanted = put_at;
    waiters++;
    while (taken_at < wanted) {
        pthread_cond_signal(&filled);
        pthread_cond_wait(&emptied, &lock);
    }
    waiters--;
    pthread_mutex_unlock(&lock);
}

void nvmi_thread_close(void)
{
    if (__atomic_load_n(&running, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&lock);
        stopping = true;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
        pthread_join(thread, NULL);
    }
    __atomic_store_n(&running, false, __ATOMIC_RELEASE);
    nvmi_release(ring, RING_BYTES);
    ring = NULL;
}

void nvmi_thread_in_child(void)
{
    __atomic_store_n(&running, false, __ATOMIC_RELEASE);
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&filled, NULL);
    pthread_cond_init(&emptied, NULL);
    waiters = 0;
}
