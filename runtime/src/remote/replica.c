/*===- replica.c - a pool on another machine --------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * A commit is made here first and sent then, so the replica is never ahead. What leaves
 * the process waits until the replica has it (sync), as it waits for a disk.
 */
#include "remote/replica.h"
#include "base/clock.h"
#include "base/engine.h"
#include "base/error.h"
#include "base/memory.h"
#include "heap/arena.h"
#include "remote/attach.h"
#include "remote/helper.h"
#include "remote/pages.h"
#include "remote/ring.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#define RETRY_MS 50
#define SLICE_MS 1

/*===-- Opening and closing ---------------------------------------------------===*/

int nvmi_replica_open(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    if (!r->wanted)
        return 0;
    size_t parts = pool->header.arena_size_bytes / NVMI_PART_BYTES + 1;
    r->ring = nvmi_reserve(NVMI_RING_BYTES);
    r->dirty = nvmi_reserve(parts);
    r->to_send = nvmi_reserve(parts);
    if (!r->ring || !r->dirty || !r->to_send)
        return nvmi_fail(ENOMEM, "no-memory", "no address space for what goes to the replica");
    r->taken_at = r->sent_at = r->put_at = 0;
    r->state = NVMI_REPLICA_AWAY;
    r->spilled = r->told = false;
    r->now = true;
    return 0;
}

static void release(void)
{
    struct nvmi_replica *r = &nvmi_replica;
    size_t parts = nvmi_pool.header.arena_size_bytes / NVMI_PART_BYTES + 1;
    nvmi_release(r->ring, NVMI_RING_BYTES);
    nvmi_release(r->dirty, parts);
    nvmi_release(r->to_send, parts);
    r->ring = r->dirty = r->to_send = NULL;
}

void nvmi_replica_close(void)
{
    nvmi_helper_stop();
    nvmi_link_close(&nvmi_replica.link);
    nvmi_replica.state = NVMI_REPLICA_AWAY;
    release();
    nvmi_replica.wanted = false;
}

void nvmi_replica_end(void)
{
    struct nvmi_replica *r = &nvmi_replica;
    if (!r->wanted)
        return;
    nvmi_helper_stop();
    pthread_mutex_lock(&nvmi_replica_lock);
    nvmi_link_close(&r->link);
    r->state = NVMI_REPLICA_AWAY;
    r->goes_on = true; /* who waits for it waits no more */
    r->told = true;
    r->now = false;
    pthread_mutex_unlock(&nvmi_replica_lock);
}

/* A snapshot's copy of the socket would keep the connection when the program has died. */
void nvmi_replica_in_child(void)
{
    struct nvmi_replica *r = &nvmi_replica;
    pthread_mutex_init(&nvmi_replica_lock, NULL);
    nvmi_helper_in_child();
    if (r->link.fd >= 0) {
        close(r->link.fd);
        r->link.fd = -1;
        r->link.writes = NULL; /* the parent's */
        r->wanted = false;
    }
}

/*===-- Commits -------------------------------------------------------------===*/

/* Until it is there; or, if the program goes on without it, once. */
static void attach_or_wait(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    while (r->state != NVMI_REPLICA_UP && nvmi_attach(pool, true) != 0) {
        nvmi_replica_say_away(pool);
        if (r->goes_on)
            return;
        nvmi_pause_ms(RETRY_MS);
    }
}

void nvmi_replica_commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    struct nvmi_replica *r = &nvmi_replica;
    if (!r->wanted) {
        pool->engine->commit(pool, changes);
        return;
    }
    pthread_mutex_lock(&nvmi_replica_lock);
    struct nvm_disk_record *record = nvmi_ring_put(pool, changes);
    pool->engine->commit(pool, changes);
    __atomic_store_n(&r->last_epoch, pool->epoch, __ATOMIC_RELEASE);
    if (record) {
        NVMI_COUNT(replica_records, 1);
        NVMI_COUNT(replica_bytes, record->size_bytes);
    }
    if (r->state == NVMI_REPLICA_UP && nvmi_ring_send() != 0)
        nvmi_replica_lost(pool);
    pthread_mutex_unlock(&nvmi_replica_lock);
}

bool nvmi_replica_is_behind(void)
{
    return nvmi_replica.wanted &&
           __atomic_load_n(&nvmi_replica.state, __ATOMIC_RELAXED) != NVMI_REPLICA_UP;
}

void nvmi_replica_committed(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    pthread_mutex_lock(&nvmi_replica_lock);
    if (r->state == NVMI_REPLICA_READY) {
        if (nvmi_pages_finish(pool) == 0)
            nvmi_replica_is_up(pool);
        else
            nvmi_replica_lost(pool);
    } else if (r->state == NVMI_REPLICA_AWAY && (r->now || !r->goes_on)) {
        attach_or_wait(pool);
        r->now = false;
    }
    if (r->goes_on || r->async)
        nvmi_helper_start();
    pthread_mutex_unlock(&nvmi_replica_lock);
}

/*===-- Waiting -------------------------------------------------------------===*/

/* The replica is away, and the program waits for it. What pages would have to tell can only be
 * sent while nothing changes; else it is left to the next commit. False: so it is. */
static bool attach_again(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    bool locked, quiet = nvmi_attach_is_quiet(pool, &locked);
    if (quiet)
        nvmi_heap_lock_all();
    pthread_mutex_lock(&nvmi_replica_lock);
    bool by_pages = false;
    if (r->state == NVMI_REPLICA_AWAY && nvmi_attach(pool, quiet) != 0)
        nvmi_replica_say_away(pool);
    else if (r->state == NVMI_REPLICA_COPYING) {
        by_pages = true;
        nvmi_link_close(&r->link);
        r->state = NVMI_REPLICA_AWAY;
    }
    pthread_mutex_unlock(&nvmi_replica_lock);
    if (quiet)
        nvmi_heap_unlock_all();
    if (locked)
        nvmi_sections_unlock();
    if (!by_pages && r->state != NVMI_REPLICA_UP)
        nvmi_pause_ms(RETRY_MS);
    return !by_pages;
}

static bool has(uint64_t epoch)
{
    return __atomic_load_n(&nvmi_replica.confirmed, __ATOMIC_ACQUIRE) >= epoch;
}

/* 0: try again; else the wait is over. */
static int wait_a_while(struct nvmi_pool *pool, uint64_t *since_ms, uint64_t *confirmed)
{
    struct nvmi_replica *r = &nvmi_replica;
    int over = 0;
    pthread_mutex_lock(&nvmi_replica_lock);
    bool is_up = r->state == NVMI_REPLICA_UP;
    if (is_up) {
        int error = nvmi_link_step(&r->link, SLICE_MS);
        nvmi_ring_confirm();
        if (r->confirmed != *confirmed) {
            *confirmed = r->confirmed;
            *since_ms = nvmi_now_ms();
        } else if (!error && nvmi_now_ms() - *since_ms > (uint64_t)r->timeout_ms)
            error = nvmi_fail(ETIMEDOUT, "replica-away", "the replica does not answer: %s",
                              strerror(ETIMEDOUT));
        if (error)
            nvmi_replica_lost(pool);
    } else
        over = r->goes_on;
    pthread_mutex_unlock(&nvmi_replica_lock);
    if (is_up || over)
        return over;
    *since_ms = nvmi_now_ms();
    return !attach_again(pool);
}

void nvmi_replica_wait(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    uint64_t wanted = __atomic_load_n(&r->last_epoch, __ATOMIC_ACQUIRE), confirmed = 0;
    if (!r->wanted || r->async || pool->start_up || has(wanted))
        return;
    NVMI_COUNT(replica_waits, 1);
    for (uint64_t since_ms = nvmi_now_ms(); !has(wanted); sched_yield())
        if (wait_a_while(pool, &since_ms, &confirmed))
            return;
}

void nvmi_replica_settle(struct nvmi_pool *pool)
{
    struct nvmi_replica *r = &nvmi_replica;
    if (!r->wanted)
        return;
    pthread_mutex_lock(&nvmi_replica_lock);
    for (uint64_t since_ms = nvmi_now_ms(), wanted = r->last_epoch;
         r->state == NVMI_REPLICA_UP && !has(wanted);) {
        int error = nvmi_link_step(&r->link, SLICE_MS);
        nvmi_ring_confirm();
        if (error || nvmi_now_ms() - since_ms > (uint64_t)r->timeout_ms)
            nvmi_replica_lost(pool);
    }
    if (!has(r->last_epoch))
        nvmi_note("pool %s: replica %s has commit %llu of %llu at the end [replica-away]",
                  pool->path, r->name, (unsigned long long)r->confirmed,
                  (unsigned long long)r->last_epoch);
    pthread_mutex_unlock(&nvmi_replica_lock);
}

uint64_t nvmi_replica_lag(void)
{
    const struct nvmi_replica *r = &nvmi_replica;
    uint64_t last = __atomic_load_n(&r->last_epoch, __ATOMIC_RELAXED);
    uint64_t confirmed = __atomic_load_n(&r->confirmed, __ATOMIC_RELAXED);
    return r->wanted && last > confirmed ? last - confirmed : 0;
}
