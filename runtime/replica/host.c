/*===- host.c - the pool of a replica ---------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#define _GNU_SOURCE
#include "host.h"
#include "base/engine.h"
#include "base/error.h"
#include "engines/engines.h"
#include "engines/home.h"
#include "heap/heap.h"
#include "heap/state.h"
#include "medium/backing.h"
#include "medium/control.h"
#include "medium/locks.h"
#include "medium/log.h"
#include "medium/mapping.h"
#include "medium/medium.h"
#include "medium/persist.h"
#include "medium/snapshots.h"
#include "open/examine.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_LOG_BYTES (8ull << 20)

static int open_file(struct nvmi_pool *pool)
{
    struct stat file;
    pool->fd = open(pool->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (pool->fd < 0 || fstat(pool->fd, &file) != 0)
        return nvmi_fail(errno, errno == ENOENT ? "pool-missing" : "pool-io", "%s: %s", pool->path,
                         strerror(errno));
    if (!S_ISREG(file.st_mode))
        return nvmi_fail(EINVAL, "pool-foreign", "%s is not a regular file", pool->path);
    pool->device = file.st_dev;
    pool->inode = file.st_ino;
    pool->lock = nvmi_lock_take(pool->path, file.st_dev, file.st_ino, NVMI_LOCK_OWNER);
    if (pool->lock)
        pool->pmem_lock = nvmi_lock_take(pool->path, file.st_dev, file.st_ino, NVMI_LOCK_PMEMOBJ);
    if (pool->pmem_lock)
        return 0;
    return errno == EAGAIN
               ? nvmi_fail(EBUSY, "pool-busy", "%s is used by another process", pool->path)
               : nvmi_fail(errno, "pool-io", "%s: %s", pool->path, strerror(errno));
}

static int check_engine(const struct nvmi_pool *pool)
{
    if (pool->format->holds_replica)
        return 0;
    return nvmi_fail(EINVAL, "pool-engine", "%s: %s", pool->path,
                     NVMI_CANNOT(pool->format, holds_replica, "be the engine of a replica's pool"));
}

static int bring_up(struct nvmi_pool *pool)
{
    int error = open_file(pool);
    if (error)
        return error;
    pool->dax = nvmi_medium_is_dax(pool->fd);
    if ((error = nvmi_examine(pool, false)) || (error = check_engine(pool)))
        return error;
    if (!pool->restored)
        return nvmi_fail(EINVAL, "pool-empty", "%s contains no commit yet", pool->path);
    nvmi_persist_file(pool->fd, pool->home, pool->header.arena_size_bytes);
    nvmi_persist = !pool->power ? &nvmi_persist_cache
                   : pool->dax  ? &nvmi_persist_dax
                                : &nvmi_persist_disk;
    nvmi_snapshots_open();
    if ((error = nvmi_back_open(pool)) || (error = pool->engine->recover(pool)))
        return error;
    host_lengthen_log(LEAST_LOG_BYTES);
    return 0;
}

int host_open(const char *path, bool power)
{
    struct nvmi_pool *pool = &nvmi_pool;
    *pool = (struct nvmi_pool){.fd = -1, .power = power};
    snprintf(pool->path, sizeof(pool->path), "%s", path);
    int error = bring_up(pool);
    if (error)
        host_close();
    else
        pool->open = true;
    return error;
}

void host_close(void)
{
    struct nvmi_pool *pool = &nvmi_pool;
    nvmi_heap_close();
    nvmi_unmap(pool);
    nvmi_persist_file(-1, NULL, 0);
    if (pool->fd >= 0)
        close(pool->fd);
    nvmi_lock_release(pool->lock);
    nvmi_lock_release(pool->pmem_lock);
    *pool = (struct nvmi_pool){.fd = -1};
}

void host_lengthen_log(uint64_t record_bytes)
{
    nvmi_back_log(&nvmi_pool, record_bytes); /* a shorter one will do, too */
}

int host_lap(uint64_t next_epoch)
{
    struct nvmi_pool *pool = &nvmi_pool;
    if (next_epoch <= pool->epoch)
        return nvmi_fail(EINVAL, "replica-epoch",
                         "%s has commit %llu: the next commit cannot be %llu", pool->path,
                         (unsigned long long)pool->epoch, (unsigned long long)next_epoch);
    host_bring_home();
    pool->epoch = next_epoch - 1;
    redo_checkpoint(pool);
    return 0;
}

static struct nvmi_log log_of(const struct nvmi_pool *pool)
{
    struct nvmi_log log = {.base = pool->log,
                           .data_bytes = pool->log_backed_bytes,
                           .size_bytes = pool->log_backed_bytes,
                           .lap = pool->slot.sequence,
                           .arena_size_bytes = pool->header.arena_size_bytes};
    memcpy(&log.pool_tag, pool->header.uuid, sizeof(log.pool_tag));
    return log;
}

/* The heap of the primary may have grown. */
static int back_pages(struct nvmi_pool *pool, const struct nvm_disk_record *record)
{
    const uint32_t *numbers = nvmi_record_numbers(record);
    uint64_t pages = pool->backed_pages;
    for (uint32_t i = 0; i < record->line_count; i++)
        if (numbers[i] == 0) {
            struct nvm_disk_heap heap;
            memcpy(&heap, nvmi_record_images(record) + (uint64_t)i * NVM_LINE_BYTES, sizeof(heap));
            pages = heap.virgin_page;
        }
    if (pages > pool->header.page_count)
        return EBADMSG;
    int error =
        pages > pool->backed_pages ? nvmi_back_pages(pool, nvmi_backing_up(pool, pages)) : 0;
    return error
               ? nvmi_fail(error, "replica-full", "%s cannot grow: %s", pool->path, strerror(error))
               : 0;
}

int host_take(uint64_t size_bytes)
{
    struct nvmi_pool *pool = &nvmi_pool;
    struct nvmi_log log = log_of(pool);
    const struct nvm_disk_record *record = nvmi_log_record(&log, nvmi_redo.head, pool->epoch + 1);
    int error = record && record->size_bytes == size_bytes ? back_pages(pool, record) : EBADMSG;
    if (error == EBADMSG)
        return nvmi_fail(EBADMSG, "replica-record", "the record of commit %llu is incomplete",
                         (unsigned long long)pool->epoch + 1);
    if (error)
        return error;
    nvmi_redo.head += size_bytes;
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
    return 0;
}

void host_take_rest(void)
{
    struct nvmi_log log = log_of(&nvmi_pool);
    const struct nvm_disk_record *record;
    while ((record = nvmi_log_record(&log, nvmi_redo.head, nvmi_pool.epoch + 1)) &&
           host_take(record->size_bytes) == 0)
        ;
    host_bring_home();
}

void host_bring_home(void)
{
    redo_wait(&nvmi_pool);
    redo_apply_some(&nvmi_pool, nvmi_redo.head);
}

void host_settle(void)
{
    if (nvmi_waits_for_disk(&nvmi_pool))
        redo_wait(&nvmi_pool);
    else
        host_bring_home();
}
