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

struct lock {
    void *it;
    int (*try)(void *it);
    int (*release)(void *it);
    int (*wait)(const struct lock *lock);
    int busy; /* what try() gives when somebody has it */
    int clock;
    const struct timespec *deadline;
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
static int meet(struct lock lock, int result)
{
    for (;;) {
        if (nvmi_section_try())
            return in_section(result);
        if (result == 0) {
            lock.release(lock.it);
            nvmi_section_begin_with_lock();
            result = lock.try(lock.it);
            if (result != lock.busy)
                return in_section(result);
            nvmi_section_close();
        } else { /* it would not be given again */
            nvmi_section_begin_with_lock();
            return in_section(result);
        }
        result = lock.wait(&lock);
        if (!is_taken(result))
            return result;
    }
}

static int take(struct lock lock)
{
    if (!nvmi_pool.open)
        return lock.wait(&lock);
    if (nvmi_depth > 0) {
        nvm_begin();
        return in_section(lock.wait(&lock));
    }
    int result = lock.wait(&lock);
    return is_taken(result) ? meet(lock, result) : result;
}

static int try_to_take(struct lock lock)
{
    if (!nvmi_pool.open)
        return lock.try(lock.it);
    nvmi_section_begin_with_lock();
    return in_section(lock.try(lock.it));
}

static int release(struct lock lock)
{
    /* Else it was taken without a section, or by another thread. */
    bool ends = nvmi_locks_held > 0 && nvmi_depth > 0;
    if (ends)
        nvmi_section_commit();
    int result = lock.release(lock.it);
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
    struct left left = {nvmi_locks_held > 0 ? nvmi_section_leave() : 0, nvmi_locks_held};
    if (left.depth > 0)
        nvmi_locks_held = 0;
    return left;
}

static int go_back(struct lock lock, struct left left, int result)
{
    if (left.depth == 0)
        return result;
    int again = meet(lock, 0);
    if (!is_taken(again))
        return again;
    nvmi_depth = left.depth;
    nvmi_locks_held = left.held;
    return result;
}

static struct lock until(struct lock lock, int (*wait)(const struct lock *), int clock,
                         const void *deadline)
{
    lock.wait = wait;
    lock.clock = clock;
    lock.deadline = deadline;
    return lock;
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
static int mutex_wait(const struct lock *lock)
{
    return pthread_mutex_lock(lock->it);
}
static int mutex_wait_until(const struct lock *lock)
{
    return pthread_mutex_timedlock(lock->it, lock->deadline);
}
static int mutex_wait_by_clock(const struct lock *lock)
{
    return pthread_mutex_clocklock(lock->it, lock->clock, lock->deadline);
}
static struct lock mutex(const volatile void *it)
{
    return (struct lock){.it = (void *)it,
                         .try = mutex_try,
                         .release = mutex_release,
                         .wait = mutex_wait,
                         .busy = EBUSY};
}

int nvm_pthread_mutex_lock(volatile void *it)
{
    return take(mutex(it));
}
int nvm_pthread_mutex_trylock(volatile void *it)
{
    return try_to_take(mutex(it));
}
int nvm_pthread_mutex_timedlock(volatile void *it, const void *deadline)
{
    return take(until(mutex(it), mutex_wait_until, 0, deadline));
}
int nvm_pthread_mutex_clocklock(volatile void *it, int clock, const void *deadline)
{
    return take(until(mutex(it), mutex_wait_by_clock, clock, deadline));
}
int nvm_pthread_mutex_unlock(volatile void *it)
{
    return release(mutex(it));
}

int nvm_pthread_cond_wait(volatile void *condition, volatile void *it)
{
    struct left left = leave();
    return go_back(mutex(it), left, pthread_cond_wait((void *)condition, (void *)it));
}
int nvm_pthread_cond_timedwait(volatile void *condition, volatile void *it, const void *deadline)
{
    struct left left = leave();
    return go_back(mutex(it), left,
                   pthread_cond_timedwait((void *)condition, (void *)it, deadline));
}
int nvm_pthread_cond_clockwait(volatile void *condition, volatile void *it, int clock,
                               const void *deadline)
{
    struct left left = leave();
    return go_back(mutex(it), left,
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
static int read_wait(const struct lock *lock)
{
    return pthread_rwlock_rdlock(lock->it);
}
static int read_wait_until(const struct lock *lock)
{
    return pthread_rwlock_timedrdlock(lock->it, lock->deadline);
}
static int read_wait_by_clock(const struct lock *lock)
{
    return pthread_rwlock_clockrdlock(lock->it, lock->clock, lock->deadline);
}
static int write_wait(const struct lock *lock)
{
    return pthread_rwlock_wrlock(lock->it);
}
static int write_wait_until(const struct lock *lock)
{
    return pthread_rwlock_timedwrlock(lock->it, lock->deadline);
}
static int write_wait_by_clock(const struct lock *lock)
{
    return pthread_rwlock_clockwrlock(lock->it, lock->clock, lock->deadline);
}
static struct lock reader(const volatile void *it)
{
    return (struct lock){.it = (void *)it,
                         .try = read_try,
                         .release = rwlock_release,
                         .wait = read_wait,
                         .busy = EBUSY};
}
static struct lock writer(const volatile void *it)
{
    return (struct lock){.it = (void *)it,
                         .try = write_try,
                         .release = rwlock_release,
                         .wait = write_wait,
                         .busy = EBUSY};
}

int nvm_pthread_rwlock_rdlock(volatile void *it)
{
    return take(reader(it));
}
int nvm_pthread_rwlock_tryrdlock(volatile void *it)
{
    return try_to_take(reader(it));
}
int nvm_pthread_rwlock_timedrdlock(volatile void *it, const void *deadline)
{
    return take(until(reader(it), read_wait_until, 0, deadline));
}
int nvm_pthread_rwlock_clockrdlock(volatile void *it, int clock, const void *deadline)
{
    return take(until(reader(it), read_wait_by_clock, clock, deadline));
}
int nvm_pthread_rwlock_wrlock(volatile void *it)
{
    return take(writer(it));
}
int nvm_pthread_rwlock_trywrlock(volatile void *it)
{
    return try_to_take(writer(it));
}
int nvm_pthread_rwlock_timedwrlock(volatile void *it, const void *deadline)
{
    return take(until(writer(it), write_wait_until, 0, deadline));
}
int nvm_pthread_rwlock_clockwrlock(volatile void *it, int clock, const void *deadline)
{
    return take(until(writer(it), write_wait_by_clock, clock, deadline));
}
int nvm_pthread_rwlock_unlock(volatile void *it)
{
    return release(writer(it));
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
static int spin_wait(const struct lock *lock)
{
    return pthread_spin_lock(lock->it);
}
static struct lock spin(const volatile void *it)
{
    return (struct lock){.it = (void *)it,
                         .try = spin_try,
                         .release = spin_release,
                         .wait = spin_wait,
                         .busy = EBUSY};
}

int nvm_pthread_spin_lock(volatile void *it)
{
    return take(spin(it));
}
int nvm_pthread_spin_trylock(volatile void *it)
{
    return try_to_take(spin(it));
}
int nvm_pthread_spin_unlock(volatile void *it)
{
    return release(spin(it));
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
static int mtx_wait(const struct lock *lock)
{
    return mtx_lock(lock->it);
}
static int mtx_wait_until(const struct lock *lock)
{
    return mtx_timedlock(lock->it, lock->deadline);
}
static struct lock mtx(const volatile void *it)
{
    return (struct lock){.it = (void *)it,
                         .try = mtx_try,
                         .release = mtx_release,
                         .wait = mtx_wait,
                         .busy = thrd_busy};
}

int nvm_mtx_lock(volatile void *it)
{
    return take(mtx(it));
}
int nvm_mtx_trylock(volatile void *it)
{
    return try_to_take(mtx(it));
}
int nvm_mtx_timedlock(volatile void *it, const void *deadline)
{
    return take(until(mtx(it), mtx_wait_until, 0, deadline));
}
int nvm_mtx_unlock(volatile void *it)
{
    return release(mtx(it));
}
int nvm_cnd_wait(volatile void *condition, volatile void *it)
{
    struct left left = leave();
    return go_back(mtx(it), left, cnd_wait((void *)condition, (void *)it));
}
int nvm_cnd_timedwait(volatile void *condition, volatile void *it, const void *deadline)
{
    struct left left = leave();
    return go_back(mtx(it), left, cnd_timedwait((void *)condition, (void *)it, deadline));
}
