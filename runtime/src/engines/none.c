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
#include "engine.h"
#include "log.h"
#include <errno.h>
#include <sys/mman.h>

static int recover(struct nvmi_pool *pool)
{
    if (pool->restored) {
        struct nvmi_log log = nvmi_pool_log();
        nvmi_log_replay(&log, pool->log_end.offset, pool->heap, UINT64_MAX);
        return 0;
    }
    /* The file may hold half an import. */
    void *p = mmap(pool->heap, pool->header.arena_size_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return p == MAP_FAILED ? nvmi_fail(ENOMEM, "no-memory", "no address space for the heap") : 0;
}

static void nothing(struct nvmi_pool *pool)
{
    (void)pool;
}

const struct nvm_engine nvmi_engine_none = {
    .name = "none",
    .promise_process = "nothing survives",
    .promise_power = "nothing survives",
    .durable = false,
    .recover = recover,
    .commit = nothing,
    .wait = nothing,
    .settle = nothing,
};
