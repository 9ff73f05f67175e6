/*===- examine.c - reading a pool file without changing it ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "examine.h"
#include "header.h"
#include "heap.h"
#include "mapping.h"
#include "named.h"
#include <errno.h>
#include <string.h>

struct nvmi_log nvmi_pool_log(void)
{
    const struct nvm_disk_header *h = &nvmi_pool.header;
    struct nvmi_log log = {.base = nvmi_pool.log,
                           .size_bytes = h->log_size_bytes,
                           .lap = nvmi_pool.control_read.sequence,
                           .arena_size_bytes = h->arena_size_bytes};
    memcpy(&log.pool_tag, h->uuid, sizeof(log.pool_tag));
    return log;
}

/* The newer control slot may be torn: then the older one counts, and the log is
 * still that of its lap. But if the log has been started over since, the newer
 * slot was whole once and is damaged. */
static bool control_is_stale(const struct nvmi_log *log)
{
    struct nvmi_log later = *log;
    const struct nvm_disk_record *record = (const void *)log->base;
    later.lap = log->lap + 1;
    return nvmi_log_record(&later, 0, record->epoch) != NULL;
}

static int read_log(struct nvmi_pool *pool)
{
    struct nvmi_log log = nvmi_pool_log();
    pool->log_end = (struct nvmi_log_end){0, pool->control_read.base_epoch, false};
    if (control_is_stale(&log))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the control record is damaged", pool->path);
    if (pool->restored)
        pool->log_end = nvmi_log_scan(&log, pool->control_read.base_epoch);
    pool->epoch = pool->log_end.next_epoch - 1;
    if (pool->log_end.damaged)
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the log's record of commit %llu is damaged",
                         pool->path, (unsigned long long)pool->log_end.next_epoch);
    return 0;
}

int nvmi_examine(struct nvmi_pool *pool, bool only_look)
{
    struct nvmi_peek peek;
    int error = nvmi_peek(pool->fd, pool->path, &peek);
    if (error)
        return error;
    pool->header = peek.header;
    pool->control_read = peek.control;
    pool->restored = peek.control.state == NVM_STATE_VALID;
    if (peek.slot_damaged) /* the lost slot may have said so */
        pool->control_read.dirty_pages = pool->header.page_count;
    error = nvmi_map(pool, peek.control_offset, only_look);
    if (!error)
        error = read_log(pool);
    if (error || !pool->restored)
        return error;
    struct nvmi_log log = nvmi_pool_log();
    nvmi_log_replay(&log, pool->log_end.offset, pool->heap, pool->header.twin_offset);
    error = nvmi_table_check();
    return error ? error : nvmi_heap_open();
}
