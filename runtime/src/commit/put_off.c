/*===- put_off.c - sections whose commit waits -----------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "commit/put_off.h"
#include "base/engine.h"
#include "base/pool.h"
#include <stdio.h>
#include <stdio_ext.h>

/* Bounds of what waits. A log holds them beside a section that fills nearly all of it. */
#define MOST_SECTIONS 1024u
#define MOST_LINES 16384u
#define LOG_SHARE 32u

static bool at_output;
static unsigned put_off; /* sections; atomic */

void nvm_commit_at_output(void)
{
    at_output = true;
}

/* Transactions of libpmemobj belong to a thread. */
static bool can_wait(const struct nvmi_pool *pool)
{
    return !pool->epoch_ns && !pool->threaded && !pool->engine->each &&
           !pool->engine->save_by_thread;
}

/* What stdout holds stdio may let out by itself. */
bool nvmi_put_off(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    uint64_t lines = pool->changes.lines.count;
    if (!at_output || !can_wait(pool) || put_off == MOST_SECTIONS || lines > MOST_LINES ||
        lines * NVM_LINE_BYTES > pool->header.log_size_bytes / LOG_SHARE || __fpending(stdout) > 0)
        return false;
    __atomic_store_n(&put_off, put_off + 1, __ATOMIC_RELAXED);
    return true;
}

bool nvmi_is_put_off(void)
{
    return __atomic_load_n(&put_off, __ATOMIC_RELAXED) > 0;
}

void nvmi_nothing_put_off(void)
{
    __atomic_store_n(&put_off, 0, __ATOMIC_RELAXED);
}
