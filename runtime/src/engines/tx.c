/*===- tx.c - a section is a transaction of libpmemobj ----------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * libpmemobj keeps what the lines held in undo logs of its own, flushes them at
 * the commit and rolls back when it opens the pool. A transaction belongs to one
 * thread. Stores outside sections are flushed with the next commit and are not
 * atomic; so they are refused while another thread is in a section, which could
 * be rolled back without them. A range that is no part of libpmemobj's heap, whose
 * size is fixed, is refused ("object outside of pool"): these pools do not grow.
 */
#include "base/engine.h"
#include "base/error.h"
#include "base/event.h"
#include "base/pool.h"
#include "engines/common.h"
#include "engines/direct.h"
#include "heap/directory.h"
#include "medium/control.h"
#include "medium/persist.h"
#include "threads/side_by_side.h"
#include <errno.h>
#include <libpmemobj.h>

static _Noreturn void no_room(const struct nvmi_pool *pool)
{
    nvmi_die(NVMI_EXIT_FULL, "log-full", "%s: libpmemobj has no space to log the section: %s",
             pool->path, pmemobj_errormsg());
}

/* Sections come one after the other, by whatever thread. What another thread stores outside of
 * sections meanwhile may belong to one of them. */
static void by_thread(struct nvmi_pool *pool)
{
    if (nvmi_depth == 0 && __atomic_load_n(&nvmi_section_runs, __ATOMIC_RELAXED))
        nvmi_die(NVMI_EXIT_START, "tx-threads",
                 "%s: a thread changes what is kept outside of sections, while another is in the "
                 "midst of one; engine %s cannot take back what several threads store. Choose "
                 "another for a new pool (docs/engines.md)",
                 pool->path, pool->engine->name);
}

/* libpmemobj knows the pool by its own mapping. */
static void add_range(struct nvmi_pool *pool, uint32_t first, uint32_t count)
{
    uint64_t at = pool->header.arena_offset + (uint64_t)first * NVM_LINE_BYTES;
    if (pmemobj_tx_add_range_direct((char *)pool->pmemobj + at, (size_t)count * NVM_LINE_BYTES))
        no_room(pool);
    NVMI_COUNT(lines_logged, count);
    NVMI_COUNT(log_bytes, (uint64_t)count * NVM_LINE_BYTES);
}

/* Who only reads the file cannot see what libpmemobj would roll back. */
static void set_settled(struct nvmi_pool *pool, uint64_t settled)
{
    pool->slot.settled = settled;
    nvmi_control_write(pool, NVM_STATE_VALID, pool->epoch + 1);
}

/* By pages: at the commit it is still known which these were. */
static bool must_save(const struct nvmi_pool *pool, uint32_t line)
{
    return pool->slot.state == NVM_STATE_VALID && !nvmi_line_is_new(line);
}

static void save(struct nvmi_pool *pool, const uint32_t *number, size_t count)
{
    if (nvmi_depth == 0)
        return;
    for (size_t i = 0, n; i < count; i += n) {
        n = 1;
        if (!must_save(pool, number[i]))
            continue;
        if (pool->slot.settled)
            set_settled(pool, 0);
        if (pmemobj_tx_stage() == TX_STAGE_NONE &&
            pmemobj_tx_begin(pool->pmemobj, NULL, TX_PARAM_NONE))
            no_room(pool);
        while (i + n < count && number[i + n] == number[i] + n && must_save(pool, number[i + n]))
            n++;
        add_range(pool, number[i], (uint32_t)n);
    }
}

static void commit(struct nvmi_pool *pool, struct nvmi_changes *changes)
{
    const struct nvmi_lines *lines = &changes->lines;
    if (pool->slot.state != NVM_STATE_VALID) {
        nvmi_direct_commit(pool, changes);
        return;
    }
    for (size_t i = 0; i < lines->count; i++)
        if (i >= changes->first_orphan || nvmi_line_is_new(lines->number[i]))
            nvmi_persist->flush(pool->heap + (uint64_t)lines->number[i] * NVM_LINE_BYTES,
                                NVM_LINE_BYTES);
    for (size_t i = 0; i < changes->zero_count; i++)
        nvmi_persist->flush(pool->heap + changes->zero[i].offset, changes->zero[i].size_bytes);
    nvmi_persist->fence();
    nvmi_event();
    if (pmemobj_tx_stage() == TX_STAGE_WORK) {
        pmemobj_tx_commit();
        if (pmemobj_tx_end())
            no_room(pool);
    }
    __atomic_store_n(&pool->epoch, pool->epoch + 1, __ATOMIC_RELEASE);
}

static void settle(struct nvmi_pool *pool)
{
    if (pool->slot.state == NVM_STATE_VALID)
        set_settled(pool, 1);
}

/* From now on other threads may store outside sections, too. */
static int recover(struct nvmi_pool *pool)
{
    int error = nvmi_direct_recover(pool, NULL);
    if (!error && pool->slot.settled)
        set_settled(pool, 0);
    return error;
}

const struct nvm_engine nvmi_engine_tx = {
    .name = "tx",
    .number = 6,
    .promise_process = "a commit survives a crash of the process",
    .promise_power = "a commit survives a crash of the process and power loss",
    .durable = true,
    .atomic = true,
    .direct = true,
    .hooked = true,
    .opens_first = true,
    .by_transaction = true,
    .area_bytes = nvmi_no_area,
    .spare_part = 8,
    .examine = nvmi_control_examine,
    .view = nvmi_no_view, /* libpmemobj has rolled back */
    .recover = recover,
    .by_thread = by_thread,
    .save = save,
    .commit = commit,
    .wait = nvmi_nothing,
    .settle = settle,
};
