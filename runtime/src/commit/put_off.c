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
#include "threads/side_by_side.h"
#include <stdio.h>
#include <stdio_ext.h>

/* Bounds of what waits. A log holds them beside a section that fills nearly all of it. */
#define MOST_SECTIONS 1024u
#define MOST_LINES 16384u
#define LOG_SHARE 32u

static bool at_output;
static unsigned put_off; /* sections that ran alone; atomic */

void nvm_commit_at_output(void)
{
    at_output = true;
}

/* A crash takes back all of these sections, whichever threads they were of. */
bool nvmi_may_put_off(void)
{
    const struct nvmi_pool *pool = &nvmi_pool;
    return at_output && !pool->epoch_ns && !pool->threaded && pool->engine->goes_back;
}

/* Threads may have taken much of the log for few lines. What stdout holds stdio may let out by
 * itself. */
static bool has_room(unsigned sections, uint64_t lines)
{
    const struct nvm_engine *engine = nvmi_pool.engine;
    return nvmi_may_put_off() && !(engine->presses && engine->presses(&nvmi_pool)) &&
           sections < MOST_SECTIONS && lines <= MOST_LINES &&
           lines * NVM_LINE_BYTES <= nvmi_pool.header.log_size_bytes / LOG_SHARE &&
           __fpending(stdout) == 0;
}

bool nvmi_put_off(void)
{
    if (!has_room(put_off, nvmi_pool.changes.lines.count))
        return false;
    __atomic_store_n(&put_off, put_off + 1, __ATOMIC_RELAXED);
    return true;
}

bool nvmi_put_off_beside(struct nvmi_beside *own)
{
    __atomic_store_n(&own->put_off, own->put_off + 1, __ATOMIC_RELAXED);
    /* Of the lines each thread has its share. */
    return has_room(own->put_off, own->lines.count * nvmi_beside_count());
}

bool nvmi_is_put_off(void)
{
    for (const struct nvmi_beside *b = __atomic_load_n(&nvmi_all_beside, __ATOMIC_ACQUIRE); b;
         b = b->next)
        if (__atomic_load_n(&b->put_off, __ATOMIC_RELAXED) > 0)
            return true;
    return __atomic_load_n(&put_off, __ATOMIC_RELAXED) > 0;
}

void nvmi_nothing_put_off(void)
{
    for (struct nvmi_beside *b = __atomic_load_n(&nvmi_all_beside, __ATOMIC_ACQUIRE); b;
         b = b->next)
        __atomic_store_n(&b->put_off, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&put_off, 0, __ATOMIC_RELAXED);
}
