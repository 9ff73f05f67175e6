/*===- none.c - the engine that never commits -------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The program runs in its working copy and the pool's data never changes: the
 * baseline for measurements, and a way to look at a pool without touching it.
 */
#define _GNU_SOURCE
#include "base/engine.h"
#include "base/error.h"
#include "base/pool.h"
#include "engines/common.h"
#include <errno.h>
#include <sys/mman.h>

static int recover(struct nvmi_pool *pool)
{
    if (pool->restored)
        return pool->format->view(pool, UINT64_MAX);
    /* The file may hold half an import. */
    void *p = mmap(pool->heap, pool->header.arena_size_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return p == MAP_FAILED ? nvmi_fail(ENOMEM, "no-memory", "no address space for the heap") : 0;
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    (void)pool;
    (void)changes;
}

const struct nvm_engine nvmi_engine_none = {
    .name = "none",
    .number = UINT32_MAX, /* a pool that it has to make is redo's */
    .promise_process = "nothing survives",
    .promise_power = "nothing survives",
    .goes_back = true,
    .side_by_side = true,
    .power_on_disk = true,
    .recover = recover,
    .commit = commit,
    .wait = nvmi_nothing,
};
