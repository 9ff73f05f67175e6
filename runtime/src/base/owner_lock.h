/*===- owner_lock.h - a lock that mostly one thread takes -------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The first thread that takes it owns it, and takes it from then on by a store and a load, which
 * the processor may exchange. When another thread comes, membarrier() makes the owner's
 * store seen, or lets the owner see that it is no longer alone, and from then on the lock is a
 * mutex. (Biased locking: Kawachiya, Koseki and Onodera, OOPSLA 2002; Dice, Moir and Scherer,
 * "Quickly reacquirable locks", 2003.)
 */
#ifndef NVMOVE_SRC_OWNER_LOCK_H
#define NVMOVE_SRC_OWNER_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct nvmi_owner_lock {
    pthread_mutex_t mutex;
    const char *owner; /* its nvmi_me; NULL: it was never taken */
    int inside;        /* the owner has it, without the mutex */
    int is_shared;     /* two threads have taken it: a mutex from now on */
};

#define NVMI_OWNER_LOCK_INITIALIZER {PTHREAD_MUTEX_INITIALIZER, NULL, 0, 0}

extern __thread const char nvmi_me; /* its address says which thread this is */

void nvmi_owner_lock_slowly(struct nvmi_owner_lock *lock);

/* False: it takes the mutex. */
static inline bool nvmi_owner_enter(struct nvmi_owner_lock *lock)
{
    if (__builtin_expect(__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) != &nvmi_me, 0))
        return false;
    __atomic_store_n(&lock->inside, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(!__atomic_load_n(&lock->is_shared, __ATOMIC_RELAXED), 1))
        return true;
    __atomic_store_n(&lock->inside, 0, __ATOMIC_RELEASE);
    return false;
}

/* Not twice by one thread. */
static inline void nvmi_owner_lock(struct nvmi_owner_lock *lock)
{
    if (!nvmi_owner_enter(lock))
        nvmi_owner_lock_slowly(lock);
}

static inline void nvmi_owner_unlock(struct nvmi_owner_lock *lock)
{
    if (__builtin_expect(__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == &nvmi_me &&
                             __atomic_load_n(&lock->inside, __ATOMIC_RELAXED),
                         1))
        __atomic_store_n(&lock->inside, 0, __ATOMIC_RELEASE);
    else
        pthread_mutex_unlock(&lock->mutex);
}

/* False: another thread has it. */
bool nvmi_owner_trylock(struct nvmi_owner_lock *lock);
/* All threads of the process run through a full barrier. False: the kernel refuses, and always
 * has. (A forked child asks anew.) */
bool nvmi_barrier_everywhere(void);
/* After a fork: it is free. */
void nvmi_owner_lock_in_child(struct nvmi_owner_lock *lock);

#endif /* NVMOVE_SRC_OWNER_LOCK_H */
