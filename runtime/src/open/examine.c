/*===- examine.c - reading a pool file without changing it ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "open/examine.h"
#include "base/engine.h"
#include "base/error.h"
#include "engines/engines.h"
#include "heap/heap.h"
#include "medium/header.h"
#include "medium/mapping.h"
#include "medium/medium.h"
#include "medium/pmem.h"
#include "named/table.h"
#include <errno.h>

/* The engine that made the pool, and whether it may be used as is wanted. */
static int choose_engine(struct nvmi_pool *pool, bool only_look)
{
    pool->format = nvmi_engine_by_number(pool->header.engine);
    if (!pool->format)
        return nvmi_fail(EINVAL, "pool-version", "%s was made by an engine of number %u",
                         pool->path, pool->header.engine);
    const struct nvm_disk_header *h = &pool->header;
    if (pool->format->arena_limit &&
        h->arena_size_bytes > pool->format->arena_limit(h->log_size_bytes))
        return nvmi_fail(EINVAL, "pool-damaged", "%s: the header (size of the engine's area)",
                         pool->path);
    if (!pool->engine)
        pool->engine = pool->format;
    if (pool->engine->durable && pool->engine != pool->format)
        return nvmi_fail(EINVAL, "pool-engine",
                         "%s was made with engine %s and cannot be used with %s", pool->path,
                         pool->format->name, pool->engine->name);
    if (!pool->engine->durable && pool->format->opens_first)
        return nvmi_fail(EINVAL, "pool-engine", "%s: engine %s cannot read a pool of engine %s",
                         pool->path, pool->engine->name, pool->format->name);
    return only_look || !pool->power
               ? 0
               : nvmi_engine_check_medium(pool->engine, pool->path, pool->dax);
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
    error = choose_engine(pool, only_look);
    if (!error && pool->format->opens_first && !only_look &&
        !(pool->pmemobj = nvmi_pmem_open(pool->path)))
        error = errno;
    if (!error)
        error = nvmi_map(pool, peek.control_offset, only_look);
    if (!error)
        error = pool->format->examine(pool);
    if (error || !pool->restored)
        return error;
    error = pool->format->view(pool, pool->header.twin_offset);
    if (!error)
        error = nvmi_heap_header_check();
    if (!error)
        error = nvmi_table_check();
    return error ? error : nvmi_heap_open();
}
