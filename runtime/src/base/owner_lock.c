/*===- owner_lock.c - a lock that mostly one thread takes -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/owner_lock.h"
#include "base/error.h"
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread const char nvmi_me;

static bool barrier_of(int command)
{
    return syscall(SYS_membarrier, command, 0, 0) == 0;
}

bool nvmi_barrier_everywhere(void)
{
    return barrier_of(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
           (barrier_of(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
            barrier_of(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}

/* With the mutex. The owner is alone no longer; it may be inside. */
static void share(struct nvmi_owner_lock *lock)
{
    if (lock->is_shared)
        return;
    __atomic_store_n(&lock->is_shared, 1, __ATOMIC_SEQ_CST);
    if (lock->owner && !nvmi_barrier_everywhere())
        nvmi_bug("membarrier() worked before, but does not any more");
}

/* With the mutex. False, and without it: the owner is inside, and this does not wait for it. */
static bool take(struct nvmi_owner_lock *lock, bool waits)
{
    if (!lock->is_shared && !lock->owner && nvmi_barrier_everywhere()) {
        __atomic_store_n(&lock->inside, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&lock->owner, &nvmi_me, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&lock->mutex);
        return true;
    }
    share(lock);
    while (__atomic_load_n(&lock->inside, __ATOMIC_ACQUIRE)) {
        if (!waits) {
            pthread_mutex_unlock(&lock->mutex);
            return false;
        }
        sched_yield();
    }
    return true;
}

void nvmi_owner_lock_slowly(struct nvmi_owner_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    take(lock, true);
}

bool nvmi_owner_trylock(struct nvmi_owner_lock *lock)
{
    return nvmi_owner_enter(lock) ||
           (pthread_mutex_trylock(&lock->mutex) == 0 && take(lock, false));
}

void nvmi_owner_lock_in_child(struct nvmi_owner_lock *lock)
{
    *lock = (struct nvmi_owner_lock)NVMI_OWNER_LOCK_INITIALIZER;
}
