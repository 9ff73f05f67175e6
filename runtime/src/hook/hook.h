/*===- hook.h - announced lines ---------------------------------------------===
 *
 * Part of nvmove, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 */
#ifndef NVMOVE_SRC_HOOK_HOOK_H
#define NVMOVE_SRC_HOOK_HOOK_H

#include "base/engine.h"
#include "base/pool.h"
#include "hook/audit.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL unless the audit library is linked, which sets it before main. */
extern const struct nvmi_audit *nvmi_audit;

int nvmi_hook_open(void); /* 0 or an errno */
void nvmi_hook_close(void);
void nvmi_hook_off(void); /* stores are no longer announced */
/* By who has the engine lock, or stores beside others: the line of this byte is flushed with the
 * next commit; stores to it are still to be announced. */
void nvmi_hook_flush_later(uint64_t offset);
/* At most NVMI_SAVE_LINES lines that only a commit changes are about to change; under the
 * section lock. The list is used up. */
void nvmi_hook_lines(uint32_t *number, size_t count);
/* These bytes are about to be overwritten and need not be saved: they are of no
 * use to the last commit. In a section. */
void nvmi_hook_overwrite(const void *p, size_t size_bytes);
/* Under the heap lock: a range of the working copy is zero. True if recorded;
 * false: announce it like any other store. */
bool nvmi_hook_zero(uint64_t offset, uint64_t size_bytes);

/* Will what this thread stores now be taken back whole if no commit follows? Where it is not, pages
 * are taken, but not given back. */
static inline bool nvmi_is_covered(void)
{
    return nvmi_depth > 0 || !nvmi_pool.engine->by_transaction;
}

#endif /* NVMOVE_SRC_HOOK_HOOK_H */
