/*===- cells.c - words with their undo copy in the same line ----------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "base/engine.h"
#include "base/pool.h"
#include "forked/frozen.h"
#include "hook/hook.h"
#include "nvmove/restart.h"
#include "threads/side_by_side.h"

_Static_assert(sizeof(struct nvm_cell) == NVMI_CELL_BYTES, "two to a line, none across");

static struct nvm_type nvm_type_cell = {NVMI_CELL_TYPE, 0, 0, 0, 0};

struct nvm_cell *nvm_cell_new(long value)
{
    struct nvm_cell *cell = nvm_zalloc(&nvm_type_cell, sizeof(*cell));
    if (cell)
        NVM(cell->value) = value;
    return cell;
}

/* Stores to one line reach the medium in order: the copy, then the epoch that
 * makes it count, then the value. */
static void set_in_line(struct nvmi_pool *pool, struct nvm_cell *cell, long value)
{
    uint64_t epoch = pool->epoch + 1;
    if (cell->epoch != epoch) {
        cell->old = cell->value;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        *(volatile unsigned long *)&cell->epoch = epoch;
        nvmi_hook_flush_later((uint64_t)((unsigned char *)cell - pool->heap));
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile long *)&cell->value = value;
}

void nvm_cell_set(struct nvm_cell *cell, long value)
{
#if defined(__x86_64__)
    struct nvmi_pool *pool = &nvmi_pool;
    if (pool->open && !pool->snapshot && pool->engine->cells && nvmi_in_heap(cell) &&
        pool->slot.state == NVM_STATE_VALID) {
        bool locks = !nvmi_beside;
        locks ? nvmi_owner_lock(&nvmi_engine_lock) : nvmi_announce_begin(); /* the epoch stays */
        nvmi_will_change((uint64_t)((unsigned char *)cell - pool->heap), sizeof(*cell));
        set_in_line(pool, cell, value);
        locks ? nvmi_owner_unlock(&nvmi_engine_lock) : nvmi_announce_end();
        return;
    }
#endif
    NVM(cell->value) = value;
}
