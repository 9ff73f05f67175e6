/*===- snapshots.c - forked children that still look at the home copy -------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "medium/snapshots.h"
#include "base/pool.h"
#include "medium/locks.h"

static unsigned long forks = 1;       /* counted before the child's lock is taken */
static unsigned long nobody_alive_at; /* the count when no child was alive; 0: unknown */

void *nvmi_snapshot_lock(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    __atomic_add_fetch(&forks, 1, __ATOMIC_ACQ_REL);
    return nvmi_lock_take(pool->path, pool->device, pool->inode, NVMI_LOCK_SNAPSHOT);
}

void nvmi_snapshots_open(void)
{
    nobody_alive_at = 0;
}

/* Asking costs two calls of the kernel; where nobody was alive, only a fork can
 * change that. */
bool nvmi_snapshots_alive(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    unsigned long now = __atomic_load_n(&forks, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&nobody_alive_at, __ATOMIC_RELAXED) == now)
        return false;
    bool alive =
        nvmi_lock_is_held(pool->fd, pool->path, pool->device, pool->inode, NVMI_LOCK_SNAPSHOT);
    if (!alive)
        __atomic_store_n(&nobody_alive_at, now, __ATOMIC_RELAXED);
    return alive;
}
