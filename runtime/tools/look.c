/*===- look.c - a pool file opened for reading ------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "medium/locks.h"
#include "open/examine.h"
#include "pool_tool.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int pool_look(const char *path)
{
    struct nvmi_pool *pool = &nvmi_pool;
    snprintf(pool->path, sizeof(pool->path), "%s", path);
    pool->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat file;
    if (pool->fd < 0 || fstat(pool->fd, &file) != 0)
        return nvmi_fail(errno, "pool-missing", "%s: %s", path, strerror(errno));
    pool->device = file.st_dev;
    pool->inode = file.st_ino;
    return nvmi_examine(pool, true);
}

int pool_look_whole(const char *path)
{
    struct nvmi_pool *pool = &nvmi_pool;
    int error = pool_look(path);
    if (error)
        return error;
    if (pool_in_use())
        return nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", path);
    if (!pool->restored)
        return nvmi_fail(EINVAL, "pool-empty", "%s contains no commit yet", path);
    if ((error = pool_is_unsettled()))
        return error;
    return pool->format->view(pool, UINT64_MAX);
}

int pool_is_unsettled(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    if (!pool->format->opens_first || !pool->restored || pool->control_read.settled)
        return 0;
    return nvmi_fail(EINVAL, "pool-unsettled",
                     "%s: its program did not close it, and only libpmemobj can roll back what a "
                     "crash interrupted: start the program once and let it end",
                     pool->path);
}

bool pool_in_use(void)
{
    const struct nvmi_pool *p = &nvmi_pool;
    return nvmi_lock_is_held(p->fd, p->path, p->device, p->inode, NVMI_LOCK_OWNER);
}
