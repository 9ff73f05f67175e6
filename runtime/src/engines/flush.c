/*===- flush.c - every store is flushed, nothing is atomic ------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * What NVMovE measures as full persistence. A hook comes before its store, so
 * each announcement flushes what was announced before it. Arguments of one
 * expression may be announced out of order with their stores: the two latest
 * announcements are flushed again, and the end of a section flushes all.
 *
 * No store is ever taken back: a crash in the middle of a section leaves it half
 * done, and so it may leave the tables of the heap.
 */
#include "base/engine.h"
#include "base/pool.h"
#include "engines/common.h"
#include "engines/direct.h"
#include "medium/control.h"
#include "medium/persist.h"
#include <string.h>

#define LATEST 2u
static struct {
    uint32_t first, last;
} latest[LATEST];
static unsigned turn;

static void flush_lines(const struct nvmi_pool *pool, uint64_t first, uint64_t last)
{
    nvmi_persist->flush(pool->heap + first * NVM_LINE_BYTES, (last - first + 1) * NVM_LINE_BYTES);
}

static void each(struct nvmi_pool *pool, uint32_t first, uint32_t last)
{
    for (unsigned i = 0; i < LATEST; i++)
        flush_lines(pool, latest[i].first, latest[i].last);
    nvmi_persist->fence();
    latest[turn].first = first;
    latest[turn].last = last;
    turn = (turn + 1) % LATEST;
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    if (pool->slot.state != NVM_STATE_VALID) {
        nvmi_direct_commit(pool, changes);
        return;
    }
    for (size_t i = 0; i < changes->lines.count; i++)
        flush_lines(pool, changes->lines.number[i], changes->lines.number[i]);
    for (size_t i = 0; i < changes->zero_count; i++)
        nvmi_persist->flush(pool->heap + changes->zero[i].offset, changes->zero[i].size_bytes);
    nvmi_barrier(pool);
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
}

static int recover(struct nvmi_pool *pool)
{
    memset(latest, 0, sizeof(latest));
    return nvmi_direct_recover(pool, NULL);
}

const struct nvm_engine nvmi_engine_flush = {
    .name = "flush",
    .number = 3,
    .promise_process = "each store survives a crash of the process; sections are not atomic",
    .promise_power = "each store survives a crash of the process and power loss; sections are not "
                     "atomic",
    .durable = true,
    .grows = true,
    .direct = true,
    .hooked = true,
    .area_bytes = nvmi_no_area,
    .examine = nvmi_control_examine,
    .view = nvmi_no_view,
    .recover = recover,
    .each = each,
    .commit = commit,
    .wait = nvmi_nothing,
    .settle = nvmi_direct_settle,
};
