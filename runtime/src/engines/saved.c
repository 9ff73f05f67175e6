/*===- saved.c - how much the open epoch has saved --------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#include "engines/saved.h"
#include "medium/control.h"
#include "medium/media.h"
#include "medium/persist.h"
#include "threads/side_by_side.h"

#define TOLD_AT_ONCE 16u

/* Lines. The first is counted under the engine lock; both are atomic. */
static uint64_t alone, beside;

void nvmi_count_logged(uint64_t lines, uint64_t bytes)
{
    struct nvmi_beside *b = nvmi_beside;
    if (b) { /* the commit adds it up */
        b->lines_logged += lines;
        b->log_bytes += bytes;
        return;
    }
    if (nvmi_persist != &nvmi_persist_cache) /* there nobody asks */
        nvmi_media_was_read(lines * NVM_LINE_BYTES);
    NVMI_COUNT(lines_logged, lines);
    NVMI_COUNT(log_bytes, bytes);
}

void nvmi_lines_saved(struct nvmi_pool *pool, uint64_t lines, uint64_t bytes)
{
    const struct nvmi_beside *b = nvmi_beside;
    if (b) {
        uint64_t told = (b->lines_logged + lines) / TOLD_AT_ONCE - b->lines_logged / TOLD_AT_ONCE;
        if (told)
            nvmi_saved(pool, __atomic_add_fetch(&beside, told * TOLD_AT_ONCE, __ATOMIC_RELEASE) +
                                 __atomic_load_n(&alone, __ATOMIC_ACQUIRE));
    } else {
        __atomic_store_n(&alone, alone + lines, __ATOMIC_RELEASE);
        nvmi_saved(pool, alone + __atomic_load_n(&beside, __ATOMIC_ACQUIRE));
    }
    nvmi_count_logged(lines, bytes);
}

uint64_t nvmi_lines_known_as_saved(void)
{
    return __atomic_load_n(&alone, __ATOMIC_ACQUIRE) + __atomic_load_n(&beside, __ATOMIC_ACQUIRE);
}

void nvmi_no_lines_saved(void)
{
    __atomic_store_n(&alone, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&beside, 0, __ATOMIC_RELAXED);
}
