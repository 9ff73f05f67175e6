/*===- locks.c - critical sections that are sections ------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * From the first lock that a thread takes to the last that it releases is one
 * section (Atlas; NVthreads). Sections of threads take turns, so a thread has two
 * things to wait for, the lock and its turn. It never waits for one of them while
 * it has the other alone: a thread that has the lock may be waiting for its turn.
 *
 * What is changed is durable before the lock is free: who reads it there and tells
 * somebody tells what stays.
 */
#define _GNU_SOURCE
#include "base/pool.h"
#include "commit/section.h"
#include "nvmove/nvm.h"
#include <errno.h>
#include <pthread.h>
#include <threads.h>

/* How long to wait: without a deadline for ever, and by the lock's own clock unless one is named.
 */
struct limit {
    const struct timespec *deadline;
    bool has_clock;
    int clock;
};

struct kind {
    int (*try)(void *it);
    int (*release)(void *it);
    int (*wait)(void *it, struct limit limit);
    int busy; /* what try() gives when somebody has it */
};

static bool is_taken(int result)
{
    return result == 0 || result == EOWNERDEAD;
}

static int in_section(int result)
{
    if (is_taken(result))
        nvmi_locks_held++;
    else
        nvmi_section_close(); /* which did nothing */
    return result;
}

/* Both the lock and a section. `result`: what taking the lock gave, where the thread has it. */
static int meet(const struct kind *kind, void *it, struct limit limit, int result)
{
    for (;;) {
        if (nvmi_section_try())
            return in_section(result);
        if (result == 0) {
            kind->release(it);
            nvmi_section_begin_with_lock();
            result = kind->try(it);
            if (result != kind->busy)
                return in_section(result);
            nvmi_section_close();
        } else { /* it would not be given again */
            nvmi_section_begin_with_lock();
            return in_section(result);
        }
        result = kind->wait(it, limit);
        if (!is_taken(result))
            return result;
    }
}

static int take_within(const struct kind *kind, volatile void *lock, struct limit limit)
{
    void *it = (void *)lock;
    if (!nvmi_pool.open)
        return kind->wait(it, limit);
    if (nvmi_depth > 0) {
        nvm_begin();
        return in_section(kind->wait(it, limit));
    }
    int result = kind->wait(it, limit);
    return is_taken(result) ? meet(kind, it, limit, result) : result;
}

static int take(const struct kind *kind, volatile void *it)
{
    return take_within(kind, it, (struct limit){0});
}

static int try_to_take(const struct kind *kind, volatile void *it)
{
    if (!nvmi_pool.open)
        return kind->try((void *)it);
    nvmi_section_begin_with_lock();
    return in_section(kind->try((void *)it));
}

static int release(const struct kind *kind, volatile void *it)
{
    /* Else it was taken without a section, or by another thread. */
    bool ends = nvmi_locks_held > 0 && nvmi_depth > 0;
    if (ends)
        nvmi_section_commit();
    int result = kind->release((void *)it);
    if (ends && result == 0) {
        nvmi_locks_held--;
        nvmi_section_close();
    }
    return result;
}

/* Who waits leaves the section, and so commits what it did so far. */
struct left {
    unsigned depth, held;
};

static struct left leave(void)
{
    struct left left = {nvmi_section_leave(), nvmi_locks_held};
    if (left.depth > 0)
        nvmi_locks_held = 0;
    return left;
}

static int go_back(const struct kind *kind, volatile void *it, struct left left, int result)
{
    if (left.depth == 0)
        return result;
    int again = meet(kind, (void *)it, (struct limit){0}, 0);
    if (!is_taken(again))
        return again;
    nvmi_depth = left.depth;
    nvmi_locks_held = left.held;
    return result;
}

/* Mutexes of pthreads. */

static int mutex_try(void *it)
{
    return pthread_mutex_trylock(it);
}
static int mutex_release(void *it)
{
    return pthread_mutex_unlock(it);
}
static int mutex_wait(void *it, struct limit limit)
{
    if (!limit.deadline)
        return pthread_mutex_lock(it);
    return limit.has_clock ? pthread_mutex_clocklock(it, limit.clock, limit.deadline)
                           : pthread_mutex_timedlock(it, limit.deadline);
}
static const struct kind mutex = {mutex_try, mutex_release, mutex_wait, EBUSY};

int nvm_pthread_mutex_lock(volatile void *it)
{
    return take(&mutex, it);
}
int nvm_pthread_mutex_trylock(volatile void *it)
{
    return try_to_take(&mutex, it);
}
int nvm_pthread_mutex_timedlock(volatile void *it, const void *deadline)
{
    return take_within(&mutex, it, (struct limit){.deadline = deadline});
}
int nvm_pthread_mutex_clocklock(volatile void *it, int clock, const void *deadline)
{
    return take_within(&mutex, it, (struct limit){deadline, true, clock});
}
int nvm_pthread_mutex_unlock(volatile void *it)
{
    return release(&mutex, it);
}

int nvm_pthread_cond_wait(volatile void *condition, volatile void *it)
{
    struct left left = leave();
    return go_back(&mutex, it, left, pthread_cond_wait((void *)condition, (void *)it));
}
int nvm_pthread_cond_timedwait(volatile void *condition, volatile void *it, const void *deadline)
{
    struct left left = leave();
    return go_back(&mutex, it, left,
                   pthread_cond_timedwait((void *)condition, (void *)it, deadline));
}
int nvm_pthread_cond_clockwait(volatile void *condition, volatile void *it, int clock,
                               const void *deadline)
{
    struct left left = leave();
    return go_back(&mutex, it, left,
                   pthread_cond_clockwait((void *)condition, (void *)it, clock, deadline));
}

/* Reader-writer locks: readers of what is kept see what is durable, too. */

static int read_try(void *it)
{
    return pthread_rwlock_tryrdlock(it);
}
static int write_try(void *it)
{
    return pthread_rwlock_trywrlock(it);
}
static int rwlock_release(void *it)
{
    return pthread_rwlock_unlock(it);
}
static int read_wait(void *it, struct limit limit)
{
    if (!limit.deadline)
        return pthread_rwlock_rdlock(it);
    return limit.has_clock ? pthread_rwlock_clockrdlock(it, limit.clock, limit.deadline)
                           : pthread_rwlock_timedrdlock(it, limit.deadline);
}
static int write_wait(void *it, struct limit limit)
{
    if (!limit.deadline)
        return pthread_rwlock_wrlock(it);
    return limit.has_clock ? pthread_rwlock_clockwrlock(it, limit.clock, limit.deadline)
                           : pthread_rwlock_timedwrlock(it, limit.deadline);
}
static const struct kind reader = {read_try, rwlock_release, read_wait, EBUSY};
static const struct kind writer = {write_try, rwlock_release, write_wait, EBUSY};

int nvm_pthread_rwlock_rdlock(volatile void *it)
{
    return take(&reader, it);
}
int nvm_pthread_rwlock_tryrdlock(volatile void *it)
{
    return try_to_take(&reader, it);
}
int nvm_pthread_rwlock_timedrdlock(volatile void *it, const void *deadline)
{
    return take_within(&reader, it, (struct limit){.deadline = deadline});
}
int nvm_pthread_rwlock_clockrdlock(volatile void *it, int clock, const void *deadline)
{
    return take_within(&reader, it, (struct limit){deadline, true, clock});
}
int nvm_pthread_rwlock_wrlock(volatile void *it)
{
    return take(&writer, it);
}
int nvm_pthread_rwlock_trywrlock(volatile void *it)
{
    return try_to_take(&writer, it);
}
int nvm_pthread_rwlock_timedwrlock(volatile void *it, const void *deadline)
{
    return take_within(&writer, it, (struct limit){.deadline = deadline});
}
int nvm_pthread_rwlock_clockwrlock(volatile void *it, int clock, const void *deadline)
{
    return take_within(&writer, it, (struct limit){deadline, true, clock});
}
int nvm_pthread_rwlock_unlock(volatile void *it)
{
    return release(&writer, it);
}

/* Spin locks. */

static int spin_try(void *it)
{
    return pthread_spin_trylock(it);
}
static int spin_release(void *it)
{
    return pthread_spin_unlock(it);
}
static int spin_wait(void *it, struct limit limit)
{
    (void)limit;
    return pthread_spin_lock(it);
}
static const struct kind spin = {spin_try, spin_release, spin_wait, EBUSY};

int nvm_pthread_spin_lock(volatile void *it)
{
    return take(&spin, it);
}
int nvm_pthread_spin_trylock(volatile void *it)
{
    return try_to_take(&spin, it);
}
int nvm_pthread_spin_unlock(volatile void *it)
{
    return release(&spin, it);
}

/* Mutexes of C11. */

_Static_assert(thrd_success == 0, "is_taken() knows both");

static int mtx_try(void *it)
{
    return mtx_trylock(it);
}
static int mtx_release(void *it)
{
    return mtx_unlock(it);
}
static int mtx_wait(void *it, struct limit limit)
{
    return limit.deadline ? mtx_timedlock(it, limit.deadline) : mtx_lock(it);
}
static const struct kind mtx = {mtx_try, mtx_release, mtx_wait, thrd_busy};

int nvm_mtx_lock(volatile void *it)
{
    return take(&mtx, it);
}
int nvm_mtx_trylock(volatile void *it)
{
    return try_to_take(&mtx, it);
}
int nvm_mtx_timedlock(volatile void *it, const void *deadline)
{
    return take_within(&mtx, it, (struct limit){.deadline = deadline});
}
int nvm_mtx_unlock(volatile void *it)
{
    return release(&mtx, it);
}
int nvm_cnd_wait(volatile void *condition, volatile void *it)
{
    struct left left = leave();
    return go_back(&mtx, it, left, cnd_wait((void *)condition, (void *)it));
}
int nvm_cnd_timedwait(volatile void *condition, volatile void *it, const void *deadline)
{
    struct left left = leave();
    return go_back(&mtx, it, left, cnd_timedwait((void *)condition, (void *)it, deadline));
}
